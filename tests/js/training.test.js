// From forward to backward, BatchNorm's running statistics, and batches of nothing.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { randomArray } from '../helpers/random.js';

let an;
before(async () => {
  an = await load();
});

const near = (got, want, label) =>
  want.forEach((value, i) => {
    assert.ok(Math.abs(got[i] - value) <= 1e-5 * (1 + Math.abs(value)), `${label}[${i}] ${got[i]}`);
  });

describe('what forward returns is all that backward needs', () => {
  const x = randomArray('x', 48, (u) => u + 0.5);
  const dy = randomArray('dy', 48);
  const values = (length) => randomArray('parameter', length, (u) => u + 2);
  const shape = [2, 4, 6];
  const cases = {
    layerNorm: [{ shape, axis: 1, eps: 0.5 }, 'gamma', 24],
    'layerNorm, flat': [{ normalizedShape: 8, eps: 0.5 }, 'gamma', 8],
    rmsNorm: [{ shape, axis: -1, eps: 0.5, gammaOffset: 1, p: 0.5 }, 'gamma', 6],
    groupNorm: [{ shape, groups: 2, layout: 'NLC', eps: 0.5 }, 'gamma', 6],
    instanceNorm: [{ shape, layout: 'NLC', eps: 0.5 }, 'gamma', 6],
    batchNorm: [{ shape, layout: 'NLC', eps: 0.5 }, 'gamma', 6],
    'batchNorm, frozen': [
      {
        ...{ shape, layout: 'NLC', eps: 0.5, training: false },
        ...{ runningMean: values(6), runningVar: values(6) },
      },
      'gamma',
      6,
    ],
    weightStandardize: [{ shape, eps: 0.5 }, 'gain', 2],
  };

  for (const [label, [options, parameter, length]] of Object.entries(cases)) {
    const name = label.split(',')[0];
    test(`${label}: by finite differences`, () => {
      const scale = values(length);
      const loss = (input, parameters) => {
        const { y } = an[name].forward(input, { ...options, [parameter]: parameters, exact: true });
        return y.reduce((sum, value, i) => sum + value * dy[i], 0);
      };
      const f = an[name].forward(x, { ...options, [parameter]: scale });
      const result = an[name].backward(dy, { ...f, x, [parameter]: scale });
      const reordered = an[name].backward(dy, { x, [parameter]: scale, ...f });
      assert.deepEqual(reordered, result);
      const h = 1 / 64;
      const slope = (array, i, fn) => {
        const [up, down] = [array.slice(), array.slice()];
        up[i] += h;
        down[i] -= h;
        return (fn(up) - fn(down)) / (2 * h);
      };
      for (const i of [0, 13, 47]) {
        const want = slope(x, i, (input) => loss(input, scale));
        assert.ok(Math.abs(result.dx[i] - want) < 2e-3, `dx[${i}] ${result.dx[i]} ${want}`);
      }
      for (const i of [0, length - 1]) {
        const want = slope(scale, i, (parameters) => loss(x, parameters));
        const got = result[`d${parameter}`][i];
        assert.ok(Math.abs(got - want) < 2e-3, `d${parameter}[${i}] ${got} ${want}`);
      }
    });

    test(`${label}: tensors give the same`, () => {
      const scale = values(length);
      const f = an[name].forward(x, { ...options, [parameter]: scale });
      const want = an[name].backward(dy, { ...f, x, [parameter]: scale });
      an.scope((s) => {
        const [tx, tdy] = [s.tensor(shape, x), s.tensor(shape, dy)];
        const input = label.includes('flat') ? s.tensor([6, 8], x) : tx;
        const upstream = label.includes('flat') ? s.tensor([6, 8], dy) : tdy;
        const g = an[name].forward(input, { ...options, [parameter]: scale });
        const got = an[name].backward(upstream, { ...g, x: input, [parameter]: scale });
        for (const one of Object.keys(want)) assert.deepEqual(got[one].slice(), want[one], one);
      });
    });
  }

  test('the results of forward say how it was called', () => {
    const { y: _y, mean: _m, rstd: _r, ...context } = an.batchNorm.forward(x, { shape, eps: 0.25 });
    assert.deepEqual(context, {
      ...{ training: true, eps: 0.25, shape, channelAxis: 1, count: 12, skippedChannels: 0 },
    });
    const { y: _y2, rstd: _r2, ...rms } = an.rmsNorm.forward(x, { shape });
    assert.deepEqual(rms, { eps: 1e-5, gammaOffset: 0, p: 1, shape, normalizedShape: [6] });
  });
});

