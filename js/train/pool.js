/** @import { Context, Values } from './context.js' */
/** @import { ImageSizes } from './images.js' */
import { expectOk } from '../status.js';

/** Means over squares of 2 x 2. */
export class Pool {
  #kernels;
  #sizes;

  /**
   * @param {Context} context
   * @param {ImageSizes} sizes  of x; the side is even
   */
  constructor({ kernels }, { batch, side, channels }) {
    this.#kernels = kernels;
    this.#sizes = { batch, side, channels };
  }

  /**
   * @param {Values} y  [batch][side / 2][side / 2][channels]
   * @param {Values} x
   */
  forward(y, x) {
    const { batch, side, channels } = this.#sizes;
    expectOk('pool', this.#kernels.an_pool_forward(y.ptr, x.ptr, batch, side, side, channels));
  }

  /**
   * @param {Values} dx
   * @param {Values} dy
   */
  backward(dx, dy) {
    const { batch, side, channels } = this.#sizes;
    expectOk('pool', this.#kernels.an_pool_backward(dx.ptr, dy.ptr, batch, side, side, channels));
  }
}
