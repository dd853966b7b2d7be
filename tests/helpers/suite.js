/*
 * What every norm has to do, for the sizes its test file lists. Every call made here is fenced,
 * poisoned, and made on both builds with the same bits (call.js).
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { same } from './call.js';
import { KINDS, Problem } from './problem.js';
import { testRefusals } from './refusals.js';
import { ACCUMULATE, EXACT } from './signatures.js';
import { FORWARD_UNITS, GRADIENT_UNITS, roundedOnce, within, worst } from './ulp.js';

const FLAGS = [0, EXACT];
const ALL_KINDS = Object.keys(KINDS);

/** Every combination: product({ a: [1, 2], b: [3] }) is [{ a: 1, b: 3 }, { a: 2, b: 3 }]. */
export function product(choices) {
  return Object.entries(choices).reduce(
    (all, [name, values]) => all.flatMap((one) => values.map((v) => ({ ...one, [name]: v }))),
    [{}],
  );
}

export const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const subsets = (list) =>
  list.reduce((all, item) => [...all, ...all.map((one) => [...one, item])], [[]]);

const has = (signature, name) => signature.args.some((arg) => arg.name === name);

const outputs = (signature) => signature.args.filter((arg) => arg.array && arg.role !== 'in');

const optional = (signature, ...roles) =>
  signature.args
    .filter((arg) => arg.array && roles.includes(arg.role) && !arg.needed)
    .map((arg) => arg.name);

/** Outputs that can be NULL, in every combination. */
const omissions = (signature) =>
  subsets(optional(signature, 'out', 'both')).filter(
    (names) => names.includes('runningMean') === names.includes('runningVar'),
  );

/** Forward and backward of a problem in the same shape. */
const directions = (problem) => [
  {
    signature: problem.norm.forward,
    run: (more, note) => problem.forward(more, note),
    want: (more) => problem.wantForward(more),
    limit: FORWARD_UNITS,
  },
  {
    signature: problem.norm.backward,
    run: (more, note) => problem.backward(more, note),
    want: (more) => problem.wantBackward(more),
    limit: GRADIENT_UNITS,
  },
];

function againstOracle(problem, flags = 0, skew = 0) {
  for (const { run, want, limit } of directions(problem)) {
    const label = `${problem.label} flags=${flags}`;
    const got = run({ flags, skew }, `flags=${flags} skew=${skew}`);
    if (flags & EXACT) roundedOnce(got, want({ flags }), label);
    else within(got, want({ flags }), limit, label);
  }
}

function testSizes(norm, sizes) {
  const against = (options, flags) => () => {
    for (const [i, one] of sizes.entries()) {
      againstOracle(new Problem(norm, one, options), flags, i % 4);
    }
  };
  test(`${sizes.length} sizes against the oracle`, against({}));
  test(`${sizes.length} sizes against the oracle, exact`, against({}, EXACT));
  const kinds = ['mean1000', 'mean1000', 'plain', 'mean10'];
  test(`${sizes.length} sizes against the oracle, large means`, against({ kinds }));
}

function testOptionalArguments(norm, sizes) {
  test('every combination of optional arguments', () => {
    for (const one of sizes) {
      for (const d of [0, 1]) {
        const { signature } = directions(new Problem(norm, one))[d];
        const parameters = optional(signature, 'in').filter((name) => name !== 'x');
        for (const names of subsets(parameters)) {
          const absent = Object.fromEntries(names.map((name) => [name, undefined]));
          const problem = new Problem(norm, one).with(absent, `without (${names})`);
          const { run, want, limit } = directions(problem)[d];
          const full = run();
          within(full, want(), limit, problem.label);
          for (const without of omissions(signature)) {
            const label = `${problem.label} and (${without})`;
            const got = run({ without }, label);
            const kept = outputs(signature).filter(({ name }) => !without.includes(name));
            assert.equal(same(got, full, label), kept.length, label);
          }
        }
      }
    }
  });
}

function testMemory(norm, sizes) {
  test('alignment, a second call and in-place use change no bit', () => {
    for (const [one, flags] of sizes.flatMap((s) => FLAGS.map((f) => [s, f]))) {
      const problem = new Problem(norm, one, { kinds: ALL_KINDS });
      for (const { run, signature } of directions(problem)) {
        const first = run({ flags });
        for (const skew of [0, 1, 2, 3]) {
          for (const inPlace of [undefined, ...signature.inPlace]) {
            const label = `${problem.label} skew=${skew} flags=${flags} ${inPlace?.join(' = ')}`;
            const got = run({ flags, skew, inPlace }, label);
            assert.equal(same(got, first, label), outputs(signature).length, label);
          }
        }
      }
    }
  });
}

