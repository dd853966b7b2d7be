/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { ForwardOptions } from './layer.js' */
import { DEFAULT_EPS, expectEps, expectFlag, expectOptions } from '../check.js';
import { toNormalizedShape } from '../rows.js';
import { KEYS } from './conventions.js';
import { Layer } from './layer.js';

/**
 * @typedef {object} LayerNormLayerOptions
 * @property {number} [eps]  added to the variance; default 1e-5, Keras has 1e-3
 * @property {boolean} [elementwiseAffine]  whether there are weight and bias; default true
 * @property {boolean} [bias]  whether there is a bias beside the weight; default true
 */

const OPTIONS = new Set(['eps', 'elementwiseAffine', 'bias']);
const FORWARD_OPTIONS = new Set(['shape', 'out']);

/**
 * LayerNorm with its weight (ones at first) and bias (zeros), as torch.nn.LayerNorm: each row of x
 * by itself.
 *
 *     y = (x - mean) / sqrt(variance + eps) * weight + bias
 */
export class LayerNorm extends Layer {
  /**
   * @param {AxisNorm} an  what load() gives
   * @param {number | ArrayLike<number>} normalizedShape  the trailing axes that are normalized
   * @param {LayerNormLayerOptions} [options]
   */
  constructor(an, normalizedShape, options = {}) {
    super(an, 'LayerNorm', 'layerNorm');
    expectOptions('LayerNorm', options, OPTIONS);
    const { eps = DEFAULT_EPS, elementwiseAffine = true, bias = true } = options;
    expectEps(eps);
    expectFlag('elementwiseAffine', elementwiseAffine);
    expectFlag('bias', bias);
    const shape = toNormalizedShape(normalizedShape);
    this.own = { normalizedShape: shape, eps };
    if (elementwiseAffine) this.addParameter('weight', KEYS.rowWeight, shape, 1);
    if (elementwiseAffine && bias) this.addParameter('bias', KEYS.bias, shape, 0);
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
