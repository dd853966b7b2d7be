/** @import { Block } from '../block.js' */
/** @import { Runtime } from '../runtime.js' */
/** @import { Operand, OutOption, OutsOption, ResultOf } from '../types.js' */
import { Call } from '../call.js';
import { DEFAULT_EPS, expectEps, outOfRange, wrongKind } from '../check.js';
import { backwardFlags, exactFlag } from '../flags.js';
import { Gradients } from '../gradients.js';
import { forwardOutputs, inferenceOutput, WITH_STATISTICS } from '../outputs.js';
import { format, sizeOf } from '../shape.js';

/**
 * @typedef {object} WeightStandardizeSettings
 * @property {ArrayLike<number>} [shape]  [filters, ...fan-in], where the weights are flat
 * @property {Operand} [gain]  scale, [filters]; ones if left out
 * @property {number} [eps]  added to the variance, in units of the weights squared; finite and
 *   >= 0. Default 1e-5; the paper's code adds 1e-5 to the standard deviation instead, BiT has 1e-10
 * @property {boolean} [exact]  float64 throughout, rounded once at the end; default false
 */

/**
 * @template O
 * @typedef {WeightStandardizeSettings & OutOption<O>} WeightStandardizeOptions
 */

/**
 * @typedef {WeightStandardizeSettings
 *   & OutsOption<{ y?: Operand, mean?: Operand, rstd?: Operand }>} WeightStandardizeForwardOptions
 */

/**
 * @template R
 * @typedef {object} WeightStandardizeForwardResult
 * @property {R} y  the standardized weights, shaped as the weights
 * @property {R} mean  [filters], in units of the weights
 * @property {R} rstd  [filters], 1 / sqrt(variance + eps)
 * @property {number} eps
 * @property {readonly number[]} shape
 */

/**
 * @template {'dx' | 'dgain'} K
 * @typedef {object} WeightStandardizeBackwardSettings
 * @property {Operand} x  the weights of the forward call
 * @property {Operand} mean  [filters], from forward
 * @property {Operand} rstd  [filters], from forward
 * @property {Operand} [gain]  that of the forward call
 * @property {number} [eps]  that of the forward call, default 1e-5
 * @property {ArrayLike<number>} [shape]  that of the forward call, where dy is flat
 * @property {unknown} [y]  forward's result is passed as a whole; y is not used
 * @property {readonly K[]} [outputs]  the gradients to compute; both if left out
 * @property {{ dx?: Operand, dgain?: Operand }} [out]  where they are written; dx may be dy or x
 *   itself
 * @property {boolean} [accumulate]  add to out.dgain instead of overwriting it; default false
 * @property {boolean} [exact]  float64 throughout, default false; takes mean and rstd from x
 *   again
 */

/** @typedef {ReturnType<typeof weightStandardize>} WeightStandardize */

const INPUTS = ['shape', 'gain', 'eps', 'exact', 'out'];
const OPTIONS = new Set(INPUTS);
const BACKWARD_OPTIONS = new Set([...INPUTS, 'x', 'y', 'mean', 'rstd', 'outputs', 'accumulate']);
const GRADIENTS = new Set(['dx', 'dgain']);
const FROM_FORWARD = ' (weightStandardize.forward returns it)';

