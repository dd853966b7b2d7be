// Learning rates, step by step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schedule } from '../../js/train/schedule.js';

function rates(steps, settings) {
  const schedule = new Schedule(settings);
  return steps.map((step) => {
    const at = { step, rate: NaN };
    schedule.apply(at);
    return at.rate;
  });
}

const near = (got, want) =>
  got.forEach((rate, i) => {
    assert.ok(Math.abs(rate - want[i]) < 1e-15, `${i}: expected ${want[i]}, got ${rate}`);
  });

test('without warm-up and decay the rate never changes', () => {
  const settings = { rate: 6e-3, warmup: 0, decay: 'none' };
  assert.deepEqual(rates([1, 2, 1000], settings), [6e-3, 6e-3, 6e-3]);
});

test('warm-up grows by the same each step, starts above 0 and ends at the rate', () => {
  const settings = { rate: 6e-3, warmup: 300, decay: 'none' };
  near(rates([1, 2, 150, 299], settings), [2e-5, 4e-5, 3e-3, 5.98e-3]);
  assert.deepEqual(rates([300, 301, 600], settings), [6e-3, 6e-3, 6e-3]);
});

test('inverse square root: after warm-up, like 1 / sqrt(step)', () => {
  const settings = { rate: 1, decay: 'inverseSqrt' };
  near(rates([2, 4, 16, 64], { ...settings, warmup: 4 }), [0.5, 1, 0.5, 0.25]);
  near(rates([1, 4, 9, 100], { ...settings, warmup: 0 }), [1, 0.5, 1 / 3, 0.1]);
});

test('decay can begin later than the warm-up ends, or without any', () => {
  const settings = { rate: 1, decay: 'inverseSqrt', decayFrom: 9 };
  near(rates([1, 4, 9, 36], { ...settings, warmup: 4 }), [0.25, 1, 1, 0.5]);
  near(rates([1, 4, 9, 36], { ...settings, warmup: 0 }), [1, 1, 1, 0.5]);
  assert.deepEqual(rates([100], { ...settings, warmup: 0, decay: 'none' }), [1]);
});
