/** @import { Runtime } from '../runtime.js' */
/** @import { Values } from './context.js' */
/** @import { Loss } from './cross-entropy.js' */
/** @import { Parameter } from './parameters.js' */
/** @import { TransformerOptions, TransformerSettings } from './settings.js' */
import { describe, wrongKind } from '../check.js';
import { block } from './blocks.js';
import { expectArray } from './check.js';
import { Context } from './context.js';
import { CrossEntropy } from './cross-entropy.js';
import { Embedding } from './embedding.js';
import { Linear } from './linear.js';
import { Arena, filling } from './memory.js';
import { norm } from './norm.js';
import { PLACEMENTS, scalesOf } from './placement.js';
import { Random } from './random.js';
import { transformerSettings } from './settings.js';

/** What has been computed of the batch. */
const NOTHING = 0;
const LOGITS = 1;
const LOSS = 2;

/**
 * A causal transformer: token embedding with learned positions, blocks of attention and feed-forward
 * layers, and an output projection of its own. Row [b][t] of its logits says what follows token t of
 * sequence b.
 *
 * All memory is allocated when it is made; forward(), loss() and backward() allocate nothing.
 */
export class Transformer {
  /**
   * All settings, with the defaults filled in.
   *
   * @type {TransformerSettings}
   */
  settings;
  /** @internal */
  arena;
  /** @internal */
  context;
  /**
   * The residual stream: its values before each layer and behind the last, [batch][tokens][width].
   *
   * @type {Values[]}
   */
  #stream;
  #layers;
  #layersPerBlock;
  #embedding;
  #head;
  #crossEntropy;
  #ids;
  #targets;
  #logits;
  #dlogits;
  #gradient;
  #computed = NOTHING;

  /**
   * @internal
   * @param {Runtime} runtime
   * @param {Arena} arena  of the model alone
   * @param {TransformerSettings} settings
   */
  constructor(runtime, arena, settings) {
    const { depth, width, vocabulary, tokens, batch } = settings;
    const rows = batch * tokens;
    const context = new Context(runtime.kernels, arena);
    const placement = PLACEMENTS[settings.placement];
    const blockSettings = { ...settings, ...scalesOf(placement, depth), placement };
    const values = () => arena.floats(rows * width);

    this.settings = settings;
    this.arena = arena;
    this.context = context;
    this.#embedding = new Embedding(context, 'embedding', { rows, tokens, vocabulary, width });
    const blocks = Array.from({ length: depth }, (_, i) =>
      block(context, `blocks.${i}`, blockSettings),
    );
    this.#layersPerBlock = blocks[0].length;
    this.#layers = blocks.flat();
    if (settings.finalNorm) {
      this.#layers.push(norm(context, settings.norm, 'finalNorm', { rows, width }));
    }
    this.#head = new Linear(context, 'head', { rows, inputs: width, outputs: vocabulary });
    this.#crossEntropy = new CrossEntropy(context, { rows, classes: vocabulary });
    this.#ids = arena.array(Uint32Array, rows);
    this.#targets = arena.array(Int32Array, rows);
    this.#stream = [values(), ...this.#layers.map(values)];
    this.#gradient = values();
    this.#logits = arena.floats(rows * vocabulary);
    this.#dlogits = arena.floats(rows * vocabulary);
    context.parameters.allocate(arena);
    context.parameters.initialize(new Random(settings.seed));
  }

  /**
   * All parameters, in the order of the forward pass.
   *
   * @type {readonly Parameter[]}
   */
  get parameters() {
    return this.context.parameters.list;
  }

  /**
   * The tokens, [batch][tokens], which may be written to.
   *
   * @type {Uint32Array}
   */
  get ids() {
    return this.#ids.data;
  }

  /**
   * What follows each token, [batch][tokens], or -1 where it does not count. May be written to.
   *
   * @type {Int32Array}
   */
  get targets() {
    return this.#targets.data;
  }

  /**
   * What forward() has found, [batch][tokens][vocabulary].
   *
   * @type {Float32Array}
   */
  get logits() {
    return this.#logits.data;
  }

  /**
   * The stream behind a block of the last forward(), [batch][tokens][width]; behind the embedding
   * for block 0.
   *
   * @internal
   * @param {number} depth
   */
  streamAt(depth) {
    return this.#stream[depth * this.#layersPerBlock];
  }

  /**
   * Computes the logits.
   *
   * @param {Uint32Array} [ids]  copied to this.ids; left out: what is there
   * @throws {TypeError | RangeError} tokens of the wrong kind or number, or not in the vocabulary
   */
  forward(ids) {
    const stream = this.#stream;
    const layers = this.#layers;
    this.#computed = NOTHING;
    if (ids !== undefined) {
      expectArray('ids', ids, 'Uint32Array', this.#ids.length);
      this.ids.set(ids);
    }
    this.#embedding.forward(stream[0], this.#ids);
    for (let i = 0; i < layers.length; i += 1) layers[i].forward(stream[i + 1], stream[i]);
    this.#head.forward(this.#logits, stream[layers.length]);
    this.#computed = LOGITS;
  }

  /**
   * Compares the logits with what follows.
   *
   * @param {Int32Array} [targets]  copied to this.targets; left out: what is there
   * @returns {Loss} the same object each time
   * @throws {TypeError | RangeError} targets of the wrong kind or number, or not in the vocabulary
   */
  loss(targets) {
    this.#expect(LOGITS, 'loss: expected forward() before it');
    if (targets !== undefined) {
      expectArray('targets', targets, 'Int32Array', this.#targets.length);
      this.targets.set(targets);
    }
    const result = this.#crossEntropy.run(this.#dlogits, this.#logits, this.#targets);
    this.#computed = LOSS;
    return result;
  }

  /** Computes the gradients of the loss with respect to all parameters. */
  backward() {
    const stream = this.#stream;
    const layers = this.#layers;
    const gradient = this.#gradient;
    this.#expect(LOSS, 'backward: expected loss() before it');
    this.#head.backward(gradient, this.#dlogits, stream[layers.length]);
    for (let i = layers.length - 1; i >= 0; i -= 1) {
      layers[i].backward(gradient, gradient, stream[i]);
    }
    this.#embedding.backward(gradient, this.#ids);
  }

  /** Frees the memory. The model and its trainers can then no longer be used. */
  dispose() {
    this.arena.dispose();
  }

  /**
   * @param {number} computed
   * @param {string} message
   */
  #expect(computed, message) {
    this.arena.expectAlive();
    if (this.#computed < computed) throw new Error(message);
  }
}

/**
 * @param {Runtime} runtime
 * @param {TransformerOptions} options
 */
export function transformer(runtime, options) {
  const settings = transformerSettings(options);
  const arena = new Arena(runtime.heap, 'transformer');
  return filling(arena, () => new Transformer(runtime, arena, settings));
}

/** @param {unknown} model */
export function expectTransformer(model) {
  if (!(model instanceof Transformer)) {
    throw wrongKind('model', 'what transformer() has made', describe(model));
  }
}