/** @param {Runtime} runtime */
export function weightStandardize(runtime) {
  const { kernels } = runtime;

  /**
   * Both forms of the forward pass.
   *
   * @param {Call} call
   * @param {unknown} w
   * @param {any} options
   * @param {boolean} withStatistics
   * @returns {any}
   */
  function standardize(call, w, options, withStatistics) {
    const { gain, eps = DEFAULT_EPS, exact, out } = options;
    const weights = call.main('w', w, options.shape);
    const { filters, fanIn, shape } = toFilters('w', weights);
    const g = call.optional('gain', gain, filters);
    expectEps(eps);
    const flags = exactFlag(exact);
    const { y, mean, rstd } = withStatistics
      ? forwardOutputs(call, weights, out, filters, WITH_STATISTICS)
      : inferenceOutput(call, weights, out);
    call.place();
    call.done(
      kernels.an_weight_standardize_forward(
        y.ptr,
        mean.ptr,
        rstd.ptr,
        weights.ptr,
        g.ptr,
        filters,
        fanIn,
        eps,
        flags,
      ),
    );
    if (!withStatistics) return y.value;
    return { y: y.value, mean: mean.value, rstd: rstd.value, eps, shape };
  }

  /**
   * Weight standardization: normalizes the weights of each output filter over its fan-in.
   *
   *     y[o][i] = (w[o][i] - mean[o]) * rstd[o] * gain[o]
   *
   * `mean` and `rstd = 1 / sqrt(variance + eps)` are those of filter o, with the biased variance.
   *
   * @template {Operand} W
   * @template {Operand} [O=ResultOf<W>]
   * @param {W} w  [filters][...fan-in]; the filters are the first axis
   * @param {WeightStandardizeOptions<O>} [options]
   * @returns {NoInfer<O>} the standardized weights: `out` where it is given, else new
   * @throws {TypeError} an argument of the wrong kind or an unknown option
   * @throws {RangeError} a length, shape or value that does not fit. Nothing has then been written
   * @see Qiao, Wang, Liu, Shen & Yuille 2019, https://arxiv.org/abs/1903.10520
   */
  function infer(w, options = {}) {
    return standardize(new Call(runtime, 'weightStandardize', options, OPTIONS), w, options, false);
  }

  return Object.assign(infer, {
    /**
     * Weight standardization that also returns what backward needs.
     *
     * @template {Operand} W
     * @param {W} w  [filters][...fan-in]
     * @param {WeightStandardizeForwardOptions} [options]
     * @returns {WeightStandardizeForwardResult<ResultOf<W>>}
     */
    forward(w, options = {}) {
      return standardize(
        new Call(runtime, 'weightStandardize.forward', options, OPTIONS),
        w,
        options,
        true,
      );
    },

    /**
     * Gradients of weight standardization. With g = dy * gain, what = (w - mean) * rstd and means
     * over a filter:
     *
     *     dx       = rstd * (g - mean(g) - what * mean(g * what))
     *     dgain[o] = sum_i dy[o][i] * what[o][i]
     *
     * as in `const f = forward(w, { gain }); backward(dy, { ...f, x: w, gain })`.
     *
     * @template {Operand} D
     * @template {'dx' | 'dgain'} [K='dx' | 'dgain']
     * @param {D} dy  gradient of the loss with respect to the standardized weights
     * @param {WeightStandardizeBackwardSettings<K>} options
     * @returns {{ [N in K]: ResultOf<D> }} dx shaped as the weights; dgain: [filters]
     */
    backward(dy, options) {
      const call = new Call(runtime, 'weightStandardize.backward', options, BACKWARD_OPTIONS);
      const { x, mean, rstd, gain, eps = DEFAULT_EPS, out = {} } = options;
      const upstream = call.main('dy', dy, options.shape);
      const { filters, fanIn } = toFilters('dy', upstream);
      const weights = call.inputLike('x', x, upstream);
      const mu = call.input('mean', mean, filters, FROM_FORWARD);
      const rs = call.input('rstd', rstd, filters, FROM_FORWARD);
      const g = call.optional('gain', gain, filters);
      expectEps(eps);
      const flags = backwardFlags(options);
      const gradients = new Gradients(call, options, GRADIENTS);
      const dx = gradients.ofInput(out.dx, upstream);
      const dgain = gradients.ofParameter('dgain', out.dgain, filters);
      call.place();
      call.done(
        kernels.an_weight_standardize_backward(
          dx.ptr,
          dgain.ptr,
          upstream.ptr,
          weights.ptr,
          mu.ptr,
          rs.ptr,
          g.ptr,
          filters,
          fanIn,
          eps,
          flags,
        ),
      );
      return gradients.pick({ dx: dx.value, dgain: dgain.value });
    },
  });
}

/**
 * @param {string} name
 * @param {Block} block
 */
function toFilters(name, { shape }) {
  if (shape === null) throw wrongKind('shape', `the shape of ${name}`, 'undefined');
  if (shape.length < 2) {
    throw outOfRange(name, 'an axis of filters and others', `shape ${format(shape)}`);
  }
  const fanIn = sizeOf(shape, 1);
  if (fanIn === 0) throw outOfRange('shape', 'a fan-in of at least 1', format(shape));
  return { filters: shape[0], fanIn, shape };
}
