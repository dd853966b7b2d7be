/*
 * 197 cases with the numbers of other projects (data/README.md) through the public API, on both
 * builds.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { cases, expectClose, GIVEN, SKIPPED } from './cases.js';
import { compute } from './operations.js';

for (const build of ['scalar', 'simd128']) {
  describe(`conformance, ${build}`, async () => {
    const an = await load({ build });
    let ran = 0;

    for (const one of cases.filter(({ id }) => !(id in SKIPPED))) {
      test(one.id, () => {
        const got = compute(an, one);
        const outputs = Object.keys(one.expected);
        assert.ok(outputs.length > 0);
        for (const name of outputs) expectClose(one, name, got[name]);
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
