/** The outputs of forward passes. */

/** @import { Block } from './block.js' */
/** @import { Call } from './call.js' */
import { ABSENT } from './block.js';
import { expectOptions } from './check.js';

/** Names of what forward functions return as arrays. */
export const WITH_STATISTICS = new Set(['y', 'mean', 'rstd']);
export const WITH_RSTD = new Set(['y', 'rstd']);
export const ONLY_Y = new Set(['y']);

/**
 * y alone, which `out` is for.
 *
 * @param {Call} call
 * @param {Block} input
 * @param {unknown} out
 */
export function inferenceOutput(call, input, out) {
  const y = call.output('out', out, input.length, input.shape, input);
  return { y, mean: ABSENT, rstd: ABSENT };
}

/**
 * y and the statistics that `names` has; `out` may have an array for each.
 *
 * @param {Call} call
 * @param {Block} input
 * @param {any} out
 * @param {number} count  of each statistic
 * @param {ReadonlySet<string>} names
 */
export function forwardOutputs(call, input, out = {}, count, names) {
  expectOptions('out', out, names, 'output');
  const y = call.output('out.y', out.y, input.length, input.shape, input);
  const mean = names.has('mean') ? call.output('out.mean', out.mean, count) : ABSENT;
  const rstd = names.has('rstd') ? call.output('out.rstd', out.rstd, count) : ABSENT;
  return { y, mean, rstd };
}
