// BatchNorm's running statistics: how they follow the batches, and what leaves them alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BatchNorm, CONVENTIONS, fromMomentum, toMomentum } from '../../js/layers/index.js';
import { sameBits } from '../helpers/bits.js';
import * as oracle from '../helpers/oracle.js';
import { randomArray } from '../helpers/random.js';
import { assertRefused } from '../js/support.js';
import { builds, fill, tensorsOf, valuesOf } from './support.js';

const C = 3;
const [an] = builds;

/** Batches of unequal size, each with a mean and a spread of its own. */
const BATCHES = [4, 1, 7, 2, 3].map((batch, k) => ({
  shape: [batch, C, 5],
  x: randomArray(`batch ${k}`, batch * C * 5, (u) => (k + 1) * u + 2 * k),
}));

/** Mean and variance of each channel in float64. */
function momentsOf({ shape: [outer, channels, inner], x }) {
  const axes = oracle.batchNormAxes({ outer, channels, inner });
  return oracle.statistics(axes, x, { eps: 0 });
}

/** A few roundings to float32. */
function near(got, want, label) {
  for (const [c, value] of want.entries()) {
    const error = Math.abs(got[c] - value);
    const allowed = 2 ** -21 * (1 + Math.abs(value));
    assert.ok(error <= allowed, `${label}[${c}]: expected ${value}, got ${got[c]}`);
  }
}

function expectRunning(layer, want, label) {
  near(layer.runningMean.data, want.runningMean, `${label}: running mean`);
  near(layer.runningVar.data, want.runningVar, `${label}: running var`);
}

const feed = (layer, { shape, x }) => layer.forward(x, { shape });

for (const build of builds) {
  describe(build.build, () => {
    for (const momentum of [0.1, 0, 1, 0.37]) {
      for (const runningVar of ['unbiased', 'biased']) {
        test(`momentum ${momentum}, ${runningVar}`, () => {
          const layer = fill(new BatchNorm(build, C, { momentum, runningVar }), 'running');
          const biased = runningVar === 'biased';
          for (const [k, batch] of BATCHES.entries()) {
            const { runningMean, runningVar } = valuesOf(layer);
            const before = { runningMean, runningVar };
            const want = oracle.running(momentsOf(batch), before, { momentum, biased });
            feed(layer, batch);
            expectRunning(layer, want, `batch ${k}`);
            if (momentum === 0) sameBits(layer.runningMean.slice(), runningMean, 'mean');
            if (momentum === 0) sameBits(layer.runningVar.slice(), runningVar, 'var');
            assert.equal(layer.numBatchesTracked, k + 1);
          }
          layer.dispose();
        });
      }
    }

    test('momentum null: the plain average over batches, whatever their size', () => {
      const layer = new BatchNorm(build, C, { momentum: null });
      const sums = { runningMean: new Float64Array(C), runningVar: new Float64Array(C) };
      for (const [k, batch] of BATCHES.entries()) {
        const { mean, variance, count } = momentsOf(batch);
        for (let c = 0; c < C; c += 1) {
          sums.runningMean[c] += mean[c];
          sums.runningVar[c] += (variance[c] * count[c]) / (count[c] - 1);
        }
        feed(layer, batch);
        const average = (sum) => sum.map((v) => v / (k + 1));
        const want = {
          runningMean: average(sums.runningMean),
          runningVar: average(sums.runningVar),
        };
        expectRunning(layer, want, `batch ${k}`);
      }
      assert.equal(layer.numBatchesTracked, BATCHES.length);
      layer.dispose();
    });
  });
}

