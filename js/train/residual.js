/** @import { Context, Layer, Values } from './context.js' */
import { expectOk } from '../status.js';

/** A branch beside the residual stream: y = alpha x + f(x). */
export class Residual {
  #kernels;
  #branch;
  #alpha;
  #output;

  /**
   * @param {Context} context
   * @param {Layer} branch
   * @param {{ length: number, alpha: number }} settings  `length` of x
   */
  constructor(context, branch, { length, alpha }) {
    this.#kernels = context.kernels;
    this.#branch = branch;
    this.#alpha = alpha;
    this.#output = context.shared('residual', length);
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  forward(y, x) {
    this.#branch.forward(this.#output, x);
    this.#add(y, x);
  }

  /**
   * @param {Values} dx  may be dy
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    this.#branch.backward(this.#output, dy, x);
    this.#add(dx, dy);
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  #add(y, x) {
    const { ptr, length } = this.#output;
    expectOk('residual', this.#kernels.an_residual(y.ptr, x.ptr, ptr, length, this.#alpha));
  }
}
