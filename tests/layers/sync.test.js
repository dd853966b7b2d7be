// SyncBatchNorm of several workers is BatchNorm of their batches in one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BatchNorm, SyncBatchNorm } from '../../js/layers/index.js';
import { sameBits } from '../helpers/bits.js';
import { asyncProperty, reportErrors } from '../properties/property.js';
import {
  batches,
  batchOf,
  EXACT,
  expectUnits,
  joined,
  settingsOf,
  USUAL,
  wholeOf,
} from './batches.js';
import { builds, valuesOf } from './support.js';
import { disposeAll, together, workersOf } from './workers.js';

const [an] = builds;

/** State that all workers have to share, to the bit. */
function expectAlike(workers, label) {
  const [first, ...others] = workers.map(({ layer }) => valuesOf(layer));
  for (const other of others) {
    for (const name of Object.keys(first)) sameBits(other[name], first[name], `${label}: ${name}`);
  }
  const counts = workers.map(({ layer }) => [layer.numBatchesTracked, layer.skippedChannels]);
  for (const count of counts) assert.deepEqual(count, counts[0], label);
}

asyncProperty(
  'within the units of one call, 1 of an exact one, and the same on all workers',
  150,
  fc.record({
    drawn: batches(),
    momentum: fc.constantFrom(0.1, 1, 0.5, null),
    runningVar: fc.constantFrom('unbiased', 'biased'),
  }),
  async ({ drawn, momentum, runningVar }) => {
    const batch = batchOf(drawn);
    const { chunks, where, channels } = batch;
    const settings = settingsOf(batch);
    const options = { ...where, momentum, runningVar, eps: settings.eps };
    const { workers, met } = workersOf(chunks.length, channels, options, settings);
    const passes = await together(workers, async ({ sync }, k) => {
      const { x, shape, dy } = chunks[k];
      const y = await sync.forward(x, { shape });
      return { y, dx: await sync.backward(dy) };
    });
    assert.deepEqual(met, { rounds: 2, values: [1 + 2 * channels, 2 * channels] });
    expectAlike(workers, batch.label);
    const { dgamma, dbeta, runningMean, runningVar: variance } = valuesOf(workers[0].layer);
    const got = {
      ...{ y: joined(passes.map(({ y }) => y)), dx: joined(passes.map(({ dx }) => dx)) },
      ...{ dgamma, dbeta, runningMean, runningVar: variance },
    };
    const running = { momentum, numBatchesTracked: 0, runningVarEstimate: runningVar };
    for (const build of builds) {
      expectUnits(got, wholeOf(build, batch, settings, running), batch, settings, USUAL);
      const exact = wholeOf(build, batch, settings, { ...running, exact: true });
      expectUnits(got, exact, batch, settings, EXACT);
    }
    disposeAll(workers);
  },
);

reportErrors('workers');

const C = 2;
const SHAPES = [
  [3, C],
  [1, C],
  [4, C],
];
const STATE = {
  ...{ gamma: Float32Array.of(2, -1), beta: Float32Array.of(0.5, 0) },
  ...{ runningMean: Float32Array.of(1, 2), runningVar: Float32Array.of(3, 4) },
};
const chunk = (k, map = (v) => v) =>
  Float32Array.from({ length: SHAPES[k][0] * C }, (_, i) => map(Math.sin(i + 10 * k), i));
const three = (options = {}) => workersOf(3, C, options, STATE);
const forward = (workers, map) =>
  together(workers, ({ sync }, k) => sync.forward(chunk(k, map), { shape: SHAPES[k] }));

test('gradients are added up until zeroGrad', async () => {
  const { workers } = three();
  await forward(workers);
  const backward = () => together(workers, ({ sync }, k) => sync.backward(chunk(k)));
  await backward();
  const once = valuesOf(workers[0].layer);
  await backward();
  const twice = valuesOf(workers[0].layer);
  for (const name of ['dgamma', 'dbeta']) {
    assert.deepEqual(
      twice[name],
      once[name].map((v) => 2 * v),
    );
  }
  disposeAll(workers);
});

