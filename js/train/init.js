/**
 * How parameters start. Only arithmetic and square roots, which every engine rounds alike.
 *
 * @import { Random } from './random.js'
 */

/** @typedef {(values: Float32Array, random: Random) => void} Init */

/**
 * @param {number} value
 * @returns {Init}
 */
export const constant = (value) => (values) => {
  values.fill(value);
};

/**
 * Uniform numbers from -bound to bound, whose variance is bound^2 / 3. With several bounds, the
 * values are matrices side by side, [rows][bounds.length][width], each with its own.
 *
 * @param {readonly number[]} bounds
 * @param {number} width  columns of each matrix
 * @returns {Init}
 */
export const uniform = (bounds, width) => (values, random) => {
  for (let i = 0; i < values.length; i += 1) {
    const bound = bounds[Math.floor(i / width) % bounds.length];
    values[i] = bound * (2 * random.next() - 1);
  }
};

/**
 * The bound that gives a variance of 2 / (inputs + outputs) (Glorot & Bengio 2010).
 *
 * @param {number} inputs
 * @param {number} outputs
 */
export const xavierBound = (inputs, outputs) => Math.sqrt(6 / (inputs + outputs));

/**
 * @param {number} inputs
 * @param {number} outputs
 * @param {number} [gain]  factor of the weights
 */
export const xavier = (inputs, outputs, gain = 1) =>
  uniform([gain * xavierBound(inputs, outputs)], outputs);

/**
 * For a layer with ReLU behind it: a variance of 2 / inputs (He et al. 2015).
 *
 * @param {number} inputs
 */
export const he = (inputs) => uniform([Math.sqrt(6 / inputs)], inputs);
