/*
 * Each field case is one of a kind. Here the same kinds of fault are looked for in the other norms,
 * layouts and sizes, against the oracle, on both builds.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transpose } from '../conformance/axes.js';
import { same } from '../helpers/call.js';
import * as oracle from '../helpers/oracle.js';
import { Problem } from '../helpers/problem.js';
import { product, range } from '../helpers/suite.js';
import { FORWARD_UNITS, GRADIENT_UNITS, within } from '../helpers/ulp.js';
import { largestError } from '../helpers/units.js';
import { allCalls, assertRefused, callOf, giveOut } from '../js/support.js';
import { builds, everywhere } from '../properties/api.js';
import { NORMS, specOf } from '../properties/problems.js';
import { reportErrors } from '../properties/property.js';
import { againstOracle, CENTRED_NORMS, everyNorm, SET_NORMS } from '../properties/sets.js';

const LENGTHS = [4, 7, 64, 1027];

/** Kinds that are values: for every norm and layout, sets of these lengths with these values. */
const VALUES = {
  'F01, F02: a one-pass variance cancels': {
    lengths: [...LENGTHS, 4099],
    values: [40000, 1e6, -(2 ** 23) + 8].map((base) => ({ x: (i) => base + (i % 4) })),
  },
  'F02: the rounded mean is off by more than the spread': {
    lengths: LENGTHS,
    values: [100, 1000, 10000].map((base) => ({ x: (i) => base + 0.001 * (i % 16) })),
  },
  'F04: eps decides': {
    lengths: [2, 4, 99, 1027],
    values: [1e-5, 1e-3, 0.1, 10].map((eps) => ({ eps, x: (_, u) => 0.1 + 0.01 * u })),
  },
  'F05, F06: sums and squares overflow': {
    lengths: LENGTHS,
    values: [1e19, 1e25, 3.4e38].flatMap((size) => [
      { x: (_, u) => size * u },
      { x: (i) => (i % 2 ? -size : size) },
      { x: (_, u) => size * (0.9 + 0.1 * u) },
    ]),
  },
  'F06: squares vanish': {
    lengths: LENGTHS,
    values: [1e-20, 1e-30, 1e-40].flatMap((size) => [
      { eps: 0, x: (_, u) => size * u },
      { x: (_, u) => size * u },
    ]),
  },
  'F08: idle lanes of the tail count': {
    lengths: [...range(1, 19), 31, 33, 257, 769, 1021],
    values: [10, -50, 1000].map((mean) => ({ x: (_, u) => mean + u })),
    ways: [{ way: 'views', offset: 1 }],
    isBatch: (n) => n > 1,
  },
  'F09: what is around an array is read or written': {
    lengths: [2, 5, 8, 33],
    values: [{ x: (_, u) => 3 + u }],
    ways: product({ way: ['views', 'tensorViews'], offset: [1, 2, 3] }),
  },
  'F11: dx over dy or x reads what it has written': {
    lengths: [2, 8, 33, 513, 4099],
    values: [{ x: (_, u) => 3 + u }, { x: (_, u) => 1e30 * u }],
    ways: product({ way: ['arrays', 'views', 'tensors'], offset: [1], over: ['dy', 'x'] }),
  },
};