test('without parameters and running statistics', async () => {
  const { workers, met } = three({ affine: false, trackRunningStats: false });
  for (const training of [true, false]) {
    for (const { layer } of workers) layer.train(training);
    const y = joined(await forward(workers));
    const x = joined(SHAPES.map((_, k) => chunk(k)));
    const want = an.batchNorm.forward(x, { shape: [8, C], exact: true });
    for (const [i, v] of want.y.entries()) assert.ok(Math.abs(y[i] - v) < 1e-6);
    await together(workers, ({ sync }, k) => sync.backward(chunk(k)));
    assert.equal(workers[0].layer.numBatchesTracked, 0);
  }
  assert.equal(met.rounds, 4);
  disposeAll(workers);
});

test('in inference nothing is sent, and the kernels do the work', async () => {
  const { workers, met } = three();
  for (const { layer } of workers) layer.eval();
  const ys = await forward(workers);
  for (const [k, { layer, sync }] of workers.entries()) {
    const dx = await sync.backward(chunk(k));
    const gradients = valuesOf(layer);
    layer.zeroGrad();
    sameBits(ys[k], layer.forward(chunk(k), { shape: SHAPES[k] }), 'y');
    sameBits(dx, layer.backward(chunk(k)), 'dx');
    assert.deepEqual(valuesOf(layer), gradients);
    assert.equal(layer.numBatchesTracked, 0);
  }
  assert.equal(met.rounds, 0);
  disposeAll(workers);
});

test('a value that is not finite on one worker leaves a channel alone on all', async () => {
  const { workers } = three();
  await forward(workers, (v, i) => (i === 1 ? Infinity : v));
  expectAlike(workers, 'not finite');
  const { layer } = workers[0];
  assert.equal(layer.skippedChannels, 1);
  assert.equal(layer.numBatchesTracked, 1);
  assert.equal(layer.runningMean.data[1], STATE.runningMean[1]);
  assert.notEqual(layer.runningMean.data[0], STATE.runningMean[0]);
  await forward(workers, () => NaN);
  assert.equal(layer.skippedChannels, 2);
  assert.equal(layer.numBatchesTracked, 1);
  disposeAll(workers);
});

test('no values on any worker change nothing', async () => {
  const { workers } = three();
  const none = new Float32Array(0);
  const ys = await together(workers, ({ sync }) => sync.forward(none, { shape: [0, C] }));
  for (const y of ys) assert.equal(y.length, 0);
  for (const { layer } of workers) {
    assert.equal(layer.numBatchesTracked, 0);
    assert.deepEqual(layer.runningMean.slice(), STATE.runningMean);
  }
  disposeAll(workers);
});

test('tensors and objects with a shape are taken, results go to out', async () => {
  const { workers } = three();
  const want = await forward(workers);
  const x = workers.map(({ layer: _ }, k) => builds[k % 2].tensor(SHAPES[k], chunk(k)));
  const dx = await together(workers, ({ sync }, k) => sync.backward(chunk(k)));
  await together(workers, async ({ sync }, k) => {
    const out = new Float32Array(x[k].length);
    assert.equal(await sync.forward(x[k], { out }), out);
    sameBits(out, want[k], 'y');
    assert.equal(await sync.backward({ data: chunk(k), dims: SHAPES[k] }, { out }), out);
    sameBits(out, dx[k], 'dx');
  });
  for (const tensor of x) tensor.dispose();
  disposeAll(workers);
});

