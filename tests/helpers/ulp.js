import assert from 'node:assert/strict';
import { largestError } from './units.js';

/*
 * Errors are counted in units at the scale of the row, group or channel: 2^-23 of the largest
 * magnitude that the result was made from. The oracle says which that is (`scale`):
 *
 *   y              |y| and |y - beta|
 *   mean           the root mean square of the values
 *   rstd           rstd
 *   dx             the terms of dx: rstd * g and what is subtracted from it
 *   dbeta          the sum
 *   dgamma         the sum, where xhat counts as the largest of its row, group or channel
 *
 * A sum counts at least as the root of the sum of the squares of its terms: what is left of terms
 * that cancel is no measure of their rounding.
 *
 * A unit is at least the smallest denormal, 2^-149, of the result and of x.
 */
export const FORWARD_UNITS = 4;
export const GRADIENT_UNITS = 8;

/** Half the distance between the float32 values around v: one rounding. */
function halfUlp(v) {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(v) || 2 ** -126)), -126);
  return 2 ** (exponent - 24);
}

/** The largest error of each output in everything that has been compared. */
export const worst = new Map();

/**
 * @param {Record<string, Float32Array>} got
 * @param {Record<string, Float64Array> & { scale: Record<string, Float64Array> }} want
 * @param {number} limit  in units
 * @param {string} label
 */
export function within(got, want, limit, label) {
  for (const name of Object.keys(want.scale)) {
    if (!got[name]) continue;
    assert.equal(got[name].length, want[name].length, `${label}: length of ${name}`);
    const { units, at } = largestError(got[name], want[name], want.scale[name]);
    worst.set(name, Math.max(units, worst.get(name) ?? 0));
    if (units > limit) {
      assert.fail(
        `${label}: ${name}[${at}] is ${units.toPrecision(3)} units off, ` +
          `expected ${want[name][at]}, got ${got[name][at]}`,
      );
    }
  }
}

/**
 * What is computed in float64 and rounded once: half an ulp of the element itself, and room for
 * the float64 sums.
 */
export function roundedOnce(got, want, label) {
  for (const name of Object.keys(want.scale)) {
    if (!got[name]) continue;
    for (let i = 0; i < want[name].length; i++) {
      const v = want[name][i];
      if (Object.is(got[name][i], Math.fround(v))) continue;
      const error = Math.abs(got[name][i] - v);
      if (error <= halfUlp(v) * (1 + 2 ** -12) + want.scale[name][i] * 2 ** -40) continue;
      assert.fail(`${label}: ${name}[${i}]: expected ${v} rounded once, got ${got[name][i]}`);
    }
  }
}
