/** @import { Runtime } from '../runtime.js' */
/** @import { ChannelOptions } from '../layout.js' */
/** @import { MaskOptions } from '../mask.js' */
/** @import { Operand, OutOption, OutsOption, ResultOf } from '../types.js' */
/** @import { GroupNormBackwardSettings, GroupNormForwardResult, GroupNormSettings } from './group_norm.js' */
import { groupwise } from '../groupwise.js';

/** @typedef {Omit<GroupNormSettings, 'groups'>} InstanceNormSettings */

/**
 * @template O
 * @typedef {InstanceNormSettings & ChannelOptions & MaskOptions & OutOption<O>} InstanceNormOptions
 */

/**
 * @typedef {InstanceNormSettings & ChannelOptions & MaskOptions
 *   & OutsOption<{ y?: Operand, mean?: Operand, rstd?: Operand }>} InstanceNormForwardOptions
 */

/**
 * mean and rstd: [batch * channels].
 *
 * @template R
 * @typedef {Omit<GroupNormForwardResult<R>, 'groups'>} InstanceNormForwardResult
 */

/**
 * @template {'dx' | 'dgamma' | 'dbeta'} K
 * @typedef {Omit<GroupNormBackwardSettings<K>, 'groups'>} InstanceNormBackwardSettings
 */

/** @typedef {ReturnType<typeof instanceNorm>} InstanceNorm */

/** @param {Runtime} runtime */
export function instanceNorm(runtime) {
  const shared = groupwise(runtime, 'instanceNorm', [], oneChannelEach);

  /**
   * InstanceNorm: normalizes each channel of each example over space. It is GroupNorm with as many
   * groups as channels.
   *
   *     y[n][c][s] = (x[n][c][s] - mean[n][c]) * rstd[n][c] * gamma[c] + beta[c]
   *
   * Where space is a single value, y is beta. eps defaults to 1e-5 as in PyTorch; Keras has 1e-3.
   *
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [batch][channels][...spatial], or another layout
   * @param {InstanceNormOptions<O>} [options]
   * @returns {NoInfer<O>} y, shaped as x: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Ulyanov, Vedaldi & Lempitsky 2016, https://arxiv.org/abs/1607.08022
   */
  function infer(x, options = {}) {
    return shared.infer(x, options);
  }

  return Object.assign(infer, {
    /**
     * InstanceNorm that also returns what backward needs.
     *
     * @template {Operand} X
     * @param {X} x  [batch][channels][...spatial], or another layout
     * @param {InstanceNormForwardOptions} [options]
     * @returns {InstanceNormForwardResult<ResultOf<X>>}
     */
    forward(x, options = {}) {
      return shared.forward(x, options);
    },

    /**
     * Gradients of InstanceNorm: those of GroupNorm with as many groups as channels.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgamma' | 'dbeta'} [K='dx' | 'dgamma' | 'dbeta']
     * @param {D} dy  gradient of the loss with respect to y, shaped as x
     * @param {InstanceNormBackwardSettings<K> & ChannelOptions & MaskOptions} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as x; dgamma, dbeta: [channels]
     */
    backward(dy, options) {
      return shared.backward(dy, options);
    },
  });
}

/**
 * @param {any} _options
 * @param {number} channels
 */
const oneChannelEach = (_options, channels) => channels;
