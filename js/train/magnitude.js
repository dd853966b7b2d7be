/** @import { Kernels } from '../runtime.js' */
/** @import { Arena } from './memory.js' */
import { expectOk } from '../status.js';

/**
 * The root of the sum of squares, in float64. Measuring and reading are apart so that no number is
 * handed from function to function, which can take an object.
 */
export class Magnitude {
  #kernels;
  #result;

  /**
   * @param {Kernels} kernels
   * @param {Arena} arena
   */
  constructor(kernels, arena) {
    this.#kernels = kernels;
    this.#result = arena.array(Float64Array, 1);
  }

  /**
   * @param {number} address  of float32 values
   * @param {number} length
   */
  measure(address, length) {
    expectOk('magnitude', this.#kernels.an_norm(this.#result.ptr, address, length));
  }

  /** What measure() has found. */
  get value() {
    return this.#result.data[0];
  }
}