function testAccumulation(norm, sizes) {
  test('AN_ACCUMULATE adds to dgamma and dbeta', () => {
    for (const one of sizes) {
      const overwriting = new Problem(norm, one);
      const { gamma } = overwriting.inputs;
      const start = { dgamma: gamma.map((v) => 30 * v), dbeta: gamma.map((v) => 2 - 30 * v) };
      const problem = overwriting.with(start, 'accumulating');
      for (const flags of FLAGS) {
        const label = `${problem.label} flags=${flags}`;
        const got = problem.backward({ flags: flags | ACCUMULATE }, label);
        within(got, problem.wantBackward({ flags: ACCUMULATE }), GRADIENT_UNITS, label);
        same({ dx: got.dx }, overwriting.backward({ flags }), label);
      }
    }
  });
}

/** What belongs to one set, given its places: values, statistics, its own parameters. */
function ofSet(norm, signature, result, places) {
  const kept = {};
  for (const { name, extent } of outputs(signature)) {
    if (extent === 'one' || (extent === 'channel' && !norm.ownChannels)) continue;
    kept[name] = Float32Array.from(places[extent], (i) => result[name][i]);
  }
  return kept;
}

/** Neighbours that take other ways through the kernels. */
const OTHER_COMPANY = {
  kinds: ['mean1000', 'centred', 'constant', 'mean1e6', 'plain'],
  scales: [1, 1, 1e25, 1e-30],
  dyScales: [1, 1, 1e37],
};

function testIndependence(norm, sizes) {
  test('the bits of a set depend neither on its neighbours nor on where it stands', () => {
    for (const [one, flags] of sizes.flatMap((s) => FLAGS.map((f) => [s, f]))) {
      const problem = new Problem(norm, one, { kinds: ALL_KINDS });
      const other = new Problem(norm, one, OTHER_COMPANY);
      const together = directions(problem).map(({ run }) => run({ flags }));
      const { sets } = problem.axes;
      const step = Math.ceil(sets / 40);
      for (let k = 0; k < sets; k += step) {
        for (const to of new Set([k, (5 * k + 3) % sets])) {
          const moved = problem.amid(other, k, to);
          for (const [d, { run, signature }] of directions(moved).entries()) {
            const got = ofSet(norm, signature, run({ flags }), problem.places(to));
            const want = ofSet(norm, signature, together[d], problem.places(k));
            same(got, want, `${moved.label} flags=${flags}`);
          }
        }
      }
    }
  });
}

function testSolitude(norm, sizes) {
  test('a set alone has the bits that it has among others', () => {
    for (const [one, flags] of sizes.flatMap((s) => FLAGS.map((f) => [s, f]))) {
      const problem = new Problem(norm, one, { kinds: ALL_KINDS });
      const together = directions(problem).map(({ run }) => run({ flags }));
      for (let k = 0; k < problem.axes.sets; k++) {
        const alone = problem.member(k);
        for (const [d, { run, signature }] of directions(alone).entries()) {
          const got = ofSet(norm, signature, run({ flags }), alone.places(0));
          const want = ofSet(norm, signature, together[d], problem.places(k));
          same(got, want, `${alone.label} flags=${flags}`);
        }
      }
    }
  });
}

function testDistributions(norm, sizes) {
  test('large means, tiny variances and outliers, one kind at a time', () => {
    for (const one of sizes) {
      for (const kind of ALL_KINDS) againstOracle(new Problem(norm, one, { kinds: [kind] }));
    }
  });

  test('large means, tiny variances and outliers next to each other', () => {
    for (const one of sizes) {
      for (let turn = 0; turn < ALL_KINDS.length; turn += 4) {
        const kinds = [...ALL_KINDS.slice(turn), ...ALL_KINDS.slice(0, turn)];
        for (const flags of FLAGS) againstOracle(new Problem(norm, one, { kinds }), flags);
      }
    }
  });
}

/** Their multiples and sums round in different ways. */
const CONSTANTS = [
  ...[0, 1, 0.1, 1 / 3, 1000.1, -123456.79, 16777215, 1e-20, 1e18],
  ...[1e25, -3.4028234663852886e38, 1e-30, 1e-42, 2 ** -149],
];

function testConstants(norm, sizes) {
  test('a constant set gives exactly beta', () => {
    for (const one of product({
      sizes,
      turn: [...CONSTANTS.keys()],
      eps: [1e-5, 0],
      flags: FLAGS,
    })) {
      const { turn, eps, flags } = one;
      const problem = new Problem(norm, { ...one.sizes, eps });
      const { set, channel } = problem.axes;
      const value = (s) => CONSTANTS[(turn + s) % CONSTANTS.length];
      const constant = problem.with({ x: Float32Array.from(set, value) });
      const { y } = constant.forward({ flags }, `turn=${turn}`);
      const beta = has(norm.forward, 'beta') ? constant.inputs.beta : undefined;
      for (let i = 0; i < y.length; i++) {
        const want = beta ? beta[channel[i]] : 0;
        const label = `${problem.label} flags=${flags}: ${value(set[i])} everywhere, y[${i}]`;
        if (y[i] !== want) assert.fail(`${label}: expected ${want}, got ${y[i]}`);
      }
    }
  });
}

