/** @import { Runtime } from '../runtime.js' */
/** @import { RowOptions } from '../rows.js' */
/** @import { Operand, OutOption, OutsOption, ResultOf } from '../types.js' */
import { Call } from '../call.js';
import { DEFAULT_EPS, expectEps, expectFinite, expectNumber } from '../check.js';
import { backwardFlags, exactFlag } from '../flags.js';
import { Gradients } from '../gradients.js';
import { forwardOutputs, inferenceOutput, WITH_RSTD } from '../outputs.js';
import { toRows } from '../rows.js';

/**
 * @typedef {object} RmsNormSettings
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {Operand} [gamma]  scale, of the normalized shape; ones if left out
 * @property {number} [gammaOffset]  added to gamma: 1 where gamma is stored as its difference from
 *   1, as Gemma does. Default 0; without gamma it is ignored
 * @property {number} [p]  part of the row, from its start, that the statistic is taken from: more
 *   than 0, up to 1. Default 1; less is the partial RMSNorm of the paper
 * @property {number} [eps]  added to the mean square, in units of x squared; finite and >= 0.
 *   Default 1e-5. Keras has 1e-6, PyTorch 1.2e-7; models say theirs, as `rms_norm_eps` of Llama
 * @property {boolean} [exact]  float64 throughout, rounded once at the end; default false
 */

/**
 * @template O
 * @typedef {RmsNormSettings & RowOptions & OutOption<O>} RmsNormOptions
 */

/**
 * @typedef {RmsNormSettings & RowOptions
 *   & OutsOption<{ y?: Operand, rstd?: Operand }>} RmsNormForwardOptions
 */

/**
 * @template R
 * @typedef {object} RmsNormForwardResult
 * @property {R} y  shaped as x
 * @property {R} rstd  [rows], 1 / sqrt(mean square + eps)
 * @property {number} eps
 * @property {number} gammaOffset
 * @property {number} p
 * @property {readonly number[] | undefined} shape  undefined where x is flat
 * @property {readonly number[]} normalizedShape
 */

/**
 * @template {'dx' | 'dgamma'} K
 * @typedef {object} RmsNormBackwardSettings
 * @property {Operand} x  that of the forward call
 * @property {Operand} rstd  [rows], from forward
 * @property {Operand} [gamma]  that of the forward call
 * @property {number} [gammaOffset]  that of the forward call, default 0
 * @property {number} [p]  that of the forward call, default 1
 * @property {number} [eps]  that of the forward call, default 1e-5
 * @property {number | ArrayLike<number>} [shape]  that of the forward call, where dy is flat
 * @property {unknown} [y]  forward's result is passed as a whole; y is not used
 * @property {readonly K[]} [outputs]  the gradients to compute; all if left out
 * @property {{ dx?: Operand, dgamma?: Operand }} [out]  where they are written; dx may be dy or x
 *   itself
 * @property {boolean} [accumulate]  add to out.dgamma instead of overwriting it; default false
 * @property {boolean} [exact]  float64 throughout, default false; takes rstd from x again
 */

/** @typedef {ReturnType<typeof rmsNorm>} RmsNorm */

const INPUTS = [
  ...['shape', 'normalizedShape', 'axis', 'gamma', 'gammaOffset', 'p', 'eps', 'exact', 'out'],
];
const OPTIONS = new Set(INPUTS);
const BACKWARD_OPTIONS = new Set([...INPUTS, 'x', 'y', 'rstd', 'outputs', 'accumulate']);
const GRADIENTS = new Set(['dx', 'dgamma']);
const FROM_FORWARD = ' (rmsNorm.forward returns it)';