describe('values', () => {
  for (const [kind, { lengths, values, ways = [{}], isBatch = () => true }] of Object.entries(
    VALUES,
  )) {
    test(kind, () => {
      let count = 0;
      for (const n of lengths) {
        const names = SET_NORMS.filter((name) => name !== 'batchNormTraining' || isBatch(n));
        for (const options of values) {
          for (const problem of everyNorm(n, options, names)) {
            for (const how of ways) againstOracle(problem, how);
            againstOracle(problem, { exact: true });
            count++;
          }
        }
      }
      assert.ok(count >= lengths.length * values.length * (SET_NORMS.length - 1));
    });
  }

  test('F03: constant sets, of lengths by which no sum divides evenly', () => {
    for (const n of [2, 3, 7, 49, 99, 193, 1031, 4099]) {
      for (const value of [1234, 12345.68359375, 0.1, -3e-5, 16777215]) {
        for (const problem of everyNorm(n, { x: () => value }, CENTRED_NORMS)) {
          const got = againstOracle(problem);
          const { beta } = problem.inputs;
          const { channel } = problem.axes;
          for (const [i, v] of got.y.entries()) {
            if (v !== (beta ? beta[channel[i]] : 0)) assert.fail(`${problem.label}: y[${i}]`);
          }
          assert.ok(
            got.dgamma.every((v) => v === 0),
            `${problem.label}: dgamma`,
          );
        }
      }
    }
  });

  test('F07: sets of one value are beta and have no gradient', () => {
    const names = CENTRED_NORMS.filter((name) => name !== 'batchNormTraining');
    for (const value of [1e6, -3, 0, 3e38, 1e-45]) {
      for (const plain of everyNorm(1, { x: () => value }, names)) {
        const gamma = plain.inputs.gamma.map((v) => 1e30 * v);
        for (const problem of [plain, plain.with({ gamma }, 'gamma of 1e30')]) {
          const { y, dx, dgamma } = everywhere(specOf(problem));
          const { beta } = problem.inputs;
          const { channel } = problem.axes;
          for (const [i, v] of y.entries()) assert.equal(v, beta ? beta[channel[i]] : 0);
          assert.ok(
            [...dx, ...dgamma].every((v) => v === 0),
            problem.label,
          );
        }
      }
    }
  });

  test('F07: RMSNorm of one value is no sign', () => {
    for (const eps of [1e-5, 0.1]) {
      for (const value of [0, 0.001, -0.001, 5, -1e-7]) {
        for (const problem of everyNorm(1, { x: () => value, eps }, ['rmsNorm'])) {
          againstOracle(problem);
        }
      }
    }
  });
});

/**
 * Many of what the sums of dgamma and dbeta go over; primes, and one more than blocks have. Sets of
 * fewer than 8 values are summed in another way than longer ones.
 */
const MANY = {
  layerNorm: (n) => product({ rows: [n], cols: [5, 11] }),
  rmsNorm: (n) => product({ rows: [n], cols: [5, 11] }),
  groupNorm: (n) =>
    product({
      ...{ batch: [n], channels: [4], spatial: [2, 5], groups: [2] },
      channelsLast: [false, true],
    }),
  batchNormTraining: (n) => [
    { outer: n, channels: 5, inner: 1 },
    { outer: 3, channels: 5, inner: n },
  ],
  batchNormInference: (n) => [
    { outer: n, channels: 5, inner: 1 },
    { outer: 3, channels: 5, inner: n },
  ],
  weightStandardize: (n) => [{ filters: 3, fanIn: n }],
};

const manyOf = (n) =>
  Object.entries(MANY).flatMap(([name, sizes]) =>
    sizes(n).map((size) => new Problem(NORMS[name], size)),
  );

