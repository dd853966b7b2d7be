/** @import { Context, Values } from './context.js' */
/** @import { WasmArray } from './memory.js' */
import { outOfRange } from '../check.js';
import { ERR_INDEX, expectOk } from '../status.js';
import { uniform } from './init.js';

/**
 * Both tables start with a variance of 1/2, so that a row of the stream has a mean square of 1: the
 * scale that norms give, and at which the bounds of Xiong et al. (2020) start.
 */
const BOUND = Math.sqrt(3 / 2);

/** y[b][t] = table[ids[b][t]] + positions[t], both learned. */
export class Embedding {
  #kernels;
  #sizes;
  #table;
  #positions;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {{ rows: number, tokens: number, vocabulary: number, width: number }} sizes
   */
  constructor({ kernels, parameters }, name, sizes) {
    const { tokens, vocabulary, width } = sizes;
    const init = uniform([BOUND], width);
    this.#kernels = kernels;
    this.#sizes = sizes;
    this.#table = parameters.add(`${name}.table`, [vocabulary, width], init);
    this.#positions = parameters.add(`${name}.positions`, [tokens, width], init);
  }

  /**
   * @param {Values} y  [batch][tokens][width]
   * @param {WasmArray<Uint32Array>} ids
   */
  forward(y, ids) {
    const { rows, tokens, vocabulary, width } = this.#sizes;
    const status = this.#kernels.an_embedding_forward(
      y.ptr,
      ids.ptr,
      this.#table.ptr,
      this.#positions.ptr,
      rows,
      tokens,
      vocabulary,
      width,
    );
    if (status === ERR_INDEX) {
      const wrong = ids.data.find((id) => id >= vocabulary);
      throw outOfRange('ids', `whole numbers less than ${vocabulary}`, String(wrong));
    }
    expectOk('embedding', status);
  }

  /**
   * @param {Values} dy
   * @param {WasmArray<Uint32Array>} ids  those of forward()
   */
  backward(dy, ids) {
    const { rows, tokens, vocabulary, width } = this.#sizes;
    expectOk(
      'embedding',
      this.#kernels.an_embedding_backward(
        this.#table.gradientPtr,
        this.#positions.gradientPtr,
        dy.ptr,
        ids.ptr,
        rows,
        tokens,
        vocabulary,
        width,
        0,
      ),
    );
  }
}