describe('conventions', () => {
  const DEFAULTS = {
    torch: { eps: 1e-5, momentum: 0.1, runningVar: 'unbiased' },
    keras: { eps: 1e-3, momentum: 1 - 0.99, runningVar: 'biased' },
    onnx: { eps: 1e-5, momentum: 1 - 0.9, runningVar: 'biased' },
  };

  for (const [convention, want] of Object.entries(DEFAULTS)) {
    test(`${convention}: what is left out`, () => {
      const [short, long] = [{ convention }, want].map((options) => new BatchNorm(an, C, options));
      assert.equal(short.momentum, want.momentum);
      const ys = [short, long].map((layer) => BATCHES.map((batch) => feed(layer, batch)));
      for (const [k, y] of ys[0].entries()) sameBits(y, ys[1][k], `y of batch ${k}`);
      assert.deepEqual(short.stateDict(), long.stateDict());
      short.dispose();
      long.dispose();
    });

    test(`${convention}: momentum is counted its way, and what is given counts`, () => {
      const settings = { convention, eps: 0.5, runningVar: 'unbiased' };
      for (const [own, ours] of [
        [0.25, convention === 'torch' ? 0.25 : 0.75],
        [0, convention === 'torch' ? 0 : 1],
        [null, null],
      ]) {
        const layer = new BatchNorm(an, C, { ...settings, momentum: own });
        assert.equal(layer.momentum, ours);
        assert.equal(toMomentum(own, convention), ours);
        assert.equal(fromMomentum(ours, convention), own);
        const plain = new BatchNorm(an, C, { eps: 0.5, momentum: ours });
        for (const batch of BATCHES) sameBits(feed(layer, batch), feed(plain, batch), 'y');
        assert.deepEqual(layer.stateDict(), plain.stateDict());
        layer.dispose();
        plain.dispose();
      }
    });
  }

  test('are data that cannot be changed', () => {
    assert.deepEqual(Object.keys(CONVENTIONS), Object.keys(DEFAULTS));
    assert.throws(() => Object.assign(CONVENTIONS.torch, { eps: 1 }), TypeError);
  });

  test('what is no momentum and no convention', () => {
    for (const convert of [toMomentum, fromMomentum]) {
      const range = 'momentum: expected a number from 0 to 1, or null, got 1.1';
      assert.throws(() => convert(1.1, 'keras'), { name: 'RangeError', message: range });
      assert.throws(() => convert(undefined, 'keras'), TypeError);
      const known = "convention: expected 'torch', 'keras' or 'onnx', got 'tf'";
      assert.throws(() => convert(0.1, 'tf'), { name: 'RangeError', message: known });
    }
  });
});

describe('in inference', () => {
  test('the statistics are frozen, and gradients are those of constants', () => {
    const layer = fill(new BatchNorm(an, C), 'frozen').eval();
    const { shape, x } = BATCHES[3];
    const dy = randomArray('frozen dy', x.length, (u) => u + 0.1);
    const before = layer.stateDict();
    layer.forward(x, { shape });
    const dx = layer.backward(dy);
    const loss = (input) =>
      layer.forward(input, { shape }).reduce((sum, y, i) => sum + y * dy[i], 0);
    // y is linear in each: any step is small enough.
    const h = 1 / 4;
    const slope = (array, i, fn) => {
      const at = (step) => {
        const moved = array.slice();
        moved[i] += step;
        return fn(moved);
      };
      return (at(h) - at(-h)) / (2 * h);
    };
    const expectSlope = (got, want, label) =>
      assert.ok(Math.abs(got - want) < 1e-4, `${label}: expected ${want}, got ${got}`);
    for (const [i, gradient] of dx.entries()) expectSlope(gradient, slope(x, i, loss), `dx[${i}]`);
    for (const { name, value, gradient } of layer.parameters()) {
      const start = value.slice();
      for (let c = 0; c < C; c += 1) {
        const want = slope(start, c, (values) => {
          value.set(values);
          return loss(x);
        });
        expectSlope(gradient.data[c], want, `${name}[${c}]`);
      }
      value.set(start);
    }
    assert.deepEqual(layer.stateDict(), before);
    layer.dispose();
  });

  test('without running statistics it is the batch’s that count, and none are tracked', () => {
    const options = { trackRunningStats: false, affine: false };
    const layer = new BatchNorm(an, C, options);
    const plain = new BatchNorm(an, C);
    assert.equal(layer.runningMean, null);
    assert.equal(layer.runningVar, null);
    for (const batch of BATCHES) {
      sameBits(feed(layer.train(), batch), feed(plain, batch), 'training');
      sameBits(feed(layer.eval(), batch), feed(plain, batch), 'inference');
    }
    assert.equal(layer.numBatchesTracked, 0);
    assert.deepEqual(layer.stateDict(), {});
    layer.dispose();
    plain.dispose();
  });
});