describe('gradients', () => {
  test('F15: the last block of a sum is dropped', () => {
    for (const n of [33, 65, 257, 513, 1031, 2053]) {
      for (const problem of manyOf(n)) {
        againstOracle(problem);
        againstOracle(problem, { exact: true });
      }
    }
  });

  test('F16: gamma enters the sums of dx, and once', () => {
    for (const n of [4, 37]) {
      for (const plain of manyOf(n)) {
        const gamma = plain.inputs.gamma.map((_, c) => [0.5, 2, -1, 3, 0][c % 5]);
        const problem = plain.with({ gamma }, 'gamma of all kinds');
        againstOracle(problem);
        if (problem.norm.ownChannels) continue; // where gamma is one number to a set
        // the usual mistakes are visible in these problems
        const { dx: want, scale } = problem.wantBackward();
        const { channel } = problem.axes;
        const ones = problem.with({ gamma: gamma.map(() => 1) }).wantBackward().dx;
        const wrong = Float32Array.from(ones, (v, i) => v * gamma[channel[i]]);
        assert.ok(largestError(wrong, want, scale.dx).units > 1e4, problem.label);
      }
    }
  });

  test('F16: dgamma and dbeta are swapped', () => {
    for (const problem of manyOf(37)) {
      const { dgamma, dbeta } = everywhere(specOf(problem));
      if (!dbeta) continue;
      const want = problem.wantBackward();
      const swapped = largestError(dbeta, want.dgamma, want.scale.dgamma);
      assert.ok(swapped.units > 1e4, problem.label);
      within({ dgamma, dbeta }, want, GRADIENT_UNITS, problem.label);
    }
  });

  test('F14: frozen statistics are constants, also in backward, also a second time', () => {
    for (const { outer, inner } of product({ outer: [1, 2, 33], inner: [1, 4, 35] })) {
      const problem = new Problem(NORMS.batchNormInference, { outer, channels: 6, inner });
      const dy = problem.inputs.dy.map(() => 1);
      for (const form of range(0, 8)) {
        const spec = specOf(problem.with({ dy }, 'dy of ones'), form);
        const first = everywhere(spec);
        const { gamma, runningMean, runningVar } = problem.inputs;
        for (const [i, c] of problem.axes.channel.entries()) {
          const want = gamma[c] / Math.sqrt(runningVar[c] + problem.numbers.eps);
          assert.ok(Math.abs(first.dx[i] - want) <= 2 ** -22 * Math.abs(want), spec.label);
        }
        assert.equal(same(everywhere(spec), first, spec.label), Object.keys(first).length);
        assert.equal(same(first, { runningMean, runningVar }, spec.label), 2);
      }
    }
  });
});

/** Every way to say where the channels are. */
const CHANNELS = product({ outer: [2, 9, 64], inner: [1, 4], form: range(0, 8) });

