/** @import { Runtime } from '../runtime.js' */
/** @import { RowOptions } from '../rows.js' */
/** @import { Operand, OutOption, OutsOption, ResultOf } from '../types.js' */
import { Call } from '../call.js';
import { DEFAULT_EPS, expectEps } from '../check.js';
import { backwardFlags, exactFlag } from '../flags.js';
import { Gradients } from '../gradients.js';
import { forwardOutputs, inferenceOutput, WITH_STATISTICS } from '../outputs.js';
import { toRows } from '../rows.js';

/**
 * @typedef {object} LayerNormSettings
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {Operand} [gamma]  scale, of the normalized shape; ones if left out
 * @property {Operand} [beta]  shift, of the normalized shape; zeros if left out
 * @property {number} [eps]  added to the variance, in units of x squared; finite and >= 0. Default
 *   1e-5 as in PyTorch, ONNX and MLX; Keras has 1e-3
 * @property {boolean} [exact]  float64 throughout, rounded once at the end; default false
 */

/**
 * @template O
 * @typedef {LayerNormSettings & RowOptions & OutOption<O>} LayerNormOptions
 */

/**
 * @typedef {LayerNormSettings & RowOptions
 *   & OutsOption<{ y?: Operand, mean?: Operand, rstd?: Operand }>} LayerNormForwardOptions
 */

/**
 * @template R
 * @typedef {object} LayerNormForwardResult
 * @property {R} y  shaped as x
 * @property {R} mean  [rows], in units of x
 * @property {R} rstd  [rows], 1 / sqrt(variance + eps)
 * @property {number} eps
 * @property {readonly number[] | undefined} shape  undefined where x is flat
 * @property {readonly number[]} normalizedShape
 */

/**
 * @template {'dx' | 'dgamma' | 'dbeta'} K
 * @typedef {object} LayerNormBackwardSettings
 * @property {Operand} x  that of the forward call
 * @property {Operand} mean  [rows], from forward
 * @property {Operand} rstd  [rows], from forward
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

/** @typedef {ReturnType<typeof layerNorm>} LayerNorm */

const INPUTS = ['shape', 'normalizedShape', 'axis', 'gamma', 'beta', 'eps', 'exact', 'out'];
const OPTIONS = new Set(INPUTS);
const BACKWARD_OPTIONS = new Set([...INPUTS, 'x', 'y', 'mean', 'rstd', 'outputs', 'accumulate']);
const GRADIENTS = new Set(['dx', 'dgamma', 'dbeta']);
const FROM_FORWARD = ' (layerNorm.forward returns it)';

/** @param {Runtime} runtime */
export function layerNorm(runtime) {
  const { kernels } = runtime;

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
    const { gamma, beta, eps = DEFAULT_EPS, shape, exact, out } = options;
    const input = call.main('x', x, shape);
    const { rows, cols, normalizedShape } = toRows('x', input, options, gamma ?? beta);
    const g = call.optional('gamma', gamma, cols, normalizedShape);
    const b = call.optional('beta', beta, cols, normalizedShape);
    expectEps(eps);
    const flags = exactFlag(exact);
    const { y, mean, rstd } = withStatistics
      ? forwardOutputs(call, input, out, rows, WITH_STATISTICS)
      : inferenceOutput(call, input, out);
    call.place();
    call.done(
      kernels.an_layer_norm_forward(
        y.ptr,
        mean.ptr,
        rstd.ptr,
        input.ptr,
        g.ptr,
        b.ptr,
        rows,
        cols,
        eps,
        flags,
      ),
    );
    if (!withStatistics) return y.value;
    const known = input.shape ?? undefined;
    return { y: y.value, mean: mean.value, rstd: rstd.value, eps, shape: known, normalizedShape };
  }

  /**
   * LayerNorm: normalizes each row of x by itself.
   *
   *     y[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
   *
   * `mean` and `rstd = 1 / sqrt(variance + eps)` are those of row r, with the biased variance. A
   * row is the values of the trailing axes `normalizedShape`, or from `axis` on; all axes before
   * count rows.
   *
   * @template {Operand} X
   * @template {Operand} [O=ResultOf<X>]
   * @param {X} x  [rows][cols]
   * @param {LayerNormOptions<O>} [options]
   * @returns {NoInfer<O>} y, shaped as x: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Ba, Kiros & Hinton 2016, https://arxiv.org/abs/1607.06450
   */
  function infer(x, options = {}) {
    return normalize(new Call(runtime, 'layerNorm', options, OPTIONS), x, options, false);
  }

  return Object.assign(infer, {
    /**
     * LayerNorm that also returns what backward needs.
     *
     * @template {Operand} X
     * @param {X} x  [rows][cols]
     * @param {LayerNormForwardOptions} [options]
     * @returns {LayerNormForwardResult<ResultOf<X>>}
     */
    forward(x, options = {}) {
      return normalize(new Call(runtime, 'layerNorm.forward', options, OPTIONS), x, options, true);
    },

    /**
     * Gradients of LayerNorm. With g = dy * gamma, xhat = (x - mean) * rstd and means over a row:
     *
     *     dx        = rstd * (g - mean(g) - xhat * mean(g * xhat))
     *     dgamma[c] = sum_r dy[r][c] * xhat[r][c]
     *     dbeta[c]  = sum_r dy[r][c]
     *
     * as in `const f = forward(x, { gamma, beta }); backward(dy, { ...f, x, gamma })`.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgamma' | 'dbeta'} [K='dx' | 'dgamma' | 'dbeta']
     * @param {D} dy  gradient of the loss with respect to y, shaped as x
     * @param {LayerNormBackwardSettings<K> & RowOptions} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as x; dgamma, dbeta: [cols]
     */
    backward(dy, options) {
      const call = new Call(runtime, 'layerNorm.backward', options, BACKWARD_OPTIONS);
      const { x, mean, rstd, gamma, eps = DEFAULT_EPS, shape, out = {} } = options;
      const upstream = call.main('dy', dy, shape);
      const { rows, cols, normalizedShape } = toRows('dy', upstream, options, gamma);
      const input = call.inputLike('x', x, upstream);
      const mu = call.input('mean', mean, rows, FROM_FORWARD);
      const rs = call.input('rstd', rstd, rows, FROM_FORWARD);
      const g = call.optional('gamma', gamma, cols, normalizedShape);
      expectEps(eps);
      const flags = backwardFlags(options);
      const gradients = new Gradients(call, options, GRADIENTS);
      const dx = gradients.ofInput(out.dx, upstream);
      const dgamma = gradients.ofParameter('dgamma', out.dgamma, cols);
      const dbeta = gradients.ofParameter('dbeta', out.dbeta, cols);
      const workspace = call.workspace(cols);
      call.place();
      call.done(
        kernels.an_layer_norm_backward(
          dx.ptr,
          dgamma.ptr,
          dbeta.ptr,
          upstream.ptr,
          input.ptr,
          mu.ptr,
          rs.ptr,
          g.ptr,
          workspace.ptr,
          rows,
          cols,
          eps,
          flags,
        ),
      );
      return gradients.pick({ dx: dx.value, dgamma: dgamma.value, dbeta: dbeta.value });
    },
  });
}
