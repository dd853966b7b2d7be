// The same values in every layout, against each other by transposition.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { randomArray } from '../helpers/random.js';

let an;
before(async () => {
  an = await load();
});

const [N, C] = [2, 6];
const SPACES = { '': [], L: [5], HW: [3, 4], DHW: [2, 3, 2] };

const product = (sizes) => sizes.reduce((a, b) => a * b, 1);

/** [N][C][S] to [N][S][C]. */
function toLast(x, space) {
  const y = new Float32Array(x.length);
  for (let n = 0; n < N; n += 1) {
    for (let c = 0; c < C; c += 1) {
      for (let s = 0; s < space; s += 1) y[(n * space + s) * C + c] = x[(n * C + c) * space + s];
    }
  }
  return y;
}

const parameters = () => ({
  gamma: randomArray('layout gamma', C),
  beta: randomArray('layout beta', C),
});
const running = () => ({
  runningMean: randomArray('layout mean', C),
  runningVar: randomArray('layout var', C, (u) => u + 1.5),
});

/** Everything that a norm computes, with the options that say where the channels are. */
const NORMS = {
  groupNorm: (x, dy, where) => {
    const f = an.groupNorm.forward(x, { ...where, ...parameters(), groups: 3 });
    return { ...f, ...an.groupNorm.backward(dy, { ...f, x, gamma: parameters().gamma }) };
  },
  instanceNorm: (x, dy, where) => {
    const f = an.instanceNorm.forward(x, { ...where, ...parameters() });
    return { ...f, ...an.instanceNorm.backward(dy, { ...f, x, gamma: parameters().gamma }) };
  },
  'batchNorm in training': (x, dy, where) => {
    const statistics = running();
    const f = an.batchNorm.forward(x, { ...where, ...parameters(), ...statistics });
    const gradients = an.batchNorm.backward(dy, { ...f, x, gamma: parameters().gamma });
    return { ...f, ...gradients, ...statistics };
  },
  'batchNorm in inference': (x, dy, where) => {
    const options = { ...where, ...parameters(), ...running() };
    const f = an.batchNorm.forward(x, { ...options, training: false });
    assert.deepEqual(an.batchNorm(x, options), f.y);
    return { ...f, ...an.batchNorm.backward(dy, { ...f, x, gamma: parameters().gamma }) };
  },
};

const ARRAYS = ['y', 'mean', 'rstd', 'dx', 'dgamma', 'dbeta', 'runningMean', 'runningVar'];
const arraysOf = (result) =>
  Object.fromEntries(ARRAYS.filter((name) => name in result).map((name) => [name, result[name]]));

for (const [name, run] of Object.entries(NORMS)) {
  describe(name, () => {
    for (const [axes, sizes] of Object.entries(SPACES)) {
      const space = product(sizes);
      const first = { shape: [N, C, ...sizes] };
      const last = { shape: [N, ...sizes, C] };
      const rank = sizes.length + 2;
      const x = randomArray(`layout x ${axes}`, N * C * space, (u) => 2 * u + 1);
      const dy = randomArray(`layout dy ${axes}`, N * C * space);
      const [xLast, dyLast] = [toLast(x, space), toLast(dy, space)];

      for (const [label, where] of [
        [`NC${axes}`, { layout: `NC${axes}` }],
        ['channelsFirst', { layout: 'channelsFirst' }],
        ['channelAxis 1', { channelAxis: 1 }],
        ['channelAxis from the end', { channelAxis: 1 - rank }],
        ['layout and channelAxis', { layout: `NC${axes}`, channelAxis: 1 }],
      ]) {
        test(`NC${axes} as ${label}`, () => {
          const want = arraysOf(run(x, dy, first));
          assert.deepEqual(arraysOf(run(x, dy, { ...first, ...where })), want);
        });
      }

      for (const [label, where] of [
        ...(axes ? [[`N${axes}C`, { layout: `N${axes}C` }]] : []),
        ['channelsLast', { layout: 'channelsLast' }],
        ['channelAxis', { channelAxis: rank - 1 }],
        ['channelAxis -1', { channelAxis: -1 }],
      ]) {
        test(`N${axes}C as ${label}`, () => {
          const want = arraysOf(run(x, dy, first));
          for (const one of ['y', 'dx']) want[one] = toLast(want[one], space);
          const got = arraysOf(run(xLast, dyLast, { ...last, ...where }));
          assert.deepEqual(Object.keys(got), Object.keys(want));
          for (const [array, values] of Object.entries(want)) {
            values.forEach((value, i) => {
              const error = Math.abs(got[array][i] - value);
              assert.ok(error <= 1e-5 * (1 + Math.abs(value)), `${array}[${i}]`);
            });
          }
        });
      }
    }
  });
}

