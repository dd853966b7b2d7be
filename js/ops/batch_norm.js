/** @import { Block } from '../block.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Runtime } from '../runtime.js' */
/** @import { Operand, OutOption, ResultOf } from '../types.js' */
import { ABSENT } from '../block.js';
import { Call } from '../call.js';
import {
  DEFAULT_EPS,
  describe,
  expectCount,
  expectEps,
  expectFlag,
  expectNumber,
  outOfRange,
} from '../check.js';
import { BIASED_RUNNING, backwardFlags, exactFlag } from '../flags.js';
import { Gradients } from '../gradients.js';
import { aroundKept, shapeWithChannels, toChannelAxis } from '../layout.js';
import { withMask } from '../mask.js';
import { forwardOutputs, inferenceOutput, ONLY_Y, WITH_STATISTICS } from '../outputs.js';
import { format } from '../shape.js';
import { ERR_VARIANCE } from '../status.js';

/**
 * @typedef {object} BatchNormSettings
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {Operand} [gamma]  scale, [channels]; ones if left out
 * @property {Operand} [beta]  shift, [channels]; zeros if left out
 * @property {number} [eps]  added to the variance, in units of x squared; finite and >= 0. Default
 *   1e-5 as in PyTorch and ONNX; Keras has 1e-3
 * @property {boolean} [exact]  float64 throughout, rounded once at the end; default false
 */

/**
 * @typedef {object} RunningStatistics
 * @property {Operand} runningMean  [channels], in units of x
 * @property {Operand} runningVar  [channels], in units of x squared; each finite and >= 0
 */

/**
 * @template O
 * @typedef {BatchNormSettings & RunningStatistics & ChannelOptions & MaskOptions
 *   & OutOption<O>} BatchNormOptions
 */

/**
 * @template {boolean} T
 * @typedef {object} BatchNormTrainingSettings
 * @property {T} [training]  true (default): normalizes with the statistics of the batch. false: with
 *   the running statistics, which are then constants
 * @property {number | null} [momentum]  weight of the new batch, 0 to 1. Default 0.1 as in PyTorch.
 *   Keras' 0.99 and ONNX' 0.9 weight the old value: pass 1 minus them. null: cumulative average
 * @property {number} [numBatchesTracked]  batches before this one; only momentum null needs it
 * @property {'unbiased' | 'biased'} [runningVarEstimate]  'unbiased' (default): runningVar takes
 *   the variance divided by n - 1, as in PyTorch. 'biased': by n, as in Keras and ONNX. y always
 *   takes that divided by n
 * @property {{ y?: Operand, mean?: Operand, rstd?: Operand }} [out]  where results are written; y
 *   may be x itself
 */

/**
 * @template {boolean} T
 * @typedef {BatchNormSettings & Partial<RunningStatistics> & ChannelOptions & MaskOptions
 *   & BatchNormTrainingSettings<T>} BatchNormForwardOptions
 */

/**
 * @template R
 * @typedef {object} BatchNormTrainingResult
 * @property {R} y  shaped as x
 * @property {R} mean  [channels], of the batch, in units of x
 * @property {R} rstd  [channels], 1 / sqrt(variance of the batch + eps)
 * @property {number} count  values of a channel
 * @property {number} skippedChannels  channels whose running statistics were left as they were,
 *   because a NaN or an infinity in x would have spoiled them
 * @property {true} training
 * @property {number} eps
 * @property {number} channelAxis
 * @property {readonly number[]} shape
 * @property {MaskOptions['mask']} [mask]  as given
 * @property {MaskOptions['lengths']} [lengths]  as given
 */

/**
 * @template R
 * @typedef {object} BatchNormInferenceResult
 * @property {R} y  shaped as x
 * @property {Operand} runningMean  as given
 * @property {Operand} runningVar  as given
 * @property {false} training
 * @property {number} eps
 * @property {number} channelAxis
 * @property {readonly number[]} shape
 * @property {MaskOptions['mask']} [mask]  as given
 * @property {MaskOptions['lengths']} [lengths]  as given
 */

/**
 * @template R
 * @template {boolean} T
 * @typedef {T extends false ? BatchNormInferenceResult<R> : BatchNormTrainingResult<R>
 *   } BatchNormForwardResult
 */