describe('rmsNorm', () => {
  test('p takes the smallest number of columns that is at least the part', () => {
    const x = randomArray('partial', 100);
    for (const [p, count] of [
      [1, 100],
      [0.07, 7],
      [0.29, 29],
      [0.57, 57],
      [0.071, 8],
      [1e-9, 1],
    ]) {
      const { rstd } = an.rmsNorm.forward(x, { normalizedShape: 100, p, eps: 0 });
      const square = x.subarray(0, count).reduce((sum, value) => sum + value * value, 0) / count;
      near(rstd, [1 / Math.sqrt(square)], `p = ${p}`);
    }
  });

  test('gammaOffset is added to gamma', () => {
    const x = Float32Array.of(3, 4);
    const gamma = Float32Array.of(0.5, -1);
    const with1 = an.rmsNorm(x, { gamma, gammaOffset: 1 });
    assert.deepEqual(with1, an.rmsNorm(x, { gamma: Float32Array.of(1.5, 0) }));
    assert.deepEqual(an.rmsNorm(x, { shape: [2], gammaOffset: 5 }), an.rmsNorm(x, { shape: [2] }));
  });
});

describe('batchNorm', () => {
  const x = Float32Array.of(1, 10, 2, 20, 3, 60); // [3][2]: means 2 and 30, variances 2/3 and 1400/3
  const shape = [3, 2];
  const statistics = () => ({
    runningMean: Float32Array.of(1, -1),
    runningVar: Float32Array.of(4, 1),
  });

  for (const [label, options, mean, variance] of [
    ['momentum 0.1 by default', {}, [1.1, 2.1], [3.7, 70.9]],
    ['momentum 1', { momentum: 1 }, [2, 30], [1, 700]],
    ['momentum 0', { momentum: 0 }, [1, -1], [4, 1]],
    ['biased', { momentum: 1, runningVarEstimate: 'biased' }, [2, 30], [2 / 3, 1400 / 3]],
    ['unbiased', { momentum: 1, runningVarEstimate: 'unbiased' }, [2, 30], [1, 700]],
    ['cumulative, first', { momentum: null, numBatchesTracked: 0 }, [2, 30], [1, 700]],
    ['cumulative, third', { momentum: null, numBatchesTracked: 2 }, [4 / 3, 28 / 3], [3, 234]],
  ]) {
    test(`${label}`, () => {
      const plain = statistics();
      const f = an.batchNorm.forward(x, { shape, ...plain, ...options });
      near(plain.runningMean, mean, 'runningMean');
      near(plain.runningVar, variance, 'runningVar');
      near(f.mean, [2, 30], 'mean');
      near(f.rstd, [Math.sqrt(3 / 2), Math.sqrt(3 / 1400)], 'rstd');
      an.scope((s) => {
        const tensors = Object.fromEntries(
          Object.entries(statistics()).map(([name, value]) => [name, s.tensor([2], value)]),
        );
        an.batchNorm.forward(s.tensor(shape, x), { ...tensors, ...options });
        for (const name of Object.keys(tensors)) {
          assert.deepEqual(tensors[name].slice(), plain[name], name);
        }
      });
    });
  }

  test('running statistics are left out of training without them', () => {
    const plain = an.batchNorm.forward(x, { shape });
    const { y } = an.batchNorm.forward(x, { shape, ...statistics() });
    assert.deepEqual(plain.y, y);
    assert.ok(an.batchNorm.forward(x, { shape, momentum: null }).y);
  });

  test('inference takes the running statistics and leaves them', () => {
    const running = statistics();
    const want = [0, 11, 0.5, 21, 1, 61].map(Math.fround);
    near(an.batchNorm(x, { shape, ...running, eps: 0 }), want, 'y');
    const f = an.batchNorm.forward(x, { shape, ...running, eps: 0, training: false });
    near(f.y, want, 'y');
    assert.equal(f.runningMean, running.runningMean);
    assert.deepEqual(running, statistics());
  });

  test('a channel with a NaN or an infinity is skipped, and counted', () => {
    for (const bad of [NaN, Infinity]) {
      const running = statistics();
      const spoiled = x.slice();
      spoiled[1] = bad;
      const f = an.batchNorm.forward(spoiled, { shape, ...running, momentum: 1 });
      assert.equal(f.skippedChannels, 1);
      near(running.runningMean, [2, -1], 'runningMean');
      near(running.runningVar, [1, 1], 'runningVar');
      assert.ok(Number.isNaN(f.y[3]) && !Number.isNaN(f.y[2]));
    }
  });

  test('frozen backward needs x only for dgamma', () => {
    const dy = Float32Array.of(1, 2, 3, 4, 5, 6);
    const f = an.batchNorm.forward(x, { shape, ...statistics(), training: false, eps: 0 });
    const { dx, dbeta } = an.batchNorm.backward(dy, { ...f, outputs: ['dx', 'dbeta'] });
    assert.deepEqual([...dx], [0.5, 2, 1.5, 4, 2.5, 6]);
    assert.deepEqual([...dbeta], [9, 12]);
  });
});

