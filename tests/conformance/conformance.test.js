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

/** The source's tolerance, but at least 2^-21 of the largest value expected. */
function expectClose(got, want, { abs, rel }, label) {
  assert.equal(got?.length, want.length, `${label}: length`);
  const largest = want.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  for (let i = 0; i < want.length; i++) {
    const allowed = Math.max(abs + rel * Math.abs(want[i]), 2 ** -21 * largest);
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
        for (const name of outputs) expectClose(got[name], one.expected[name], one.tolerance, name);
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