describe('a batch of one value a channel', () => {
  for (const shape of [
    [1, C],
    [1, C, 1, 1],
  ]) {
    test(`[${shape}] is refused in training, and changes nothing`, () => {
      const x = randomArray('single', C);
      const message = `x: expected more than 1 value per channel when training, got shape [${shape.join(', ')}]`;
      for (const trackRunningStats of [true, false]) {
        const layer = fill(new BatchNorm(an, C, { trackRunningStats }), 'single');
        const tensors = Object.values(tensorsOf(layer));
        assertRefused(tensors, () => layer.forward(x, { shape }), RangeError, message);
        assert.equal(layer.numBatchesTracked, 0);
        layer.eval();
        if (trackRunningStats) assert.equal(layer.forward(x, { shape }).length, C);
        else assert.throws(() => layer.forward(x, { shape }), { name: 'RangeError', message });
        layer.dispose();
      }
    });
  }
});

test('an empty batch changes nothing, forward and backward', () => {
  const layer = fill(new BatchNorm(an, C, { momentum: null }), 'empty');
  const before = valuesOf(layer);
  const none = new Float32Array(0);
  for (const shape of [
    [0, C],
    [2, C, 0],
  ]) {
    for (const training of [true, false]) {
      assert.equal(layer.train(training).forward(none, { shape }).length, 0);
      assert.equal(layer.backward(none).length, 0);
    }
  }
  assert.deepEqual(valuesOf(layer), before);
  assert.equal(layer.numBatchesTracked, 0);
  layer.dispose();
});

describe('a batch that is not finite', () => {
  const [{ shape, x }, next] = BATCHES;
  /** x with a value in some channels. */
  const spoilt = (value, channels) => {
    const copy = x.slice();
    for (const c of channels) copy[5 * c + 2] = value;
    return copy;
  };

  for (const value of [NaN, Infinity, -Infinity]) {
    for (const channels of [[1], [0, 2], [0, 1, 2]]) {
      test(`${value} in channels ${channels}: their statistics stay, and the next batch counts`, () => {
        const layers = [0, 1].map(() => fill(new BatchNorm(an, C), 'finite'));
        const [layer, plain] = layers;
        const before = valuesOf(layer);
        layer.forward(spoilt(value, channels), { shape });
        plain.forward(x, { shape });
        assert.equal(layer.skippedChannels, channels.length);
        assert.equal(layer.numBatchesTracked, channels.length < C ? 1 : 0);
        for (const name of ['runningMean', 'runningVar']) {
          for (let c = 0; c < C; c += 1) {
            const want = channels.includes(c) ? before[name][c] : plain[name].data[c];
            assert.equal(layer[name].data[c], want, `${name}[${c}]`);
          }
        }
        assert.ok(feed(layer, next).every(Number.isFinite));
        assert.equal(layer.skippedChannels, 0);
        layer.forward(spoilt(value, channels), { shape });
        layer.eval().forward(x, { shape });
        assert.equal(layer.skippedChannels, 0, 'in inference there is nothing to leave alone');
        for (const one of layers) one.dispose();
      });
    }
  }

  test('the average goes on as if a batch of nothing else had not been', () => {
    const layers = [0, 1].map(() => new BatchNorm(an, C, { momentum: null }));
    const [layer, plain] = layers;
    layer.forward(spoilt(NaN, [0, 1, 2]), { shape });
    for (const one of layers) for (const batch of BATCHES) feed(one, batch);
    assert.deepEqual(layer.stateDict(), plain.stateDict());
    for (const one of layers) one.dispose();
  });
});