describe('batches of nothing', () => {
  const none = new Float32Array(0);
  const running = () => ({
    runningMean: Float32Array.of(1, 2, 3),
    runningVar: Float32Array.of(4, 5, 6),
  });
  const cases = {
    layerNorm: { shape: [0, 3], statistics: 0 },
    rmsNorm: { shape: [0, 3], statistics: 0 },
    groupNorm: { shape: [0, 3, 2], groups: 3, statistics: 0 },
    instanceNorm: { shape: [0, 3, 2], statistics: 0 },
    batchNorm: { shape: [0, 3, 2], statistics: 3 },
  };

  for (const [name, { statistics, ...options }] of Object.entries(cases)) {
    test(`${name}: empty results, gradients of zero, running statistics as they were`, () => {
      const own = name === 'batchNorm' ? running() : {};
      const gamma = Float32Array.of(1, 2, 3);
      assert.deepEqual(an[name](none, { ...options, gamma, ...own }), none);
      const f = an[name].forward(none, { ...options, gamma, ...own });
      assert.equal(f.y.length, 0);
      assert.equal(f.rstd.length, statistics);
      const { dx, ...rest } = an[name].backward(none, { ...f, x: none, gamma });
      assert.equal(dx.length, 0);
      for (const gradient of Object.values(rest)) assert.deepEqual([...gradient], [0, 0, 0]);
      if (name === 'batchNorm') assert.deepEqual(own, running());
    });
  }

  for (const shape of [
    [2, 3, 0],
    [0, 3, 0],
    [0, 3],
  ]) {
    test(`batchNorm: [${shape}] in either layout`, () => {
      const last = [shape[0], ...shape.slice(2), 3];
      for (const where of [{ shape }, { shape: last, channelAxis: -1 }]) {
        const own = running();
        assert.equal(an.batchNorm.forward(none, { ...where, ...own }).y.length, 0);
        assert.deepEqual(own, running());
      }
    });
  }

  test('tensors', () => {
    an.scope((s) => {
      const x = s.tensor([0, 3]);
      const y = an.layerNorm(x, { out: x });
      assert.equal(y, x);
      assert.deepEqual(an.layerNorm(x).shape, [0, 3]);
    });
  });
});
