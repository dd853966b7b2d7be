/** @import { Context, Values } from './context.js' */
/** @import { WasmArray } from './memory.js' */
import { outOfRange } from '../check.js';
import { ERR_INDEX, expectOk } from '../status.js';

/** A target that does not count. */
export const IGNORED = -1;

/**
 * @typedef {object} Loss
 * @property {number} loss  mean cross-entropy of the targets that count, in nats; 0 without any
 * @property {number} correct  how many of them have the largest logit
 * @property {number} counted  how many there are
 */

/** Cross-entropy of logits [rows][classes], and its gradient. */
export class CrossEntropy {
  #kernels;
  #rows;
  #classes;
  #loss;
  #counts;

  /**
   * Overwritten by every run().
   *
   * @type {Loss}
   */
  result = { loss: NaN, correct: 0, counted: 0 };

  /**
   * @param {Context} context
   * @param {{ rows: number, classes: number }} sizes
   */
  constructor({ kernels, arena }, { rows, classes }) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#classes = classes;
    // an_cross_entropy_result: a double and two words
    this.#loss = arena.array(Float64Array, 2);
    this.#counts = arena.at(Uint32Array, this.#loss.ptr + 8, 2);
  }

  /**
   * @param {Values} dlogits  written
   * @param {Values} logits
   * @param {WasmArray<Int32Array>} targets
   */
  run(dlogits, logits, targets) {
    const classes = this.#classes;
    const status = this.#kernels.an_cross_entropy(
      this.#loss.ptr,
      dlogits.ptr,
      logits.ptr,
      targets.ptr,
      this.#rows,
      classes,
    );
    if (status === ERR_INDEX) {
      const wrong = targets.data.find((target) => target < IGNORED || target >= classes);
      throw outOfRange('targets', `${IGNORED} or less than ${classes}`, String(wrong));
    }
    expectOk('cross-entropy', status);
    const counts = this.#counts.data;
    this.result.loss = this.#loss.data[0];
    this.result.counted = counts[0];
    this.result.correct = counts[1];
    return this.result;
  }
}
