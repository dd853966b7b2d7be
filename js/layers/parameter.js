/** @import { Tensor } from '../tensor.js' */

/** What a layer learns: values in wasm memory, and the gradient that backward adds to. */
export class Parameter {
  /**
   * As in the state dict.
   *
   * @type {'weight' | 'bias'}
   */
  name;
  /**
   * The values.
   *
   * @type {Tensor}
   */
  value;
  /**
   * Sum of the gradients since zeroGrad(), shaped as the values.
   *
   * @type {Tensor}
   */
  gradient;

  /**
   * @internal
   * @param {'weight' | 'bias'} name
   * @param {Tensor} value
   * @param {Tensor} gradient
   */
  constructor(name, value, gradient) {
    this.name = name;
    this.value = value;
    this.gradient = gradient;
  }
}
