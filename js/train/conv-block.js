/** @import { Context, Values } from './context.js' */
/** @import { ImageNormKind, ImageNormSettings } from './image-norm.js' */
/** @import { ImageSizes } from './images.js' */
import { ACTIVATIONS } from './activation.js';
import { Convolution } from './convolution.js';
import { imageNorm } from './image-norm.js';
import { lengthOf } from './images.js';
import { Pool } from './pool.js';

/** Convolution, norm, ReLU and pooling: half the side, other channels. */
export class ConvBlock {
  #convolution;
  #norm;
  #relu;
  #pool;
  /** What the norm gets. */
  #convolved;
  /** Behind the ReLU; without a norm it is done in place. */
  #activated;
  #gradient;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {ImageSizes & ImageNormSettings & { outputs: number, norm: ImageNormKind }} settings
   *   `outputs`: channels of y
   */
  constructor(context, name, settings) {
    const { batch, side, outputs, norm } = settings;
    const inside = { batch, side, channels: outputs };
    const length = lengthOf(inside);
    const hasBias = norm === 'none';
    this.#convolution = new Convolution(context, `${name}.convolution`, { ...settings, hasBias });
    this.#norm = imageNorm(context, norm, `${name}.norm`, { ...settings, ...inside });
    this.#relu = new ACTIVATIONS.relu(context);
    this.#pool = new Pool(context, inside);
    this.#convolved = context.arena.floats(length);
    this.#activated = this.#norm === undefined ? this.#convolved : context.arena.floats(length);
    this.#gradient = context.shared('block', length);
  }

  /**
   * @param {Values} y  [batch][side / 2][side / 2][outputs]
   * @param {Values} x
   * @param {boolean} isTraining
   */
  forward(y, x, isTraining) {
    const norm = this.#norm;
    const convolved = this.#convolved;
    const activated = this.#activated;
    this.#convolution.forward(convolved, x);
    if (isTraining) norm?.forward(activated, convolved);
    else norm?.infer(activated, convolved);
    this.#relu.forward(activated, activated);
    this.#pool.forward(y, activated);
  }

  /**
   * Backward of a forward in training.
   *
   * @param {Values | undefined} dx  left out: not wanted
   * @param {Values} dy
   */
  backward(dx, dy) {
    const gradient = this.#gradient;
    this.#pool.backward(gradient, dy);
    this.#relu.backward(gradient, gradient, this.#activated);
    this.#norm?.backward(gradient, gradient, this.#convolved);
    this.#convolution.backward(dx, gradient);
  }
}
