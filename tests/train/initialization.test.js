// What the theory of Pre-LN and Post-LN says of models before training.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/train/index.js';
import { gradientRatio, RATIOS, stream } from '../experiments/initialization.js';

const t = await load();

for (const [placement, { least, most }] of Object.entries(RATIOS)) {
  test(`${placement}: the last gradient at depth 4 over that at depth 16`, () => {
    const { ratio } = gradientRatio(t, placement);
    assert.ok(ratio >= least && ratio <= most, `${ratio}`);
  });
}

test('pre: the stream grows within the bounds', () => {
  for (const { block, size, low, high, isInside } of stream(t)) {
    assert.ok(isInside, `block ${block}: ${size} is not between ${low} and ${high}`);
  }
});
