/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { ForwardOptions } from './layer.js' */
import { DEFAULT_EPS, expectEps, expectFinite, expectFlag, expectOptions } from '../check.js';
import { toNormalizedShape } from '../rows.js';
import { KEYS } from './conventions.js';
import { Layer } from './layer.js';

/**
 * @typedef {object} RMSNormLayerOptions
 * @property {number} [eps]  added to the mean square; default 1e-5. Keras has 1e-6, PyTorch 1.2e-7
 * @property {boolean} [elementwiseAffine]  whether there is a weight; default true
 * @property {number} [gammaOffset]  default 0; 1 for models that store weight - 1: weight then
 *   starts at 0
 */

const OPTIONS = new Set(['eps', 'elementwiseAffine', 'gammaOffset']);
const FORWARD_OPTIONS = new Set(['shape', 'out']);

/**
 * RMSNorm with its weight (ones at first), as torch.nn.RMSNorm: each row of x by itself.
 *
 *     y = x / sqrt(mean(x^2) + eps) * (gammaOffset + weight)
 */
export class RMSNorm extends Layer {
  /**
   * @param {AxisNorm} an  what load() gives
   * @param {number | ArrayLike<number>} normalizedShape  the trailing axes that are normalized
   * @param {RMSNormLayerOptions} [options]
   */
  constructor(an, normalizedShape, options = {}) {
    super(an, 'RMSNorm', 'rmsNorm');
    expectOptions('RMSNorm', options, OPTIONS);
    const { eps = DEFAULT_EPS, elementwiseAffine = true, gammaOffset = 0 } = options;
    expectEps(eps);
    expectFlag('elementwiseAffine', elementwiseAffine);
    expectFinite('gammaOffset', gammaOffset);
    const shape = toNormalizedShape(normalizedShape);
    this.own = { normalizedShape: shape, eps, gammaOffset };
    if (elementwiseAffine) this.addParameter('weight', KEYS.rmsWeight, shape, 1 - gammaOffset);
  }

  /**
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [...][...normalizedShape]
   * @param {ForwardOptions<O>} [options]
   * @returns {NoInfer<O>} y, shaped as x
   */
  forward(x, options = {}) {
    return this.normalize(x, options, FORWARD_OPTIONS).y;
  }
}