/**
 * @template {'dx' | 'dgamma' | 'dbeta'} K
 * @typedef {object} BatchNormBackwardSettings
 * @property {Operand} [x]  that of the forward call; without training only dgamma needs it
 * @property {boolean} [training]  that of the forward call, default true
 * @property {Operand} [mean]  [channels], from forward with training
 * @property {Operand} [rstd]  [channels], from forward with training
 * @property {Operand} [runningMean]  [channels], without training
 * @property {Operand} [runningVar]  [channels], without training
 * @property {Operand} [gamma]  that of the forward call
 * @property {number} [eps]  that of the forward call, default 1e-5
 * @property {number | ArrayLike<number>} [shape]  that of the forward call, where dy is flat
 * @property {unknown} [y]  forward's result is passed as a whole; y is not used
 * @property {unknown} [beta]  nor is beta
 * @property {unknown} [count]  nor are the number of values
 * @property {unknown} [skippedChannels]  and of skipped channels
 * @property {readonly K[]} [outputs]  the gradients to compute; all if left out
 * @property {{ dx?: Operand, dgamma?: Operand, dbeta?: Operand }} [out]  where they are written; dx
 *   may be dy or x itself
 * @property {boolean} [accumulate]  add to out.dgamma and out.dbeta instead of overwriting
 *   them; default false
 * @property {boolean} [exact]  float64 throughout, default false; takes mean and rstd from x
 *   again
 */

/** @typedef {ReturnType<typeof batchNorm>} BatchNorm */

const RUNNING = ['runningMean', 'runningVar'];
const INPUTS = [
  ...['shape', 'layout', 'channelAxis', 'mask', 'lengths'],
  ...['gamma', 'beta', 'eps', 'exact', 'out'],
];
const OPTIONS = new Set([...INPUTS, ...RUNNING]);
const FORWARD_OPTIONS = new Set([
  ...[...OPTIONS, 'training', 'momentum', 'numBatchesTracked', 'runningVarEstimate'],
]);
const BACKWARD_OPTIONS = new Set([
  ...[...OPTIONS, 'training', 'x', 'y', 'mean', 'rstd', 'count', 'skippedChannels'],
  ...['outputs', 'accumulate'],
]);
const GRADIENTS = new Set(['dx', 'dgamma', 'dbeta']);
const FROM_FORWARD = ' (batchNorm.forward returns it)';
const FOR_INFERENCE = ' (without training they are what x is normalized with)';
const FOR_DGAMMA = " (dgamma needs it; outputs: ['dx', 'dbeta'] does not)";

