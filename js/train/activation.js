/** @import { Context, Values } from './context.js' */
import { expectOk } from '../status.js';

/** y = max(x, 0) */
class Relu {
  #kernels;

  /** @param {Context} context */
  constructor({ kernels }) {
    this.#kernels = kernels;
  }

  /**
   * @param {Values} y  may be x
   * @param {Values} x
   */
  forward(y, x) {
    expectOk('relu', this.#kernels.an_relu_forward(y.ptr, x.ptr, x.length));
  }

  /**
   * @param {Values} dx  may be dy or x
   * @param {Values} dy
   * @param {Values} x  that of forward(), or its y
   */
  backward(dx, dy, x) {
    expectOk('relu', this.#kernels.an_relu_backward(dx.ptr, dy.ptr, x.ptr, x.length));
  }
}

/** y = x Phi(x) with the normal distribution Phi (Hendrycks & Gimpel 2016). */
class Gelu {
  #kernels;

  /** @param {Context} context */
  constructor({ kernels }) {
    this.#kernels = kernels;
  }

  /**
   * @param {Values} y  may be x
   * @param {Values} x
   */
  forward(y, x) {
    expectOk('gelu', this.#kernels.an_gelu_forward(y.ptr, x.ptr, x.length));
  }

  /**
   * @param {Values} dx  may be dy or x
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    expectOk('gelu', this.#kernels.an_gelu_backward(dx.ptr, dy.ptr, x.ptr, x.length));
  }
}

export const ACTIVATIONS = Object.freeze({ relu: Relu, gelu: Gelu });

/** @typedef {keyof typeof ACTIVATIONS} ActivationKind */
