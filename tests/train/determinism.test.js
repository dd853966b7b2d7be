// The same seed gives the same bits: twice, on both builds, and as they were pinned here. The
// browser tests compare the same word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from './fingerprint.js';
import { FINGERPRINT, START } from './pinned.js';
import { builds } from './support.js';

for (const t of builds) {
  test(`parameters at the start, ${t.build}`, () => {
    assert.equal(fingerprint(t, { steps: 0 }), START);
  });

  test(`parameters after training, ${t.build}`, () => {
    assert.equal(fingerprint(t), FINGERPRINT);
    assert.equal(fingerprint(t), FINGERPRINT, 'a second time');
  });

  test(`seeds and placements, ${t.build}`, () => {
    const start = (settings) => {
      const model = t.transformer({ vocabulary: 5, tokens: 4, depth: 2, ...settings });
      const values = model.parameters.filter(({ name }) => /(weight|table|positions)$/.test(name));
      const all = values.flatMap(({ values }) => [...values]);
      model.dispose();
      return all;
    };
    const seeded = start({ seed: 1 });
    assert.notDeepEqual(start({ seed: 2 }), seeded);
    for (const placement of ['post', 'sandwich', 'none']) {
      assert.deepEqual(start({ seed: 1, placement, norm: 'rms' }), seeded, placement);
    }
  });
}