/** @param {Runtime} runtime */
export function rmsNorm(runtime) {
  const { kernels } = runtime;

  /**
   * @param {string} name
   * @param {any} options
   * @param {ReadonlySet<string>} known
   */
  function begin(name, options, known) {
    if (options?.beta !== undefined) {
      throw new TypeError(`${name}: expected no beta, RMSNorm only scales; layerNorm has a beta`);
    }
    return new Call(runtime, name, options, known);
  }

  /**
   * Both forms of the forward pass.
   *
   * @param {Call} call
   * @param {unknown} x
   * @param {any} options
   * @param {boolean} withStatistics
   * @returns {any}
   */
  function normalize(call, x, options, withStatistics) {
    const { gamma, gammaOffset = 0, p = 1, eps = DEFAULT_EPS, shape, exact, out } = options;
    const input = call.main('x', x, shape);
    const { rows, cols, normalizedShape } = toRows('x', input, options, gamma);
    const g = call.optional('gamma', gamma, cols, normalizedShape);
    const statCols = partOf(cols, p);
    expectFinite('gammaOffset', gammaOffset);
    expectEps(eps);
    const flags = exactFlag(exact);
    const { y, rstd } = withStatistics
      ? forwardOutputs(call, input, out, rows, WITH_RSTD)
      : inferenceOutput(call, input, out);
    call.place();
    call.done(
      kernels.an_rms_norm_forward(
        y.ptr,
        rstd.ptr,
        input.ptr,
        g.ptr,
        rows,
        cols,
        statCols,
        gammaOffset,
        eps,
        flags,
      ),
    );
    if (!withStatistics) return y.value;
    const context = { eps, gammaOffset, p, shape: input.shape ?? undefined, normalizedShape };
    return { y: y.value, rstd: rstd.value, ...context };
  }

  /**
   * RMSNorm: scales each row of x to a root mean square of 1. It takes no mean away and has no
   * beta.
   *
   *     y[r][c] = x[r][c] * rstd[r] * (gamma[c] + gammaOffset)
   *     rstd[r] = 1 / sqrt(sum_{c < k} x[r][c]^2 / k + eps)
   *
   * with k = cols, or the smallest k >= p * cols. A row is the values of the trailing axes
   * `normalizedShape`, or from `axis` on; all axes before count rows.
   *
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [rows][cols]
   * @param {RmsNormOptions<O>} [options]
   * @returns {NoInfer<O>} y, shaped as x: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Zhang & Sennrich 2019, https://arxiv.org/abs/1910.07467
   */
  function infer(x, options = {}) {
    return normalize(begin('rmsNorm', options, OPTIONS), x, options, false);
  }

  return Object.assign(infer, {
    /**
     * RMSNorm that also returns what backward needs.
     *
     * @template {Operand} X
     * @param {X} x  [rows][cols]
     * @param {RmsNormForwardOptions} [options]
     * @returns {RmsNormForwardResult<ResultOf<X>>}
     */
    forward(x, options = {}) {
      return normalize(begin('rmsNorm.forward', options, OPTIONS), x, options, true);
    },

    /**
     * Gradients of RMSNorm. With g = dy * (gamma + gammaOffset) and xhat = x * rstd:
     *
     *     dx[r][c]  = rstd * (g - [c < k] * xhat * sum_c(g * xhat) / k)
     *     dgamma[c] = sum_r dy[r][c] * xhat[r][c]
     *
     * as in `const f = forward(x, { gamma }); backward(dy, { ...f, x, gamma })`.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgamma'} [K='dx' | 'dgamma']
     * @param {D} dy  gradient of the loss with respect to y, shaped as x
     * @param {RmsNormBackwardSettings<K> & RowOptions} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as x; dgamma: [cols]
     */
    backward(dy, options) {
      const call = begin('rmsNorm.backward', options, BACKWARD_OPTIONS);
      const {
        x,
        rstd,
        gamma,
        gammaOffset = 0,
        p = 1,
        eps = DEFAULT_EPS,
        shape,
        out = {},
      } = options;
      const upstream = call.main('dy', dy, shape);
      const { rows, cols, normalizedShape } = toRows('dy', upstream, options, gamma);
      const input = call.inputLike('x', x, upstream);
      const rs = call.input('rstd', rstd, rows, FROM_FORWARD);
      const g = call.optional('gamma', gamma, cols, normalizedShape);
      const statCols = partOf(cols, p);
      expectFinite('gammaOffset', gammaOffset);
      expectEps(eps);
      const flags = backwardFlags(options);
      const gradients = new Gradients(call, options, GRADIENTS);
      const dx = gradients.ofInput(out.dx, upstream);
      const dgamma = gradients.ofParameter('dgamma', out.dgamma, cols);
      const workspace = call.workspace(cols);
      call.place();
      call.done(
        kernels.an_rms_norm_backward(
          dx.ptr,
          dgamma.ptr,
          upstream.ptr,
          input.ptr,
          rs.ptr,
          g.ptr,
          workspace.ptr,
          rows,
          cols,
          statCols,
          gammaOffset,
          eps,
          flags,
        ),
      );
      return gradients.pick({ dx: dx.value, dgamma: dgamma.value });
    },
  });
}

/**
 * The smallest number of columns that is at least the part p of all.
 *
 * @param {number} cols
 * @param {number} p
 */
function partOf(cols, p) {
  expectNumber('p', p, Number.MIN_VALUE, 1, 'a number above 0, up to 1');
  const count = Math.ceil(p * cols);
  const isRoundedUp = count > 1 && (count - 1) / cols >= p;
  return isRoundedUp ? count - 1 : count;
}