describe('running statistics', () => {
  test('F12: an empty batch leaves them, and sums to zeros', () => {
    const EMPTY = [
      ['layerNorm', { rows: 0, cols: 4 }],
      ['rmsNorm', { rows: 0, cols: 4 }],
      ['groupNorm', { batch: 0, channels: 4, spatial: 3, groups: 2 }],
      ['groupNorm', { batch: 0, channels: 4, spatial: 3, groups: 2, channelsLast: true }],
      ['groupNorm', { batch: 0, channels: 4, spatial: 3, groups: 4 }],
      ['batchNormTraining', { outer: 0, channels: 4, inner: 3 }],
      ['batchNormTraining', { outer: 0, channels: 4, inner: 1 }],
      ['batchNormInference', { outer: 0, channels: 4, inner: 3 }],
      ['weightStandardize', { filters: 0, fanIn: 4 }],
    ];
    for (const [[name, sizes], exact] of EMPTY.flatMap((one) =>
      [false, true].map((e) => [one, e]),
    )) {
      const problem = new Problem(NORMS[name], sizes);
      for (const form of range(0, 8)) {
        const spec = specOf(problem, form);
        const got = everywhere(spec, { exact });
        assert.equal(got.y.length + got.dx.length, 0, spec.label);
        for (const sum of [got.dgamma, got.dbeta]) {
          assert.ok(sum?.every((v) => v === 0) ?? true, spec.label);
        }
        const { runningMean, runningVar } = problem.inputs;
        if (runningMean) assert.equal(same(got, { runningMean, runningVar }, spec.label), 2);
      }
    }
  });

  test('F12: one value per channel is refused, a batch of one with several is not', () => {
    for (const channels of [1, 3]) {
      const one = new Problem(NORMS.batchNormTraining, { outer: 1, channels, inner: 1 });
      for (const form of range(0, 8)) {
        const spec = specOf(one, form);
        const { x, dy, ...inputs } = spec.inputs;
        for (const an of builds) {
          const call = () =>
            an.batchNorm.forward(x, { ...spec.options, ...inputs, shape: spec.shape });
          const message = /^x: expected more than 1 value per channel when training, got shape \[/;
          assertRefused(Object.values(spec.inputs), call, RangeError, message);
        }
      }
      againstOracle(new Problem(NORMS.batchNormTraining, { outer: 1, channels, inner: 2 }));
    }
  });

  test('F13: momentum is the weight of the new batch, and y has none of it', () => {
    for (const { outer, inner, form } of CHANNELS) {
      let first;
      for (const momentum of [0, 0.1, 0.5, 1]) {
        const sizes = { outer, channels: 4, inner, momentum };
        const problem = new Problem(NORMS.batchNormTraining, sizes);
        const inputs = first?.inputs ?? problem.inputs;
        const here = problem.with(inputs);
        const got = againstOracle(here, { form });
        first ??= { inputs, y: got.y };
        assert.equal(same({ y: got.y }, first, here.label), 1);
      }
    }
  });

  test('F13: momentum null is the average of all batches', () => {
    const [n, channels] = [6, 3];
    for (const an of builds) {
      const runningMean = new Float32Array(channels);
      const runningVar = new Float32Array(channels).fill(1);
      const means = new Float64Array(channels);
      const variances = new Float64Array(channels);
      for (const batch of range(0, 4)) {
        const sizes = { outer: n, channels, inner: 1, seed: batch };
        const { axes, inputs } = new Problem(NORMS.batchNormTraining, sizes);
        const options = { runningMean, runningVar, momentum: null, numBatchesTracked: batch };
        an.batchNorm.forward(inputs.x, { ...options, shape: [n, channels] });
        const stats = oracle.statistics(axes, inputs.x, { eps: 0 });
        for (const c of range(0, channels - 1)) {
          means[c] += stats.mean[c];
          variances[c] += (stats.variance[c] * n) / (n - 1);
          const mean = means[c] / (batch + 1);
          const variance = variances[c] / (batch + 1);
          assert.ok(Math.abs(runningMean[c] - mean) <= 1e-5, `mean after ${batch + 1}`);
          assert.ok(Math.abs(runningVar[c] - variance) <= 1e-6 * variance, `after ${batch + 1}`);
        }
      }
    }
  });

  test('F13: the running variance is the unbiased one, y takes the biased one', () => {
    for (const { outer, inner, form } of CHANNELS) {
      const sizes = { outer, channels: 4, inner, momentum: 1 };
      const problem = new Problem(NORMS.batchNormTraining, sizes);
      const spec = specOf(problem, form);
      const unbiased = everywhere(spec);
      const options = { ...spec.options, runningVarEstimate: 'biased' };
      const biased = everywhere({ ...spec, options });
      assert.equal(same({ y: unbiased.y, rstd: unbiased.rstd }, biased, spec.label), 2);
      const n = outer * inner;
      const { variance } = oracle.statistics(problem.axes, problem.inputs.x, { eps: 0 });
      const scale = { unbiased: variance, biased: variance };
      const want = { unbiased: variance.map((v) => (v * n) / (n - 1)), biased: variance, scale };
      const got = { unbiased: unbiased.runningVar, biased: biased.runningVar };
      within(got, want, FORWARD_UNITS * (n / (n - 1)), spec.label);
    }
  });
});

/** Cubes of values, so that no length tells a layout from another. */
describe('F17: layouts of equal sizes', () => {
  const side = 3;
  const SIZES = {
    groupNorm: (groups) => ({ batch: side, channels: side, spatial: side ** 2, groups }),
    first: { outer: side, channels: side, inner: side ** 2 },
    last: { outer: side ** 3, channels: side, inner: 1 },
  };
  const shape = [side, side, side, side];
  const cases = [
    ...[1, 3].map((groups) => [
      `groupNorm, ${groups} groups`,
      new Problem(NORMS.groupNorm, SIZES.groupNorm(groups)),
      new Problem(NORMS.groupNorm, { ...SIZES.groupNorm(groups), channelsLast: true }),
    ]),
    ...['batchNormTraining', 'batchNormInference'].map((name) => [
      name,
      new Problem(NORMS[name], SIZES.first),
      new Problem(NORMS[name], SIZES.last),
    ]),
  ];
  for (const [name, first, plain] of cases) {
    test(name, () => {
      const last = plain.with(first.inputs, 'the same values');
      const results = [
        [first, { layout: 'NCHW' }],
        [first, { channelAxis: 1 }],
        [last, { layout: 'NHWC' }],
        [last, { channelAxis: -1 }],
      ].map(([problem, where]) => {
        const spec = specOf(problem);
        const { layout, channelAxis, ...options } = spec.options;
        const got = everywhere({ ...spec, shape, options: { ...options, ...where } });
        within(got, problem.wantForward(), FORWARD_UNITS, problem.label);
        within(got, problem.wantBackward(), GRADIENT_UNITS, problem.label);
        return got;
      });
      same(results[1], results[0], 'NCHW');
      same(results[3], results[2], 'NHWC');
      assert.notDeepEqual(results[0].y, results[2].y);

      // and the values brought to the other layout are the same answer
      const toLast = (values) => transpose(values, shape, [0, 2, 3, 1]);
      const { x, dy } = first.inputs;
      const turned = plain.with({ ...first.inputs, x: toLast(x), dy: toLast(dy) });
      const got = everywhere(specOf(turned));
      const { scale } = turned.wantForward();
      within(got, { y: toLast(results[0].y), scale: { y: scale.y } }, FORWARD_UNITS, name);
    });
  }

  for (const name of ['layerNorm', 'rmsNorm']) {
    test(`${name}: one, two or three of three axes`, () => {
      const x = new Problem(NORMS[name], { rows: 1, cols: side ** 3 }).inputs.x;
      const seen = [1, 2, 3].map((axes) => {
        const cols = side ** axes;
        const problem = new Problem(NORMS[name], { rows: side ** (3 - axes), cols }).with({ x });
        const spec = specOf(problem);
        const normalizedShape = Array(axes).fill(side);
        const options = { ...spec.options, axis: -axes, normalizedShape };
        const got = everywhere({ ...spec, shape: [side, side, side], options });
        within(got, problem.wantForward(), FORWARD_UNITS, problem.label);
        within(got, problem.wantBackward(), GRADIENT_UNITS, problem.label);
        assert.equal(got.rstd.length, side ** (3 - axes));
        return got.y;
      });
      assert.notDeepEqual(seen[0], seen[1]);
      assert.notDeepEqual(seen[1], seen[2]);
    });
  }
});

/** Refuses a call with one option changed, before anything is written, on both builds. */
function refuses({ operation, pass }, option, value, message, type = RangeError) {
  for (const an of builds) {
    const call = callOf(operation, pass);
    const outs = Object.values(giveOut(call));
    call.options[option] = value;
    const given = Object.values(call.options).filter((one) => one instanceof Float32Array);
    assertRefused([...outs, ...given, call.input], () => call.invoke(an), type, message);
  }
}

describe('F18: refused before anything is written', () => {
  const PARAMETERS = ['gamma', 'beta', 'gain', 'runningMean', 'runningVar', 'mean', 'rstd'];
  for (const call of allCalls()) {
    test(`${call.name}: lengths of parameters and statistics`, () => {
      const names = PARAMETERS.filter((name) => name in call.options);
      assert.ok(names.length > 0);
      for (const name of names) {
        const right = call.options[name].length;
        for (const length of [0, 1, right - 1, right + 1, 2 * right, 24].filter(
          (n) => n !== right,
        )) {
          const message = new RegExp(`^${name}: expected .*\\b${right}\\b.*, got ${length}$`);
          refuses(call, name, new Float32Array(length), message);
        }
      }
    });

    test(`${call.name}: eps`, () => {
      for (const eps of [-1, -1e-30, NaN, Infinity, -Infinity, 3.5e38]) {
        refuses(call, 'eps', eps, `eps: expected a finite number >= 0, got ${eps}`);
      }
      const message = "eps: expected a finite number >= 0, got '0'";
      refuses(call, 'eps', '0', message, TypeError);
    });
  }

  for (const call of allCalls().filter(({ operation }) => operation === 'groupNorm')) {
    test(`${call.name}: groups`, () => {
      for (const groups of [0, -1, 1.5, 3, 5, 8, NaN, Infinity]) {
        refuses(call, 'groups', groups, new RegExp(`^groups: expected .+, got ${groups}$`));
      }
      refuses(call, 'groups', undefined, /^groups: expected .+, got undefined$/, TypeError);
    });
  }
});

reportErrors('kinds');