/** `result` with the places of set k taken from `clean`: clean again, unless k leaked. */
function outside(problem, signature, result, clean, k) {
  const places = problem.places(k);
  const kept = {};
  for (const { name, extent } of outputs(signature)) {
    if (extent === 'one' || (extent === 'channel' && !problem.norm.ownChannels)) continue;
    kept[name] = result[name].slice();
    for (const i of places[extent]) kept[name][i] = clean[name][i];
  }
  return kept;
}

function testNonFinite(norm, sizes) {
  test('NaN and infinities stay in their set', () => {
    for (const [one, flags] of sizes.flatMap((s) => FLAGS.map((f) => [s, f]))) {
      const problem = new Problem(norm, one);
      const clean = directions(problem).map(({ run }) => run({ flags }));
      for (let k = 0; k < problem.axes.sets; k += Math.ceil(problem.axes.sets / 20)) {
        const inSet = problem.places(k).x;
        const at = inSet[k % 2 === 0 ? 0 : inSet.length - 1];
        for (const value of [NaN, Infinity, -Infinity]) {
          for (const [name, d] of [
            ['x', 0],
            ['x', 1],
            ['dy', 1],
          ]) {
            const values = problem.inputs[name].slice();
            values[at] = value;
            const spoiled = problem.with({ [name]: values }, `${name}[${at}]=${value}`);
            const { run, signature } = directions(spoiled)[d];
            const label = `${spoiled.label} flags=${flags}`;
            const got = run({ flags });
            same(outside(problem, signature, got, clean[d], k), clean[d], label);
            // neither constants nor a statistic that x is not in are spoiled
            if (norm.frozen || problem.axes.counted?.[at] === 0) continue;
            assert.ok(Number.isNaN((got.y ?? got.dx)[at]), `${label}: NaN where it was`);
          }
        }
      }
    }
  });
}

function testNothing(norm, sizes) {
  test('no examples: nothing is normalized, dgamma and dbeta are zeros', () => {
    for (const [one, flags] of sizes.flatMap((s) => FLAGS.map((f) => [s, f]))) {
      const empty = norm.forward.args.find((arg) => arg.mayBeZero).name;
      const problem = new Problem(norm, { ...one, [empty]: 0 });
      const forward = problem.forward({ flags, without: ['mean', 'rstd'] });
      assert.equal(forward.y.length, 0);
      same(forward, problem.inputs, `${problem.label}: running statistics stay`);

      const none = new Float32Array(problem.extents.set);
      problem.saved = new Map([[problem.inputs, { mean: none, rstd: none }]]);
      const { dx, dgamma, dbeta } = problem.backward({ flags });
      assert.equal(dx.length, 0);
      for (const sum of [dgamma, dbeta]) assert.ok(sum?.every((v) => v === 0) ?? true);
    }
  });
}

/** Squares overflow, squares vanish, and plain sets between them. */
const EXTREMES = [
  { scales: [1e18] },
  { scales: [1e25] },
  { scales: [2.6e37] },
  { scales: [1e-18], eps: 0 },
  { scales: [1e-30], eps: 0 },
  { scales: [1e-30] },
  { scales: [1e-42] },
  { scales: [1, 1e25, 1e-30, 2.6e37, 1e-5], eps: 0 },
  { scales: [1], dyScales: [1, 1e30, 1e-30] },
  { scales: [1e20, 1, 1e-20], dyScales: [1e-10, 1, 1e10], eps: 0 },
];

function testExtremes(norm, sizes) {
  describe('the whole float32 range', () => {
    for (const { eps = 1e-5, ...options } of EXTREMES) {
      test(JSON.stringify({ ...options, eps }), () => {
        for (const one of sizes) {
          for (const kinds of [['plain'], ['centred', 'meanLikeSpread', 'mean10']]) {
            const problem = new Problem(norm, { ...one, eps }, { ...options, kinds });
            for (const flags of FLAGS) againstOracle(problem, flags);
          }
        }
      });
    }
  });
}

/**
 * @param {import('./norms.js').Norm} norm
 * @param {object} lists
 * @param {object[]} lists.sizes  every one against the oracle
 * @param {object[]} lists.few  small ones, for the tests that try every combination
 * @param {object[]} lists.neighbours  with many sets, of lengths that take different ways
 * @param {object[]} lists.lengths  sets of many lengths
 */
export function testKernels(norm, { sizes, few, neighbours, lengths }) {
  describe(norm.name, () => {
    testSizes(norm, sizes);
    testOptionalArguments(norm, few);
    testAccumulation(norm, few);
    testMemory(norm, [...few, ...neighbours]);
    testIndependence(norm, neighbours);
    testSolitude(norm, neighbours);
    testNonFinite(norm, neighbours);
    testDistributions(norm, [...neighbours, ...lengths]);
    if (norm.center !== false && !norm.frozen) testConstants(norm, lengths);
    testExtremes(norm, lengths);
    testNothing(norm, few);
    testRefusals(norm, few);
    after(() => {
      const errors = [...worst].map(([name, units]) => `${name} ${units.toFixed(2)}`);
      console.log(`${norm.name}: largest errors in units: ${errors.join(', ')}`);
      worst.clear();
    });
  });
}
