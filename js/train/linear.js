/** @import { Context, Values } from './context.js' */
/** @import { Init } from './init.js' */
import { expectOk } from '../status.js';
import { constant, xavier } from './init.js';

/** y = x W + b, with x [rows][inputs] and W [inputs][outputs]. */
export class Linear {
  #kernels;
  #weight;
  #bias;
  #rows;
  #inputs;
  #outputs;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {{ rows: number, inputs: number, outputs: number, init?: Init }} sizes  `init` of the
   *   weights; the bias starts as zeros
   */
  constructor({ kernels, parameters }, name, { rows, inputs, outputs, init }) {
    this.#kernels = kernels;
    this.#rows = rows;
    this.#inputs = inputs;
    this.#outputs = outputs;
    const weights = init ?? xavier(inputs, outputs);
    this.#weight = parameters.add(`${name}.weight`, [inputs, outputs], weights);
    this.#bias = parameters.add(`${name}.bias`, [outputs], constant(0));
  }

  /**
   * @param {Values} y  [rows][outputs]
   * @param {Values} x  [rows][inputs]
   */
  forward(y, x) {
    const rows = this.#rows;
    const outputs = this.#outputs;
    const kernels = this.#kernels;
    expectOk(
      'linear',
      kernels.an_matmul_nn(y.ptr, x.ptr, this.#weight.ptr, rows, outputs, this.#inputs, 0),
    );
    expectOk('linear', kernels.an_bias_forward(y.ptr, y.ptr, this.#bias.ptr, rows, outputs));
  }

  /**
   * Writes the gradients of weight and bias as well.
   *
   * @param {Values} dx  not dy itself
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    const rows = this.#rows;
    const inputs = this.#inputs;
    const outputs = this.#outputs;
    const kernels = this.#kernels;
    const weight = this.#weight;
    expectOk(
      'linear',
      kernels.an_matmul_tn(weight.gradientPtr, x.ptr, dy.ptr, inputs, outputs, rows, 0),
    );
    expectOk('linear', kernels.an_bias_backward(this.#bias.gradientPtr, dy.ptr, rows, outputs, 0));
    expectOk('linear', kernels.an_matmul_nt(dx.ptr, dy.ptr, weight.ptr, rows, inputs, outputs, 0));
  }
}
