/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Tensor } from '../tensor.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { Convention } from './conventions.js' */
/** @import { ForwardOptions } from './layer.js' */
/** @import { Moments } from './moments.js' */
import { expectChoice, expectCount, expectEps, expectFlag, expectOptions } from '../check.js';
import { channelOptions, expectFeatures } from './channels.js';
import { CONVENTIONS, expectConvention, KEYS, toMomentum } from './conventions.js';
import { Layer } from './layer.js';
import { countEntry } from './state.js';

/**
 * @typedef {object} BatchNormLayerSettings
 * @property {Convention} [convention]  'torch' (default), 'keras' or 'onnx': the defaults of the
 *   three options below, and what `momentum` weighs
 * @property {number} [eps]  added to the variance; default 1e-5, with 'keras' 1e-3
 * @property {number | null} [momentum]  weight of the new batch in the running statistics, default
 *   0.1; with 'keras' (0.99) and 'onnx' (0.9) the weight of the old ones. null: cumulative average
 * @property {'unbiased' | 'biased'} [runningVar]  'unbiased' (default, but with 'keras' and
 *   'onnx'): the variance that enters the running one is divided by n - 1. 'biased': by n
 * @property {boolean} [affine]  whether there are weight and bias; default true
 * @property {boolean} [trackRunningStats]  default true; false: none, and eval, too, takes the
 *   batch's statistics
 */

/** @typedef {BatchNormLayerSettings & ChannelOptions} BatchNormLayerOptions */

const OPTIONS = new Set([
  ...['convention', 'eps', 'momentum', 'runningVar', 'affine', 'trackRunningStats'],
  ...['layout', 'channelAxis'],
]);
const FORWARD_OPTIONS = new Set(['shape', 'out', 'mask', 'lengths']);

/**
 * BatchNorm with its weight (ones at first), bias (zeros) and running statistics (0 and 1), as
 * torch.nn.BatchNorm1d to 3d: each channel over batch and space.
 *
 *     y = (x - mean) / sqrt(variance + eps) * weight[c] + bias[c]
 *
 * In training mean and variance are those of the batch; after eval() they are the running ones,
 * which are constants then, in backward, too.
 */
export class BatchNorm extends Layer {
  /** @type {Tensor | null} */
  runningMean = null;
  /** @type {Tensor | null} */
  runningVar = null;
  /** Batches that the running statistics have seen. */
  numBatchesTracked = 0;
  /** Channels whose running statistics the last forward left alone: x was not finite there. */
  skippedChannels = 0;
  /** @type {number | null} */
  #momentum;
  /** Channels. */
  numFeatures;
  #runningVarEstimate;

  /**
   * @param {AxisNorm} an  what load() gives
   * @param {number} numFeatures  channels
   * @param {BatchNormLayerOptions} [options]
   */
  constructor(an, numFeatures, options = {}) {
    super(an, 'BatchNorm', 'batchNorm');
    expectOptions('BatchNorm', options, OPTIONS);
    const { convention = 'torch', affine = true, trackRunningStats = true } = options;
    expectConvention(convention);
    const defaults = CONVENTIONS[convention];
    const { eps = defaults.eps, momentum = defaults.momentum } = options;
    const { runningVar = defaults.runningVar } = options;
    expectCount('numFeatures', numFeatures);
    expectEps(eps);
    expectChoice('runningVar', runningVar, ['unbiased', 'biased']);
    expectFlag('affine', affine);
    expectFlag('trackRunningStats', trackRunningStats);
    this.#momentum = toMomentum(momentum, convention);
    this.numFeatures = numFeatures;
    this.own = { eps, ...channelOptions(options) };
    this.#runningVarEstimate = runningVar;
    if (affine) this.addParameter('weight', KEYS.weight, [numFeatures], 1);
    if (affine) this.addParameter('bias', KEYS.bias, [numFeatures], 0);
    if (trackRunningStats) this.#addRunningStatistics();
  }

  /**
   * Weight of the new batch, whatever the convention; null for the cumulative average.
   *
   * @type {number | null}
   */
  get momentum() {
    return this.#momentum;
  }

  set momentum(momentum) {
    this.#momentum = toMomentum(momentum, 'torch');
  }

  /**
   * Whether the next forward takes the statistics of the batch.
   *
   * @internal
   */
  get isOfBatch() {
    return this.training || this.runningMean === null;
  }

  /**
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or as the layout says
   * @param {ForwardOptions<O> & MaskOptions} [options]
   * @returns {NoInfer<O>} y, shaped as x
   * @throws {RangeError} also for a single value per channel in training, which has no variance
   */
  forward(x, options = {}) {
    expectFeatures(this.numFeatures, x, options, this.own);
    const result = this.normalize(x, options, FORWARD_OPTIONS, this.#optionsOfMode());
    if (this.training) this.#count(result.count, result.skippedChannels);
    else this.skippedChannels = 0;
    return result.y;
  }

  /**
   * Takes a batch whose moments were found elsewhere into the running statistics.
   *
   * @internal
   * @param {Moments} moments
   */
  track(moments) {
    const { runningMean, runningVar } = this;
    if (runningMean === null || runningVar === null) return;
    const weight = this.momentum ?? 1 / (this.numBatchesTracked + 1);
    const variance = moments.variance(this.#runningVarEstimate);
    let skipped = 0;
    for (let c = 0; moments.n > 0 && c < this.numFeatures; c += 1) {
      const mean = Math.fround((1 - weight) * runningMean.data[c] + weight * moments.mean[c]);
      const spread = Math.fround((1 - weight) * runningVar.data[c] + weight * variance[c]);
      if (Number.isFinite(mean) && Number.isFinite(spread)) {
        runningMean.data[c] = mean;
        runningVar.data[c] = spread;
      } else {
        skipped += 1;
      }
    }
    this.#count(moments.n, skipped);
  }

  /**
   * @param {number} count  values of a channel
   * @param {number} skipped  channels
   */
  #count(count, skipped) {
    this.skippedChannels = skipped;
    const isSeen = count > 0 && skipped < this.numFeatures;
    if (isSeen && this.runningMean !== null) this.numBatchesTracked += 1;
  }

  #optionsOfMode() {
    const { runningMean, runningVar, momentum, numBatchesTracked } = this;
    if (runningMean === null || runningVar === null) return { training: true };
    if (!this.training) return { training: false, runningMean, runningVar };
    const runningVarEstimate = this.#runningVarEstimate;
    const running = { runningMean, runningVar, runningVarEstimate };
    return { training: true, ...running, momentum, numBatchesTracked };
  }

  #addRunningStatistics() {
    const shape = [this.numFeatures];
    this.runningMean = this.addTensor(KEYS.runningMean, shape, 0);
    this.runningVar = this.addTensor(KEYS.runningVar, shape, 1);
    const get = () => this.numBatchesTracked;
    const set = (/** @type {number} */ count) => {
      this.numBatchesTracked = count;
    };
    this.addEntry(countEntry(KEYS.numBatchesTracked, get, set));
  }
}
