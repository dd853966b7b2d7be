/*
 * The oracle's backward against central differences of its forward, in float64. What the kernels
 * are compared with is right only if this holds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oracle from '../helpers/oracle.js';
import { random } from '../helpers/random.js';

const STEP = 1e-5;

const layer = { axes: oracle.layerNormAxes };
const rms = { axes: oracle.rmsNormAxes, center: false };
const group = { axes: oracle.groupNormAxes };
const batch = { axes: oracle.batchNormAxes };
const weight = { axes: oracle.weightStandardizeAxes };

const CASES = [
  ['layer norm', layer, { rows: 3, cols: 7 }],
  ['layer norm, two columns', layer, { rows: 4, cols: 2 }],
  ['layer norm, variance near eps', layer, { rows: 3, cols: 5 }, { scale: 0.003 }],
  ['layer norm, eps 0', layer, { rows: 2, cols: 5 }, { eps: 0 }],
  ['RMS norm', rms, { rows: 3, cols: 7 }],
  ['RMS norm, partial', rms, { rows: 4, cols: 7, statCols: 3 }],
  ['RMS norm, gamma offset', rms, { rows: 3, cols: 5 }, { gammaOffset: 1 }],
  ['RMS norm, partial with offset', rms, { rows: 2, cols: 9, statCols: 8 }, { gammaOffset: 1 }],
  ['group norm', group, { batch: 2, channels: 6, spatial: 5, groups: 3 }],
  ['group norm, one group', group, { batch: 2, channels: 3, spatial: 4, groups: 1 }],
  ['instance norm', group, { batch: 3, channels: 4, spatial: 5, groups: 4 }],
  [
    'group norm, channels last',
    group,
    { batch: 2, channels: 6, spatial: 5, groups: 2, channelsLast: true },
  ],
  [
    'instance norm, channels last',
    group,
    { batch: 2, channels: 3, spatial: 7, groups: 3, channelsLast: true },
  ],
  ['batch norm, NC', batch, { outer: 5, channels: 3, inner: 1 }],
  ['batch norm, NCHW', batch, { outer: 2, channels: 3, inner: 4 }],
  ['batch norm, more channels than examples', batch, { outer: 2, channels: 7, inner: 1 }],
  ['batch norm, frozen', batch, { outer: 3, channels: 4, inner: 2 }, { frozen: true }],
  ['weight standardization', weight, { filters: 4, fanIn: 7 }],
];

for (const [name, { axes, center }, sizes, options = {}] of CASES) {
  test(name, () => {
    const { eps = 1e-5, gammaOffset = 0, scale = 1, frozen = false } = options;
    const a = axes(sizes);
    const next = random(name);
    const draw = (length, map = (u) => u) => Float64Array.from({ length }, () => map(next()));
    const inputs = {
      x: draw(a.set.length, (u) => scale * (3 * u + 0.4)),
      gamma: draw(a.channels),
      beta: draw(a.channels),
      dy: draw(a.set.length),
    };
    const runningMean = draw(a.sets);
    const runningVar = draw(a.sets, (u) => 1.5 + u);
    const statistics = (x) =>
      frozen
        ? oracle.frozenStatistics({ runningMean, runningVar, eps })
        : oracle.statistics(a, x, { eps, center });
    const loss = (values) => {
      const { y } = oracle.forward(a, values, statistics(values.x), { gammaOffset });
      return y.reduce((sum, v, i) => sum + v * inputs.dy[i], 0);
    };
    const got = oracle.backward(a, inputs, statistics(inputs.x), { center, gammaOffset });

    for (const [input, output] of [
      ['x', 'dx'],
      ['gamma', 'dgamma'],
      ['beta', 'dbeta'],
    ]) {
      const largest = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
      assert.ok(largest(got[output]) > 0, `${output} is not all zeros`);
      // the differences themselves are off by rounding, relative to the terms of the gradient
      const allowed = 1e-7 * largest(got[output]) + 1e-9 * largest(got.scale[output]);
      for (let i = 0; i < inputs[input].length; i++) {
        const step = input === 'x' ? STEP * scale : STEP;
        const at = (offset) => {
          const moved = inputs[input].slice();
          moved[i] += offset;
          return loss({ ...inputs, [input]: moved });
        };
        const want = (at(step) - at(-step)) / (2 * step);
        const error = Math.abs(got[output][i] - want);
        assert.ok(
          error <= allowed,
          `${output}[${i}]: differences say ${want}, the formula ${got[output][i]}`,
        );
      }
    }
  });
}

test('a constant row with eps 0 has zero gradients', () => {
  const a = oracle.layerNormAxes({ rows: 2, cols: 3 });
  const inputs = { x: [5, 5, 5, 1, 2, 4], dy: [1, 2, 3, 4, 5, 6] };
  const { dx } = oracle.backward(a, inputs, oracle.statistics(a, inputs.x, { eps: 0 }));
  assert.ok(dx.subarray(0, 3).every((v) => v === 0));
  assert.ok(dx.subarray(3).every((v) => Number.isFinite(v) && v !== 0));
});

test('accumulation adds to what was there', () => {
  const a = oracle.layerNormAxes({ rows: 2, cols: 3 });
  const inputs = { x: [5, 3, 1, 1, 2, 4], dy: [1, 2, 3, 4, 5, 6] };
  const stats = oracle.statistics(a, inputs.x, { eps: 1e-5 });
  const before = { dgamma: [10, 20, 30], dbeta: [1, 2, 3] };
  const fresh = oracle.backward(a, inputs, stats);
  const added = oracle.backward(a, inputs, stats, { before });
  for (const name of ['dgamma', 'dbeta']) {
    assert.deepEqual(
      [...added[name]],
      before[name].map((v, c) => v + fresh[name][c]),
    );
  }
});

test('running statistics', () => {
  const stats = oracle.statistics(
    oracle.batchNormAxes({ outer: 4, channels: 1, inner: 1 }),
    [1, 2, 3, 6],
    {
      eps: 0,
    },
  );
  const old = { runningMean: [10], runningVar: [20] };
  const unbiased = oracle.running(stats, old, { momentum: 0.25 });
  assert.equal(unbiased.runningMean[0], 0.75 * 10 + 0.25 * 3);
  assert.equal(unbiased.runningVar[0], 0.75 * 20 + 0.25 * (14 / 3));
  const biased = oracle.running(stats, old, { momentum: 0.25, biased: true });
  assert.equal(biased.runningVar[0], 0.75 * 20 + 0.25 * 3.5);
  assert.equal(biased.skipped, 0);
});
