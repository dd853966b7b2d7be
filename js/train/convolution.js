/** @import { Context, Values } from './context.js' */
/** @import { ImageSizes } from './images.js' */
import { expectOk } from '../status.js';
import { constant, he } from './init.js';

/** Values under the window of a convolution. */
const WINDOW = 9;

/**
 * A convolution of 3 x 3 with zeros beyond the edges, channels last: what lies under the window is
 * laid out as a row, so that it is one matrix product.
 */
export class Convolution {
  #kernels;
  #weight;
  #bias;
  #sizes;
  #rows;
  #inputs;
  #outputs;
  /** What forward() has laid out, [rows][9 * channels]; the gradient of the weights needs it. */
  #unfolded;
  #dunfolded;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {ImageSizes & { outputs: number, hasBias: boolean }} settings  `outputs`: channels of y;
   *   no bias where what follows has one
   */
  constructor(context, name, { batch, side, channels, outputs, hasBias }) {
    const { kernels, arena, parameters } = context;
    const inputs = WINDOW * channels;
    this.#kernels = kernels;
    this.#sizes = { batch, side, channels };
    this.#rows = batch * side * side;
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.#weight = parameters.add(`${name}.weight`, [inputs, outputs], he(inputs));
    this.#bias = hasBias ? parameters.add(`${name}.bias`, [outputs], constant(0)) : undefined;
    this.#unfolded = arena.floats(this.#rows * inputs);
    this.#dunfolded = context.shared('unfolded', this.#rows * inputs);
  }

  /**
   * @param {Values} y  [batch][side][side][outputs]
   * @param {Values} x  [batch][side][side][channels]
   */
  forward(y, x) {
    const { batch, side, channels } = this.#sizes;
    const rows = this.#rows;
    const outputs = this.#outputs;
    const kernels = this.#kernels;
    const unfolded = this.#unfolded.ptr;
    const bias = this.#bias;
    expectOk(
      'convolution',
      kernels.an_unfold_forward(unfolded, x.ptr, batch, side, side, channels),
    );
    expectOk(
      'convolution',
      kernels.an_matmul_nn(y.ptr, unfolded, this.#weight.ptr, rows, outputs, this.#inputs, 0),
    );
    if (bias === undefined) return;
    expectOk('convolution', kernels.an_bias_forward(y.ptr, y.ptr, bias.ptr, rows, outputs));
  }

  /**
   * Writes the gradients of weight and bias as well.
   *
   * @param {Values | undefined} dx  left out: not wanted
   * @param {Values} dy
   */
  backward(dx, dy) {
    const { batch, side, channels } = this.#sizes;
    const rows = this.#rows;
    const inputs = this.#inputs;
    const outputs = this.#outputs;
    const kernels = this.#kernels;
    const unfolded = this.#unfolded.ptr;
    const weight = this.#weight;
    const bias = this.#bias;
    expectOk(
      'convolution',
      kernels.an_matmul_tn(weight.gradientPtr, unfolded, dy.ptr, inputs, outputs, rows, 0),
    );
    if (bias !== undefined) {
      expectOk('convolution', kernels.an_bias_backward(bias.gradientPtr, dy.ptr, rows, outputs, 0));
    }
    if (dx === undefined) return;
    const dunfolded = this.#dunfolded.ptr;
    expectOk(
      'convolution',
      kernels.an_matmul_nt(dunfolded, dy.ptr, weight.ptr, rows, inputs, outputs, 0),
    );
    expectOk(
      'convolution',
      kernels.an_unfold_backward(dx.ptr, dunfolded, batch, side, side, channels),
    );
  }
}
