/* The statistics that everything is measured against, against integer arithmetic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from './cases.js';
import { NORMS } from './norms.js';
import { statistics } from './reference.js';

/** A float32 is a whole number of these. */
const STEP = 2 ** -149;

/** num / den to more than the digits of a double. */
const quotient = (num, den) => Number((num << 64n) / den) / 2 ** 64;

/** Mean and variance of a row, rounded once. */
function exactly(row) {
  const n = BigInt(row.length);
  const values = Array.from(row, (v) => BigInt(v / STEP));
  const sum = values.reduce((a, b) => a + b, 0n);
  const squares = values.reduce((a, v) => a + (n * v - sum) ** 2n, 0n);
  return { mean: quotient(sum, n) * STEP, variance: quotient(squares, n ** 3n) * STEP * STEP };
}

/** In units of the tables: 2^-23 of the spread. */
const TOLERANCE = 2 ** -23 / 1000;

test('mean and variance are right to a thousandth of a unit', () => {
  const layerNorm = NORMS.find(({ id }) => id === 'layerNorm');
  for (const { name, hostile, sizes, axes, inputs } of casesOf(layerNorm)) {
    if (!hostile || sizes.rows === 1) continue;
    const got = statistics(axes, inputs.x, { eps: 0 });
    for (let r = 0; r < 7; r++) {
      const want = exactly(inputs.x.subarray(r * sizes.cols, (r + 1) * sizes.cols));
      const label = `${name}, row ${r}`;
      const spread = Math.sqrt(want.variance);
      assert.ok(Math.abs(got.mean[r] - want.mean) <= TOLERANCE * spread, `${label}: mean`);
      assert.ok(
        Math.abs(got.variance[r] - want.variance) <= TOLERANCE * want.variance,
        `${label}: variance`,
      );
    }
  }
});
