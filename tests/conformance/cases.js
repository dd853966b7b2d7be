/** The cases of data/ (data/README.md), and how near a result has to be. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** Why some cases are skipped. */
export const GIVEN =
  'the saved statistics are not those of the batch; backward takes them from x again';

/** Cases the library cannot express, and why. */
export const SKIPPED = {
  'xla-batchnorm-grad-basic': GIVEN,
  'dl4j-batchnorm-bp-4': GIVEN,
  'dl4j-batchnorm-bp-5': GIVEN,
  'dl4j-batchnorm-bp-6': GIVEN,
  'dl4j-batchnorm-bp-8': GIVEN,
};

const data = new URL('data/', import.meta.url);

export const cases = readdirSync(data)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, data), 'utf8')).cases);

/**
 * Below this all values expected are what cancellation leaves of larger ones, and have no last place
 * to count in: dx of nntrainer-ln-axis-1-2, beta of tfjs-fit-batchnorm-3d and
 * tfjs-fit-batchnorm-between-dense. The source's tolerance holds alone.
 */
const CANCELLED = 1e-9;

/**
 * The tighter of the source's tolerance (at least 2^-21 of the largest value expected) and 8 units
 * in the last place of that value beside what the source's own numbers are off: most print few
 * digits, or come from float16.
 *
 * @param {any} one  the case
 * @param {string} name  of the output
 * @param {ArrayLike<number>} got
 */
export function expectClose({ expected, tolerance, verification }, name, got) {
  const want = expected[name];
  const { abs, rel } = tolerance;
  // of the source's numbers against float64, to two digits
  const off = verification?.maxAbsError?.[name] ?? 0;
  assert.equal(got?.length, want.length, `${name}: length`);
  const largest = want.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  const ours = largest < CANCELLED ? Infinity : 8 * 2 ** -23 * largest + 1.05 * off;
  for (let i = 0; i < want.length; i++) {
    const theirs = Math.max(abs + rel * Math.abs(want[i]), 2 ** -21 * largest);
    const allowed = Math.min(theirs, ours);
    const error = Math.abs(got[i] - want[i]);
    assert.ok(error <= allowed, `${name}[${i}]: expected ${want[i]} ± ${allowed}, got ${got[i]}`);
  }
}
