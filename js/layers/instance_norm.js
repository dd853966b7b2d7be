/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { ForwardOptions } from './layer.js' */
import { DEFAULT_EPS, expectCount, expectEps, expectFlag, expectOptions } from '../check.js';
import { channelOptions, expectFeatures } from './channels.js';
import { KEYS } from './conventions.js';
import { Layer } from './layer.js';

/**
 * @typedef {object} InstanceNormLayerSettings
 * @property {number} [eps]  added to the variance; default 1e-5
 * @property {boolean} [affine]  whether there are weight and bias; default false, as in PyTorch
 */

/** @typedef {InstanceNormLayerSettings & ChannelOptions} InstanceNormLayerOptions */

const OPTIONS = new Set(['eps', 'affine', 'layout', 'channelAxis']);
const FORWARD_OPTIONS = new Set(['shape', 'out', 'mask', 'lengths']);

/**
 * InstanceNorm, as torch.nn.InstanceNorm1d to 3d without running statistics: each channel of each
 * example by itself.
 *
 *     y = (x - mean) / sqrt(variance + eps) * weight[c] + bias[c]
 */
export class InstanceNorm extends Layer {
  #numFeatures;

  /**
   * @param {AxisNorm} an  what load() gives
   * @param {number} numFeatures  channels
   * @param {InstanceNormLayerOptions} [options]
   */
  constructor(an, numFeatures, options = {}) {
    super(an, 'InstanceNorm', 'instanceNorm');
    expectOptions('InstanceNorm', options, OPTIONS);
    const { eps = DEFAULT_EPS, affine = false } = options;
    expectCount('numFeatures', numFeatures);
    expectEps(eps);
    expectFlag('affine', affine);
    this.#numFeatures = numFeatures;
    this.own = { eps, ...channelOptions(options) };
    if (affine) this.addParameter('weight', KEYS.weight, [numFeatures], 1);
    if (affine) this.addParameter('bias', KEYS.bias, [numFeatures], 0);
  }

  /**
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or as the layout says
   * @param {ForwardOptions<O> & MaskOptions} [options]
   * @returns {NoInfer<O>} y, shaped as x
   */
  forward(x, options = {}) {
    expectFeatures(this.#numFeatures, x, options, this.own);
    return this.normalize(x, options, FORWARD_OPTIONS).y;
  }
}
