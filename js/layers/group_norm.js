/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { ForwardOptions } from './layer.js' */
import {
  DEFAULT_EPS,
  expectCount,
  expectEps,
  expectFlag,
  expectOptions,
  outOfRange,
} from '../check.js';
import { channelOptions, expectFeatures } from './channels.js';
import { KEYS } from './conventions.js';
import { Layer } from './layer.js';

/**
 * @typedef {object} GroupNormLayerSettings
 * @property {number} [eps]  added to the variance; default 1e-5, Keras has 1e-3
 * @property {boolean} [affine]  whether there are weight and bias; default true
 */

/** @typedef {GroupNormLayerSettings & ChannelOptions} GroupNormLayerOptions */

const OPTIONS = new Set(['eps', 'affine', 'layout', 'channelAxis']);
const FORWARD_OPTIONS = new Set(['shape', 'out', 'mask', 'lengths']);

/**
 * GroupNorm with its weight (ones at first) and bias (zeros), as torch.nn.GroupNorm: each group of
 * channels of each example by itself.
 *
 *     y = (x - mean) / sqrt(variance + eps) * weight[c] + bias[c]
 */
export class GroupNorm extends Layer {
  #numChannels;

  /**
   * @param {AxisNorm} an  what load() gives
   * @param {number} numGroups  how many groups, which divides numChannels
   * @param {number} numChannels  channels
   * @param {GroupNormLayerOptions} [options]
   */
  constructor(an, numGroups, numChannels, options = {}) {
    super(an, 'GroupNorm', 'groupNorm');
    expectOptions('GroupNorm', options, OPTIONS);
    const { eps = DEFAULT_EPS, affine = true } = options;
    expectCount('numGroups', numGroups);
    expectCount('numChannels', numChannels);
    if (numChannels % numGroups !== 0) {
      throw outOfRange('numGroups', `a divisor of ${numChannels} channels`, numGroups);
    }
    expectEps(eps);
    expectFlag('affine', affine);
    this.#numChannels = numChannels;
    this.own = { groups: numGroups, eps, ...channelOptions(options) };
    if (affine) this.addParameter('weight', KEYS.weight, [numChannels], 1);
    if (affine) this.addParameter('bias', KEYS.groupBias, [numChannels], 0);
  }

  /**
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or as the layout says
   * @param {ForwardOptions<O> & MaskOptions} [options]
   * @returns {NoInfer<O>} y, shaped as x
   */
  forward(x, options = {}) {
    expectFeatures(this.#numChannels, x, options, this.own);
    return this.normalize(x, options, FORWARD_OPTIONS).y;
  }
}