test('batchNorm takes any axis for the channels', () => {
  const x = randomArray('axis 0', 24);
  const want = an.batchNorm.forward(x, { shape: [1, 4, 6] });
  for (const [shape, channelAxis] of [
    [[4, 6], 0],
    [[1, 1, 4, 2, 3], 2],
    [[4, 2, 3], -3],
  ]) {
    const f = an.batchNorm.forward(x, { shape, channelAxis });
    assert.deepEqual([f.y, f.mean, f.rstd], [want.y, want.mean, want.rstd]);
  }
});

test('instanceNorm is groupNorm with as many groups as channels', () => {
  const x = randomArray('instance', N * C * 5);
  const options = { shape: [N, C, 5], ...parameters() };
  const want = an.groupNorm.forward(x, { ...options, groups: C });
  const got = an.instanceNorm.forward(x, options);
  assert.deepEqual([got.y, got.mean, got.rstd], [want.y, want.mean, want.rstd]);
});

test('one group is not layerNorm: its parameters are per channel', () => {
  const x = randomArray('one group', N * C * 5);
  const plain = an.groupNorm(x, { shape: [N, C, 5], groups: 1 });
  const rows = an.layerNorm(x, { shape: [N, C, 5], axis: 1 });
  plain.forEach((y, i) => {
    assert.ok(Math.abs(y - rows[i]) <= 2 ** -21 * Math.abs(y) + 2 ** -22, `y[${i}]`);
  });
  const gamma = randomArray('one group gamma', C);
  assert.ok(an.groupNorm(x, { shape: [N, C, 5], groups: 1, gamma }));
  assert.throws(() => an.layerNorm(x, { shape: [N, C, 5], axis: 1, gamma }), RangeError);
});

describe('rows', () => {
  const x = randomArray('rows', 24);
  const same = [
    [{ shape: [2, 3, 4] }, { normalizedShape: 4 }],
    [{ shape: [2, 3, 4], axis: -1 }, { normalizedShape: [4] }],
    [{ shape: [2, 3, 4], axis: 2 }, { shape: [6, 4] }],
    [{ shape: [2, 3, 4], axis: 1 }, { normalizedShape: [3, 4] }],
    [{ shape: [2, 3, 4], normalizedShape: [3, 4] }, { normalizedShape: 12 }],
    [{ shape: [2, 3, 4], normalizedShape: Int32Array.of(3, 4), axis: -2 }, { normalizedShape: 12 }],
    [{ shape: [2, 3, 4], axis: 0 }, { normalizedShape: 24 }],
    [{ gamma: new Float32Array(4).fill(1) }, { normalizedShape: 4 }],
  ];
  for (const [i, [one, other]] of same.entries()) {
    for (const norm of ['layerNorm', 'rmsNorm']) {
      test(`${norm}: ${i + 1}`, () => {
        assert.deepEqual(an[norm](x, one), an[norm](x, other));
        assert.notDeepEqual(an[norm](x, one), an[norm](x, { normalizedShape: 2 }));
      });
    }
  }

  test('the length of beta tells the size as well', () => {
    const beta = new Float32Array(4);
    assert.deepEqual(an.layerNorm(x, { beta }), an.layerNorm(x, { normalizedShape: 4 }));
  });
});
