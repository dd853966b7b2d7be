/*
 * 197 cases with the numbers of other projects (data/README.md) through the public API, on both
 * builds.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { compute } from './operations.js';

const GIVEN = 'the saved statistics are not those of the batch; backward takes them from x again';

/** Cases the library cannot express, and why. */
const SKIPPED = {
  'xla-batchnorm-grad-basic': GIVEN,
  'dl4j-batchnorm-bp-4': GIVEN,
  'dl4j-batchnorm-bp-5': GIVEN,
  'dl4j-batchnorm-bp-6': GIVEN,
  'dl4j-batchnorm-bp-8': GIVEN,
};

const data = new URL('data/', import.meta.url);
const cases = readdirSync(data)
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
 * @param {number} off  of the numbers against float64, to two digits (`verification`)
 */
function expectClose(got, want, { abs, rel }, off, label) {
  assert.equal(got?.length, want.length, `${label}: length`);
  const largest = want.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  const ours = largest < CANCELLED ? Infinity : 8 * 2 ** -23 * largest + 1.05 * off;
  for (let i = 0; i < want.length; i++) {
    const theirs = Math.max(abs + rel * Math.abs(want[i]), 2 ** -21 * largest);
    const allowed = Math.min(theirs, ours);
    const error = Math.abs(got[i] - want[i]);
    assert.ok(error <= allowed, `${label}[${i}]: expected ${want[i]} ± ${allowed}, got ${got[i]}`);
  }
}

for (const build of ['scalar', 'simd128']) {
  describe(`conformance, ${build}`, async () => {
    const an = await load({ build });
    let ran = 0;

    for (const one of cases.filter(({ id }) => !(id in SKIPPED))) {
      test(one.id, () => {
        const got = compute(an, one);
        const outputs = Object.keys(one.expected);
        assert.ok(outputs.length > 0);
        for (const name of outputs) {
          const off = one.verification?.maxAbsError?.[name] ?? 0;
          expectClose(got[name], one.expected[name], one.tolerance, off, name);
        }
        ran++;
      });
    }

    test('how many ran', () => {
      const skipped = cases.filter(({ id }) => id in SKIPPED);
      const ids = skipped.map(({ id }) => id).join(', ');
      console.log(`${build}: ${ran} of ${cases.length} cases, without ${ids}: ${GIVEN}`);
      assert.equal(cases.length, 197);
      assert.equal(skipped.length, 5);
      for (const { attrs } of skipped) assert.ok(attrs.givenStats);
      assert.equal(ran, 192);
    });
  });
}
