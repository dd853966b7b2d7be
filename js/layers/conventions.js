/** What PyTorch, Keras and ONNX call and count differently. */
import { expectChoice, expectNumber } from '../check.js';

/** @typedef {'torch' | 'keras' | 'onnx'} Convention */

/**
 * @typedef {object} Conventions
 * @property {number} eps  default of BatchNorm
 * @property {number} momentum  default, as this convention counts it
 * @property {'new' | 'old'} weighs  whether momentum is the weight of the new batch, or of what was
 * @property {'unbiased' | 'biased'} runningVar  variance that enters the running one: divided by
 *   n - 1, or by n
 */

/**
 * Defaults of BatchNorm and the meaning of its momentum.
 *
 * @type {Readonly<Record<Convention, Readonly<Conventions>>>}
 */
export const CONVENTIONS = Object.freeze({
  torch: Object.freeze({ eps: 1e-5, momentum: 0.1, weighs: 'new', runningVar: 'unbiased' }),
  keras: Object.freeze({ eps: 1e-3, momentum: 0.99, weighs: 'old', runningVar: 'biased' }),
  onnx: Object.freeze({ eps: 1e-5, momentum: 0.9, weighs: 'old', runningVar: 'biased' }),
});

/** Names in state dicts. */
export const KEYS = Object.freeze({
  weight: { torch: 'weight', keras: 'gamma', onnx: 'scale' },
  /** LayerNormalization of ONNX writes Scale, the others scale. */
  rowWeight: { torch: 'weight', keras: 'gamma', onnx: 'Scale' },
  rmsWeight: { torch: 'weight', keras: 'scale', onnx: 'scale' },
  bias: { torch: 'bias', keras: 'beta', onnx: 'B' },
  groupBias: { torch: 'bias', keras: 'beta', onnx: 'bias' },
  runningMean: { torch: 'running_mean', keras: 'moving_mean', onnx: 'input_mean' },
  runningVar: { torch: 'running_var', keras: 'moving_variance', onnx: 'input_var' },
  numBatchesTracked: { torch: 'num_batches_tracked', keras: '', onnx: '' },
});

/** @param {unknown} convention */
export function expectConvention(convention) {
  expectChoice('convention', convention, Object.keys(CONVENTIONS));
}

/**
 * A momentum as this library and PyTorch count it: the weight of the new batch.
 *
 *     running = (1 - momentum) * running + momentum * batch
 *
 * Keras and ONNX give the weight of the old value: their 0.99 is our 0.01.
 *
 * @param {number | null} momentum  0 to 1; null, the cumulative average, stays null
 * @param {Convention} from  whose momentum it is
 * @returns {number | null}
 */
export function toMomentum(momentum, from) {
  expectConvention(from);
  if (momentum === null) return null;
  expectNumber('momentum', momentum, 0, 1, 'a number from 0 to 1, or null');
  return CONVENTIONS[from].weighs === 'new' ? momentum : 1 - momentum;
}

/**
 * A momentum as others count it.
 *
 * @param {number | null} momentum  weight of the new batch
 * @param {Convention} to
 * @returns {number | null}
 */
export function fromMomentum(momentum, to) {
  return toMomentum(momentum, to); // 1 - m is its own inverse
}
