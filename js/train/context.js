/** What the layers of a model are made with. */

/**
 * @import { Kernels } from '../runtime.js'
 * @import { Arena, WasmArray } from './memory.js'
 */
import { Parameters } from './parameters.js';

/** @typedef {WasmArray<Float32Array>} Values */

/**
 * A function of one array with its gradient. Both methods write their first argument and take the
 * same x; backward() also writes the gradients of the layer's parameters.
 *
 * @typedef {object} Layer
 * @property {(y: Values, x: Values) => void} forward
 * @property {(dx: Values, dy: Values, x: Values) => void} backward
 */

export class Context {
  parameters = new Parameters();
  /** @type {Map<string, Values>} */
  #shared = new Map();

  /**
   * @param {Kernels} kernels
   * @param {Arena} arena
   */
  constructor(kernels, arena) {
    this.kernels = kernels;
    this.arena = arena;
  }

  /**
   * An array for the time of one call, the same for all layers that ask for it by this name.
   *
   * @param {string} name
   * @param {number} length
   */
  shared(name, length) {
    const key = `${name} ${length}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const values = this.arena.floats(length);
    this.#shared.set(key, values);
    return values;
  }
}
