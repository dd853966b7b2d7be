import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callAll, same } from '../helpers/call.js';
import { batchNormInference, batchNormTraining } from '../helpers/norms.js';
import { Problem } from '../helpers/problem.js';
import { BIASED_RUNNING, ERR_COUNT, ERR_VARIANCE, EXACT, OK } from '../helpers/signatures.js';
import { HEIGHTS, range, WIDTHS } from '../helpers/sizes.js';
import { product, testKernels } from '../helpers/suite.js';
import { FORWARD_UNITS, within } from '../helpers/ulp.js';

const lists = {
  sizes: [
    // every tail of a run, as one of few and of several channels
    ...product({ outer: [1, 2, 5], channels: [1, 3, 4], inner: range(2, 20) }),
    // channels last: strips of 256 channels, blocks of 32 rows
    ...product({ outer: [2, 3, 33], channels: WIDTHS.filter((w) => w < 1100), inner: [1] }),
    ...product({ outer: HEIGHTS.filter((n) => n > 1), channels: [1, 2, 7, 65, 300], inner: [1] }),
    ...product({ outer: [2], channels: [17, 257, 300], inner: [2, 3, 4, 5, 8, 9, 16, 17] }),
    ...product({ outer: HEIGHTS, channels: [3], inner: [2, 7, 50] }),
    // long channels
    ...product({ outer: [1, 2], channels: [3], inner: WIDTHS.filter((w) => w > 30) }),
    ...product({ outer: [4095, 4096, 4097, 10007], channels: [1, 3, 5], inner: [1] }),
    { outer: 200003, channels: 4, inner: 1 },
    { outer: 2, channels: 2, inner: 300007 },
    ...product({ outer: [1400], channels: [2], inner: [3, 8] }),
  ],
  few: [
    { outer: 3, channels: 4, inner: 5 },
    { outer: 2, channels: 5, inner: 1 },
    { outer: 7, channels: 3, inner: 1 },
    { outer: 1, channels: 2, inner: 9 },
    { outer: 9, channels: 5, inner: 1 },
    { outer: 2, channels: 3, inner: 37 },
  ],
  neighbours: [
    { outer: 9, channels: 15, inner: 1 },
    { outer: 35, channels: 14, inner: 1 },
    { outer: 5, channels: 14, inner: 6 },
    { outer: 3, channels: 14, inner: 67 },
    { outer: 3, channels: 260, inner: 1 },
    { outer: 300, channels: 14, inner: 1 },
    { outer: 2, channels: 14, inner: 1025 },
  ],
  lengths: [
    ...product({ outer: [2, 3, 37, 100, 513, 4099], channels: [5], inner: [1] }),
    ...product({ outer: [2], channels: [5], inner: [2, 5, 50, 257, 4099] }),
  ],
};

testKernels(batchNormTraining, lists);
testKernels(batchNormInference, lists);

describe('batch norm, running statistics', () => {
  const sizes = product({ outer: [2, 9], channels: [5], inner: [1, 4] });

  test('momentum 0 keeps the old ones, 1 takes the new ones, biased or not', () => {
    for (const one of product({ size: sizes, momentum: [0, 0.25, 1], flags: [0, EXACT] })) {
      const problem = new Problem(batchNormTraining, { ...one.size, momentum: one.momentum });
      for (const flags of [one.flags, one.flags | BIASED_RUNNING]) {
        const label = `${problem.label} flags=${flags}`;
        const got = problem.forward({ flags }, label);
        within(got, problem.wantForward({ flags }), FORWARD_UNITS, label);
        assert.equal(got.skipped, 0, label);
        if (one.momentum > 0) continue;
        const { runningMean, runningVar } = problem.inputs;
        same(got, { runningMean, runningVar }, label);
      }
    }
  });

  test('stay as they are where the batch is not finite, and are counted', () => {
    for (const one of product({ size: sizes, flags: [0, EXACT], value: [NaN, Infinity] })) {
      const clean = new Problem(batchNormTraining, one.size);
      const spoiled = [1, 4];
      const x = clean.inputs.x.slice();
      for (const c of spoiled) x[clean.axes.channel.indexOf(c)] = one.value;
      const problem = clean.with({ x }, `${one.value} in channels ${spoiled}`);
      const label = `${problem.label} flags=${one.flags}`;
      const got = problem.forward({ flags: one.flags }, label);
      const want = clean.forward({ flags: one.flags }, label);
      assert.equal(got.skipped, spoiled.length, label);
      for (const name of ['runningMean', 'runningVar']) {
        for (const c of spoiled) want[name][c] = problem.inputs[name][c];
        same({ [name]: got[name] }, { [name]: want[name] }, label);
      }
    }
  });

  test('of which one is negative, infinite or NaN are refused', () => {
    for (const value of [-1, -1e-30, Infinity, -Infinity, NaN]) {
      for (const at of [0, 4]) {
        for (const norm of [batchNormTraining, batchNormInference]) {
          const problem = new Problem(norm, sizes[0]);
          const { mean, rstd } = new Problem(batchNormTraining, sizes[0]).forward();
          problem.saved = new Map([[problem.inputs, { mean, rstd }]]);
          const runningVar = problem.inputs.runningVar.slice();
          runningVar[at] = value;
          const bad = problem.with({ runningVar }, `runningVar[${at}]=${value}`);
          const calls = norm.frozen ? [bad.forwardCall(), bad.backwardCall()] : [bad.forwardCall()];
          for (const call of calls) {
            const label = `${bad.label} ${call.fn.symbol}`;
            assert.equal(callAll(call, label).status, ERR_VARIANCE, label);
          }
        }
      }
    }
  });

  test('of 0, tiny and huge variance', () => {
    for (const { variance, eps } of product({
      variance: [0, 1e-40, 1e-30, 1, 1e30, 3e38],
      eps: [0, 1e-5],
    })) {
      for (const size of sizes) {
        const plain = new Problem(batchNormInference, { ...size, eps });
        const runningVar = plain.inputs.runningVar.map(() => variance);
        const problem = plain.with({ runningVar }, `variance=${variance}`);
        for (const flags of [0, EXACT]) {
          const label = `${problem.label} flags=${flags}`;
          within(problem.forward({ flags }), problem.wantForward(), FORWARD_UNITS, label);
          within(problem.backward({ flags }), problem.wantBackward(), FORWARD_UNITS, label);
        }
      }
    }
  });
});

test('training with one value per channel is refused', () => {
  for (const channels of [1, 4]) {
    const sizes = { outer: 1, channels, inner: 1 };
    const problem = new Problem(batchNormTraining, sizes);
    assert.equal(callAll(problem.forwardCall(), problem.label).status, ERR_COUNT);
    const inference = new Problem(batchNormInference, sizes);
    within(inference.forward(), inference.wantForward(), FORWARD_UNITS, inference.label);
  }
});

test('the backward of the inference needs no x without dgamma', () => {
  const problem = new Problem(batchNormInference, { outer: 3, channels: 4, inner: 5 });
  const without = ['dgamma'];
  const full = problem.backward({ without });
  const withoutX = problem.with({ x: undefined }, 'x is NULL').backward({ without });
  assert.equal(withoutX.status, OK);
  assert.equal(same(withoutX, full, problem.label), 2);
});
