/** Norms of images, channels last. All of them have one gamma and one beta a channel. */

/** @import { Context, Values } from './context.js' */
/** @import { ImageSizes } from './images.js' */
import { DEFAULT_EPS } from '../check.js';
import { CHANNELS_LAST } from '../flags.js';
import { expectOk } from '../status.js';
import { constant } from './init.js';

/**
 * @typedef {object} ImageNorm
 * @property {(y: Values, x: Values) => void} forward  in training; y may be x
 * @property {(y: Values, x: Values) => void} infer  in inference; y may be x
 * @property {(dx: Values, dy: Values, x: Values) => void} backward  of forward(); dx may be dy
 */

/**
 * @typedef {object} ImageNormSettings
 * @property {number} groupSize  channels of a group of GroupNorm
 * @property {number} momentum  weight of a batch in the running statistics of BatchNorm
 */

/**
 * BatchNorm: each channel over the batch and all pixels. In inference with the running statistics,
 * which begin as mean 0 and variance 1.
 */
class BatchNorm {
  #kernels;
  #rows;
  #channels;
  #momentum;
  #gamma;
  #beta;
  #mean;
  #rstd;
  #runningMean;
  #runningVar;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {ImageSizes & ImageNormSettings} settings
   */
  constructor({ kernels, arena, parameters }, name, { batch, side, channels, momentum }) {
    this.#kernels = kernels;
    this.#rows = batch * side * side;
    this.#channels = channels;
    this.#momentum = momentum;
    this.#gamma = parameters.add(`${name}.gamma`, [channels], constant(1));
    this.#beta = parameters.add(`${name}.beta`, [channels], constant(0));
    this.#mean = arena.floats(channels);
    this.#rstd = arena.floats(channels);
    this.#runningMean = arena.floats(channels);
    this.#runningVar = arena.floats(channels);
    this.#runningVar.data.fill(1);
  }

  /**
   * Brings the running statistics up to date as well.
   *
   * @param {Values} y
   * @param {Values} x
   */
  forward(y, x) {
    expectOk(
      'batchNorm',
      this.#kernels.an_batch_norm_forward_training(
        y.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        this.#runningMean.ptr,
        this.#runningVar.ptr,
        0,
        x.ptr,
        this.#gamma.ptr,
        this.#beta.ptr,
        this.#rows,
        this.#channels,
        1,
        DEFAULT_EPS,
        this.#momentum,
        0,
      ),
    );
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  infer(y, x) {
    expectOk(
      'batchNorm',
      this.#kernels.an_batch_norm_forward_inference(
        y.ptr,
        x.ptr,
        this.#runningMean.ptr,
        this.#runningVar.ptr,
        this.#gamma.ptr,
        this.#beta.ptr,
        this.#rows,
        this.#channels,
        1,
        DEFAULT_EPS,
        0,
      ),
    );
  }

  /**
   * @param {Values} dx
   * @param {Values} dy
   * @param {Values} x
   */
  backward(dx, dy, x) {
    expectOk(
      'batchNorm',
      this.#kernels.an_batch_norm_backward_training(
        dx.ptr,
        this.#gamma.gradientPtr,
        this.#beta.gradientPtr,
        dy.ptr,
        x.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        this.#gamma.ptr,
        this.#rows,
        this.#channels,
        1,
        DEFAULT_EPS,
        0,
      ),
    );
  }
}

/** GroupNorm: each group of channels of each image over all pixels, in training as in inference. */
class GroupNorm {
  #kernels;
  #batch;
  #channels;
  #pixels;
  #groups;
  #gamma;
  #beta;
  #mean;
  #rstd;
  #workspace;

  /**
   * @param {Context} context
   * @param {string} name
   * @param {ImageSizes & ImageNormSettings} settings
   */
  constructor({ kernels, arena, parameters }, name, { batch, side, channels, groupSize }) {
    this.#kernels = kernels;
    this.#batch = batch;
    this.#channels = channels;
    this.#pixels = side * side;
    this.#groups = channels / groupSize;
    this.#gamma = parameters.add(`${name}.gamma`, [channels], constant(1));
    this.#beta = parameters.add(`${name}.beta`, [channels], constant(0));
    this.#mean = arena.floats(batch * this.#groups);
    this.#rstd = arena.floats(batch * this.#groups);
    this.#workspace = arena.floats(kernels.an_workspace_size(channels) / 4);
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  forward(y, x) {
    expectOk(
      'groupNorm',
      this.#kernels.an_group_norm_forward(
        y.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        x.ptr,
        this.#gamma.ptr,
        this.#beta.ptr,
        this.#batch,
        this.#channels,
        this.#pixels,
        this.#groups,
        DEFAULT_EPS,
        CHANNELS_LAST,
      ),
    );
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  infer(y, x) {
    this.forward(y, x);
  }

  /**
   * @param {Values} dx
   * @param {Values} dy
   * @param {Values} x
   */
  backward(dx, dy, x) {
    expectOk(
      'groupNorm',
      this.#kernels.an_group_norm_backward(
        dx.ptr,
        this.#gamma.gradientPtr,
        this.#beta.gradientPtr,
        dy.ptr,
        x.ptr,
        this.#mean.ptr,
        this.#rstd.ptr,
        this.#gamma.ptr,
        this.#workspace.ptr,
        this.#batch,
        this.#channels,
        this.#pixels,
        this.#groups,
        DEFAULT_EPS,
        CHANNELS_LAST,
      ),
    );
  }
}

/** @typedef {(context: Context, name: string, settings: ImageSizes & ImageNormSettings) => ImageNorm} MakeImageNorm */

/**
 * 'layer' takes the statistics of LayerNorm over channels and pixels, as Wu & He (2018) do, with the
 * parameters of GroupNorm: it is one group.
 *
 * @type {Readonly<Record<'batch' | 'group' | 'layer', MakeImageNorm>>}
 */
const MAKERS = Object.freeze({
  batch: (context, name, settings) => new BatchNorm(context, name, settings),
  group: (context, name, settings) => new GroupNorm(context, name, settings),
  layer: (context, name, settings) =>
    new GroupNorm(context, name, { ...settings, groupSize: settings.channels }),
});

/** @typedef {'batch' | 'group' | 'layer' | 'none'} ImageNormKind */

/** @type {readonly ImageNormKind[]} */
export const IMAGE_NORMS = Object.freeze(['batch', 'group', 'layer', 'none']);

/**
 * @param {Context} context
 * @param {ImageNormKind} kind
 * @param {string} name
 * @param {ImageSizes & ImageNormSettings} settings
 * @returns {ImageNorm | undefined} nothing where there is no norm
 */
export const imageNorm = (context, kind, name, settings) =>
  kind === 'none' ? undefined : MAKERS[kind](context, name, settings);