/** @param {Runtime} runtime */
export function batchNorm(runtime) {
  const { kernels, heap } = runtime;

  /**
   * Hands the kernel's status on, but says which running variance it has refused.
   *
   * @param {Call} call
   * @param {number} status
   * @param {Block} runningVar
   */
  function done(call, status, { ptr, length }) {
    if (status !== ERR_VARIANCE) return call.done(status);
    const values = heap.floats.subarray(ptr / 4, ptr / 4 + length);
    const channel = values.findIndex((value) => !(value >= 0 && value < Infinity));
    const found = `${values[channel]} in channel ${channel}`;
    return call.fail(outOfRange('runningVar', 'finite values >= 0', found));
  }

  /**
   * Inference, up to the values of y.
   *
   * @param {Call} call
   * @param {Forward} pass
   * @param {any} options
   * @param {Block} y
   */
  function runInference(call, pass, { runningMean, runningVar }, y) {
    const { input, packing, gamma, beta, outer, channels, inner, eps, flags } = pass;
    const mean = call.input('runningMean', runningMean, channels, FOR_INFERENCE);
    const variance = call.input('runningVar', runningVar, channels, FOR_INFERENCE);
    const from = call.packed(input, packing);
    const to = call.unpacked(y, packing, [], [mean, variance, gamma, beta]);
    call.place();
    const status = kernels.an_batch_norm_forward_inference(
      to.ptr,
      from.ptr,
      mean.ptr,
      variance.ptr,
      gamma.ptr,
      beta.ptr,
      outer,
      channels,
      inner,
      eps,
      flags,
    );
    done(call, status, variance);
  }

  /**
   * The forward pass without training.
   *
   * @param {Call} call
   * @param {Forward} pass
   * @param {any} options
   */
  function forwardInference(call, pass, options) {
    const { runningMean, runningVar, out } = options;
    const { y } = forwardOutputs(call, pass.input, out, 0, ONLY_Y);
    runInference(call, pass, options, y);
    const { eps, shape, channelAxis } = pass;
    const result = {
      y: y.value,
      runningMean,
      runningVar,
      training: false,
      eps,
      shape,
      channelAxis,
    };
    return withMask(result, options);
  }

  /**
   * The forward pass with training.
   *
   * @param {Call} call
   * @param {Forward} pass
   * @param {any} options
   */
  function forwardTraining(call, pass, options) {
    const { input, packing, shape, channelAxis, gamma, beta } = pass;
    const { outer, channels, inner, eps, flags } = pass;
    expectVariance(pass);
    const running = readRunning(call, options, channels);
    const momentum = weightOfBatch(options);
    const biased = biasedFlag(options.runningVarEstimate);
    const { y, mean, rstd } = forwardOutputs(call, input, options.out, channels, WITH_STATISTICS);
    const skipped = call.memory(4);
    const from = call.packed(input, packing);
    const outputs = [mean, rstd, running.mean, running.variance];
    const to = call.unpacked(y, packing, outputs, [gamma, beta]);
    call.place();
    const status = kernels.an_batch_norm_forward_training(
      to.ptr,
      mean.ptr,
      rstd.ptr,
      running.mean.ptr,
      running.variance.ptr,
      skipped.ptr,
      from.ptr,
      gamma.ptr,
      beta.ptr,
      outer,
      channels,
      inner,
      eps,
      momentum,
      flags | biased,
    );
    const skippedChannels = heap.words[skipped.ptr / 4];
    done(call, status, running.variance);
    // Not spread into one another, which takes engines longer than the rest of the call.
    const result = {
      y: y.value,
      mean: mean.value,
      rstd: rstd.value,
      count: outer * inner,
      skippedChannels,
      training: true,
      eps,
      shape,
      channelAxis,
    };
    return withMask(result, options);
  }

  /**
   * BatchNorm in inference: normalizes each channel with its running statistics, which are
   * constants.
   *
   *     y = (x - runningMean[c]) / sqrt(runningVar[c] + eps) * gamma[c] + beta[c]
   *
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or another layout
   * @param {BatchNormOptions<O>} options
   * @returns {NoInfer<O>} y, shaped as x: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Ioffe & Szegedy 2015, https://arxiv.org/abs/1502.03167
   */
  function infer(x, options) {
    const call = new Call(runtime, 'batchNorm', options, OPTIONS);
    const pass = readForward(call, x, options);
    const { y } = inferenceOutput(call, pass.input, options.out);
    runInference(call, pass, options, y);
    return y.value;
  }

  return Object.assign(infer, {
    /**
     * BatchNorm in training: normalizes each channel over batch and space, and updates the running
     * statistics in place where they are given.
     *
     *     y           = (x - mean[c]) * rstd[c] * gamma[c] + beta[c]
     *     runningMean = (1 - momentum) * runningMean + momentum * mean
     *     runningVar  = (1 - momentum) * runningVar  + momentum * variance * n / (n - 1)
     *
     * `mean` and `rstd = 1 / sqrt(variance + eps)` are those of the n values of the channel, with
     * the biased variance. A batch of no values leaves the running statistics as they are.
     *
     * @template {Operand} X
     * @template {boolean} [T=true]
     * @param {X} x  [batch][channels][...spatial], or another layout
     * @param {BatchNormForwardOptions<T>} [options]
     * @returns {BatchNormForwardResult<ResultOf<X>, T>}
     * @throws {RangeError} also for a single value per channel in training, which has no variance
     */
    forward(x, options = {}) {
      const call = new Call(runtime, 'batchNorm.forward', options, FORWARD_OPTIONS);
      const { training = true } = options;
      expectFlag('training', training);
      const pass = readForward(call, x, options);
      return /** @type {any} */ (
        training ? forwardTraining(call, pass, options) : forwardInference(call, pass, options)
      );
    },

    /**
     * Gradients of BatchNorm. With g = dy * gamma, xhat = (x - mean) * rstd and means over a
     * channel:
     *
     *     dx        = rstd * (g - mean(g) - xhat * mean(g * xhat))
     *     dgamma[c] = sum dy * xhat
     *     dbeta[c]  = sum dy
     *
     * Without training, mean and rstd are those of the running statistics and `dx = g * rstd`. As
     * in `const f = forward(x, { gamma, beta }); backward(dy, { ...f, x, gamma })`.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgamma' | 'dbeta'} [K='dx' | 'dgamma' | 'dbeta']
     * @param {D} dy  gradient of the loss with respect to y, shaped as x
     * @param {BatchNormBackwardSettings<K> & ChannelOptions & MaskOptions} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as x; dgamma, dbeta: [channels]
     */
    backward(dy, options = {}) {
      const call = new Call(runtime, 'batchNorm.backward', options, BACKWARD_OPTIONS);
      const { training = true, gamma, eps = DEFAULT_EPS, out = {} } = options;
      expectFlag('training', training);
      const upstream = call.main('dy', dy, options.shape);
      const shape = shapeWithChannels('dy', upstream);
      const around = aroundKept(options, shape, toChannelAxis(shape, options));
      const { outer, channels, inner, packing } = around;
      const gradients = new Gradients(call, options, GRADIENTS);
      const input = readInput(call, options, upstream, training || gradients.wants('dgamma'));
      const { center, spread } = readStatistics(call, options, channels, training);
      const g = call.optional('gamma', gamma, channels);
      expectEps(eps);
      const flags = backwardFlags(options);
      const dx = gradients.ofInput(out.dx, upstream);
      const dgamma = gradients.ofParameter('dgamma', out.dgamma, channels);
      const dbeta = gradients.ofParameter('dbeta', out.dbeta, channels);
      const dyFrom = call.packed(upstream, packing);
      const xFrom = call.packed(input, packing);
      const to = call.unpacked(dx, packing, [dgamma, dbeta], [center, spread, g]);
      call.place();
      const kernel = training
        ? kernels.an_batch_norm_backward_training
        : kernels.an_batch_norm_backward_inference;
      const status = kernel(
        to.ptr,
        dgamma.ptr,
        dbeta.ptr,
        dyFrom.ptr,
        xFrom.ptr,
        center.ptr,
        spread.ptr,
        g.ptr,
        outer,
        channels,
        inner,
        eps,
        flags,
      );
      done(call, status, spread);
      return gradients.pick({ dx: dx.value, dgamma: dgamma.value, dbeta: dbeta.value });
    },
  });
}

