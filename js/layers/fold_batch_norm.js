/** @import { Operand } from '../types.js' */
import { DEFAULT_EPS, expectEps, expectOptions, outOfRange } from '../check.js';
import { sizeOf, toAxis } from '../shape.js';
import { inverseRoot, orConstant, readChannel, readShaped } from './channels.js';

/**
 * @typedef {object} FoldBatchNormOptions
 * @property {Operand} weight  of the convolution or linear layer whose output BatchNorm takes
 * @property {number | ArrayLike<number>} [shape]  shape of weight, where it is flat
 * @property {number} [outAxis]  axis of the output channels in weight. Default 0, as PyTorch's
 *   Linear and Conv and ONNX' Conv have it; Keras: -1; ConvTranspose of PyTorch: 1
 * @property {Operand} [bias]  of that layer, [channels]; zeros if left out
 * @property {Operand} [gamma]  of BatchNorm, [channels]; ones if left out
 * @property {Operand} [beta]  zeros if left out
 * @property {Operand} runningMean  [channels]
 * @property {Operand} runningVar  [channels]
 * @property {number} [eps]  default 1e-5; Keras has 1e-3
 */

/**
 * @typedef {object} FoldedWeights
 * @property {Float32Array} weight  as long as the one given
 * @property {Float32Array} bias  [channels]
 */

const OPTIONS = new Set([
  ...['weight', 'shape', 'outAxis', 'bias'],
  ...['gamma', 'beta', 'runningMean', 'runningVar', 'eps'],
]);

/**
 * One linear layer or convolution that does what it and the BatchNorm behind it do in inference, so
 * that BatchNorm costs nothing. In float64, each value rounded once:
 *
 *     scale   = gamma / sqrt(runningVar + eps)          0 where that would be gamma / 0
 *     weight' = weight * scale                          by output channel
 *     bias'   = (bias - runningMean) * scale + beta
 *
 * The layer has to be linear up to BatchNorm: no activation may stand between them.
 *
 * @param {FoldBatchNormOptions} options
 * @returns {FoldedWeights}
 * @throws {RangeError} a length, shape or value that does not fit
 */
export function foldBatchNorm(options) {
  expectOptions('foldBatchNorm', options, OPTIONS);
  const { outAxis = 0, eps = DEFAULT_EPS } = options;
  const { data: weight, shape } = readShaped('weight', options.weight, options.shape);
  const axis = toAxis('outAxis', outAxis, shape);
  const channels = shape[axis];
  const inner = sizeOf(shape, axis + 1);
  expectEps(eps);
  const { gamma, beta, mean, variance, bias } = readChannels(options, channels);
  const scale = Float64Array.from(variance, (v, c) => gamma(c) * inverseRoot(v + eps));
  return {
    weight: weight.map((w, i) => w * scale[Math.floor(i / inner) % channels]),
    bias: Float32Array.from(scale, (s, c) => (bias(c) - mean[c]) * s + beta(c)),
  };
}

/**
 * What there is of each channel.
 *
 * @param {FoldBatchNormOptions} options
 * @param {number} channels
 */
function readChannels({ bias, gamma, beta, runningMean, runningVar }, channels) {
  const variance = readChannel('runningVar', runningVar, channels);
  const bad = variance.findIndex((v) => !(v >= 0 && v < Infinity));
  if (bad >= 0) {
    const found = `${variance[bad]} in channel ${bad}`;
    throw outOfRange('runningVar', 'finite values >= 0', found);
  }
  return {
    variance,
    mean: readChannel('runningMean', runningMean, channels),
    bias: orConstant('bias', bias, channels, 0),
    gamma: orConstant('gamma', gamma, channels, 1),
    beta: orConstant('beta', beta, channels, 0),
  };
}
