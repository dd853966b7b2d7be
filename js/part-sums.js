/** Gradients of parameters, added up over examples that go through the kernel one by one. */

/** @import { Block } from './block.js' */
/** @import { Call } from './call.js' */
import { ABSENT } from './block.js';
import { ACCUMULATE } from './flags.js';

export class PartSums {
  /**
   * Where the kernel writes those of one example.
   *
   * @type {Block[]}
   */
  parts;
  #gradients;
  #sums;

  /**
   * @param {Call} call
   * @param {Block[]} gradients  those that are not wanted are ABSENT
   */
  constructor(call, gradients) {
    this.#gradients = gradients;
    this.parts = gradients.map((one) => (one === ABSENT ? ABSENT : call.scratch(one.length)));
    // In float64, as the kernel adds the examples that it sees together.
    this.#sums = gradients.map(({ length }) => new Float64Array(length));
  }

  /** @param {Float32Array} floats  wasm memory */
  add(floats) {
    this.parts.forEach(({ ptr }, k) => {
      const sum = this.#sums[k];
      for (let c = 0; c < sum.length; c += 1) sum[c] += floats[ptr / 4 + c];
    });
  }

  /**
   * @param {Float32Array} floats
   * @param {number} flags
   */
  finish(floats, flags) {
    const isAdded = (flags & ACCUMULATE) !== 0;
    this.#gradients.forEach(({ ptr }, k) => {
      this.#sums[k].forEach((sum, c) => {
        const i = ptr / 4 + c;
        floats[i] = isAdded ? floats[i] + sum : sum;
      });
    });
  }
}