describe('refused', () => {
  const layer = new BatchNorm(an, C);
  const alone = () => new SyncBatchNorm(layer, async (own) => [own]);
  const x = chunk(0);
  const shape = SHAPES[0];

  for (const [label, args, message] of [
    ['what is no BatchNorm', [{}, () => {}], 'layer: expected a BatchNorm, got Object'],
    [
      'what is no function',
      [layer, []],
      'gather: expected a function that gathers arrays, got Array',
    ],
  ]) {
    test(label, () => {
      assert.throws(() => new SyncBatchNorm(...args), { name: 'TypeError', message });
    });
  }

  const missing = (what) => ({
    name: 'ReferenceError',
    message: `SyncBatchNorm.backward: expected ${what}`,
  });

  test('backward before forward, and after one that was refused', async () => {
    const sync = alone();
    const error = missing('a forward call before it');
    await assert.rejects(sync.backward(x), error);
    await sync.forward(x, { shape });
    await assert.rejects(sync.forward(x, { shape: [2, 3] }), RangeError);
    await assert.rejects(sync.backward(x), error);
  });

  test('backward where forward or backward has overwritten x', async () => {
    const sync = alone();
    const own = x.slice();
    await sync.forward(own, { shape, out: own });
    await assert.rejects(sync.backward(x), missing('an x that forward has not overwritten'));
    own.set(x);
    await sync.forward(own, { shape });
    await sync.backward(x, { out: own });
    await assert.rejects(sync.backward(x), missing('an x that backward has not overwritten'));
  });

  for (const [label, call, type, message] of [
    [
      'an unknown option',
      (s) => s.forward(x, { shape, mask: [1] }),
      'TypeError',
      "SyncBatchNorm.forward: unknown option 'mask'",
    ],
    [
      'one of backward',
      (s) => s.backward(x, { shape }),
      'TypeError',
      "SyncBatchNorm.backward: unknown option 'shape'",
    ],
    ['no shape', (s) => s.forward(x), 'TypeError', 'shape: expected the shape of x, got undefined'],
    [
      'other channels',
      (s) => s.forward(x, { shape: [2, 3] }),
      'RangeError',
      'x: expected 2 channels, got 3 in shape [2, 3]',
    ],
    [
      'no array',
      (s) => s.forward([1], { shape: [1, 2] }),
      'TypeError',
      /^x: expected Float32Array, .* got Array$/,
    ],
    [
      'a bad out',
      (s) => s.forward(x, { shape, out: [] }),
      'TypeError',
      /^out: expected Float32Array, .* got Array$/,
    ],
    [
      'one value on all workers',
      (s) => s.forward(x.subarray(0, 2), { shape: [1, 2] }),
      'RangeError',
      'x: expected more than 1 value per channel when training, got one on all workers',
    ],
  ]) {
    test(label, async () => {
      const before = layer.stateDict();
      await assert.rejects(call(alone()), { name: type, message });
      assert.deepEqual(layer.stateDict(), before);
    });
  }

  const expected = (length) =>
    `gather: expected a list of Float64Arrays of length ${length}, one a worker`;

  for (const [label, gather, got] of [
    ['nothing', async () => undefined, 'undefined'],
    ['the array alone', async (own) => own, 'Float64Array'],
    ['no arrays', async () => [], 'Array'],
    ['an array of another kind', async (own) => [own, [...own]], 'Array'],
    ['an array of another length', async (own) => [own, own.subarray(1)], 'Array'],
  ]) {
    test(`a gather that gives ${label}`, async () => {
      const before = layer.stateDict();
      const isGiven = { forward: false };
      const sync = new SyncBatchNorm(layer, (own) => (isGiven.forward ? [own] : gather(own)));
      const error = (length) => ({ name: 'TypeError', message: `${expected(length)}, got ${got}` });
      await assert.rejects(sync.forward(x, { shape }), error(1 + 2 * C));
      assert.deepEqual(layer.stateDict(), before);
      isGiven.forward = true;
      await sync.forward(x, { shape });
      isGiven.forward = false;
      const gradient = layer.weight.gradient.slice();
      await assert.rejects(sync.backward(x), error(2 * C));
      assert.deepEqual(layer.weight.gradient.slice(), gradient);
    });
  }
});
