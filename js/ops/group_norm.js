/** @import { Runtime } from '../runtime.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Operand, OutOption, OutsOption, ResultOf } from '../types.js' */
import { describe, expectCount, outOfRange } from '../check.js';
import { groupwise } from '../groupwise.js';

/**
 * @typedef {object} GroupNormSettings
 * @property {number} groups  number of groups, which divides the channels. The 32 that others have
 *   as their default is a number of groups, not of channels in one
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {Operand} [gamma]  scale, [channels]; ones if left out
 * @property {Operand} [beta]  shift, [channels]; zeros if left out
 * @property {number} [eps]  added to the variance, in units of x squared; finite and >= 0. Default
 *   1e-5 as in PyTorch and ONNX; Keras has 1e-3
 * @property {boolean} [exact]  float64 throughout, rounded once at the end; default false
 */

/**
 * @template O
 * @typedef {GroupNormSettings & ChannelOptions & MaskOptions & OutOption<O>} GroupNormOptions
 */

/**
 * @typedef {GroupNormSettings & ChannelOptions & MaskOptions
 *   & OutsOption<{ y?: Operand, mean?: Operand, rstd?: Operand }>} GroupNormForwardOptions
 */

/**
 * @template R
 * @typedef {object} GroupNormForwardResult
 * @property {R} y  shaped as x
 * @property {R} mean  [batch * groups], in units of x
 * @property {R} rstd  [batch * groups], 1 / sqrt(variance + eps)
 * @property {number} eps
 * @property {number} groups
 * @property {number} channelAxis
 * @property {readonly number[]} shape
 * @property {MaskOptions['mask']} [mask]  as given
 * @property {MaskOptions['lengths']} [lengths]  as given
 */

/**
 * @template {'dx' | 'dgamma' | 'dbeta'} K
 * @typedef {object} GroupNormBackwardSettings
 * @property {number} groups  that of the forward call
 * @property {Operand} x  that of the forward call
 * @property {Operand} mean  [batch * groups], from forward
 * @property {Operand} rstd  [batch * groups], from forward
 * @property {Operand} [gamma]  that of the forward call
 * @property {number} [eps]  that of the forward call, default 1e-5
 * @property {number | ArrayLike<number>} [shape]  that of the forward call, where dy is flat
 * @property {unknown} [y]  forward's result is passed as a whole; y is not used
 * @property {unknown} [beta]  not used either
 * @property {readonly K[]} [outputs]  the gradients to compute; all if left out
 * @property {{ dx?: Operand, dgamma?: Operand, dbeta?: Operand }} [out]  where they are written; dx
 *   may be dy or x itself
 * @property {boolean} [accumulate]  add to out.dgamma and out.dbeta instead of overwriting
 *   them; default false
 * @property {boolean} [exact]  float64 throughout, default false; takes mean and rstd from x
 *   again
 */

/** @typedef {ReturnType<typeof groupNorm>} GroupNorm */

/** @param {Runtime} runtime */
export function groupNorm(runtime) {
  const shared = groupwise(runtime, 'groupNorm', ['groups'], toGroups);

  /**
   * GroupNorm: normalizes each group of channels of each example by itself.
   *
   *     y[n][c][s] = (x[n][c][s] - mean[n][g]) * rstd[n][g] * gamma[c] + beta[c]
   *
   * `mean` and `rstd = 1 / sqrt(variance + eps)` are those of group g, which is channels / groups
   * adjacent channels over all of space, with the biased variance. One group is not LayerNorm:
   * gamma and beta are per channel. As many groups as channels is InstanceNorm.
   *
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or another layout
   * @param {GroupNormOptions<O>} options
   * @returns {NoInfer<O>} y, shaped as x: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Wu & He 2018, https://arxiv.org/abs/1803.08494
   */
  function infer(x, options) {
    return shared.infer(x, options);
  }

  return Object.assign(infer, {
    /**
     * GroupNorm that also returns what backward needs.
     *
     * @template {Operand} X
     * @param {X} x  [batch][channels][...spatial], or another layout
     * @param {GroupNormForwardOptions} options
     * @returns {GroupNormForwardResult<ResultOf<X>>}
     */
    forward(x, options) {
      return shared.forward(x, options);
    },

    /**
     * Gradients of GroupNorm. With g = dy * gamma, xhat = (x - mean) * rstd and means over a group:
     *
     *     dx        = rstd * (g - mean(g) - xhat * mean(g * xhat))
     *     dgamma[c] = sum_{n,s} dy * xhat
     *     dbeta[c]  = sum_{n,s} dy
     *
     * as in `const f = forward(x, { groups, gamma, beta }); backward(dy, { ...f, x, gamma })`.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgamma' | 'dbeta'} [K='dx' | 'dgamma' | 'dbeta']
     * @param {D} dy  gradient of the loss with respect to y, shaped as x
     * @param {GroupNormBackwardSettings<K> & ChannelOptions & MaskOptions} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as x; dgamma, dbeta: [channels]
     */
    backward(dy, options) {
      return shared.backward(dy, options);
    },
  });
}

/**
 * @param {any} options
 * @param {number} channels
 * @returns {number}
 */
function toGroups({ groups }, channels) {
  expectCount('groups', groups);
  if (channels % groups === 0) return groups;
  throw outOfRange('groups', `a divisor of ${channels} channels`, describe(groups));
}