/** @typedef {ReturnType<typeof readForward>} Forward */

/**
 * What both forward passes take.
 *
 * @param {Call} call
 * @param {unknown} x
 * @param {any} options
 */
function readForward(call, x, options) {
  const { eps = DEFAULT_EPS, exact } = options;
  const input = call.main('x', x, options.shape);
  const shape = shapeWithChannels('x', input);
  const channelAxis = toChannelAxis(shape, options);
  const { outer, channels, inner, packing } = aroundKept(options, shape, channelAxis);
  const gamma = call.optional('gamma', options.gamma, channels);
  const beta = call.optional('beta', options.beta, channels);
  expectEps(eps);
  const flags = exactFlag(exact);
  return { input, shape, channelAxis, outer, channels, inner, packing, gamma, beta, eps, flags };
}

/** @param {Forward} pass */
function expectVariance({ outer, inner, shape, packing }) {
  if (outer * inner !== 1) return;
  const got = packing === null ? `shape ${format(shape)}` : 'a mask that keeps 1';
  throw outOfRange('x', 'more than 1 value per channel when training', got);
}

/**
 * Both running statistics or neither.
 *
 * @param {Call} call
 * @param {any} options
 * @param {number} channels
 */
function readRunning(call, { runningMean, runningVar }, channels) {
  if (runningMean === undefined && runningVar === undefined) {
    return { mean: ABSENT, variance: ABSENT };
  }
  return {
    mean: call.updated('runningMean', runningMean, channels, ' (runningVar is given)'),
    variance: call.updated('runningVar', runningVar, channels, ' (runningMean is given)'),
  };
}

/**
 * Weight of this batch in the running statistics.
 *
 * @param {any} options
 */
function weightOfBatch({ momentum = 0.1, numBatchesTracked, runningMean }) {
  if (momentum !== null) {
    expectNumber('momentum', momentum, 0, 1, 'a number from 0 to 1, or null');
    return momentum;
  }
  if (runningMean === undefined) return 0;
  expectCount('numBatchesTracked', numBatchesTracked, 0);
  return 1 / (numBatchesTracked + 1);
}

/** @param {unknown} estimate */
function biasedFlag(estimate = 'unbiased') {
  if (estimate === 'biased') return BIASED_RUNNING;
  if (estimate === 'unbiased') return 0;
  throw outOfRange('runningVarEstimate', "'unbiased' or 'biased'", describe(estimate));
}

/**
 * @param {Call} call
 * @param {any} options
 * @param {Block} upstream
 * @param {boolean} isNeeded
 */
function readInput(call, { training, x }, upstream, isNeeded) {
  if (x === undefined && !isNeeded) return ABSENT;
  return call.inputLike('x', x, upstream, training === false ? FOR_DGAMMA : undefined);
}

/**
 * Those of the batch, or the running ones.
 *
 * @param {Call} call
 * @param {any} options
 * @param {number} channels
 * @param {boolean} training
 */
function readStatistics(call, { mean, rstd, runningMean, runningVar }, channels, training) {
  if (training) {
    return {
      center: call.input('mean', mean, channels, FROM_FORWARD),
      spread: call.input('rstd', rstd, channels, FROM_FORWARD),
    };
  }
  return {
    center: call.input('runningMean', runningMean, channels, FOR_INFERENCE),
    spread: call.input('runningVar', runningVar, channels, FOR_INFERENCE),
  };
}
