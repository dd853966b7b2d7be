/*
 * Norms with a mask against the definition, in float64: statistics over the values that count, y and
 * gradients of nothing else. Gradients are central differences of a loss.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { random } from '../helpers/random.js';

const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

const EPS = Math.fround(1e-5);
const STEP = 1e-5;
/** Of the largest gradient of an array; rounding to float32 alone is 6e-8. */
const TOLERANCE = 2e-6;

const [N, C, L] = [3, 4, 5];
const RUNNING = {
  runningMean: Float32Array.of(0.5, -0.25, 0, 1),
  runningVar: Float32Array.of(1, 0.5, 2, 1.5),
};
const FIRST = { shape: [N, C, L], layout: 'NCL' };
const LAST = { shape: [N, L, C], layout: 'NLC' };
const MASK = [1, 1, 1, 0, 0, /**/ 0, 1, 0, 1, 1, /**/ 1, 0, 0, 0, 1];

/** Which values share statistics: from example and channel. */
const CHANNEL = (_, c) => c;
const GROUP = (n, c) => n * 2 + Math.floor(c / 2);
const EACH = (n, c) => n * C + c;

/** Name -> [operation, settings, statistics]. */
const CASES = {
  'batchNorm, NCL': ['batchNorm', FIRST, CHANNEL],
  'batchNorm, NLC': ['batchNorm', LAST, CHANNEL],
  'batchNorm, frozen': ['batchNorm', { ...FIRST, training: false, ...RUNNING }, CHANNEL],
  'groupNorm, NCL': ['groupNorm', { ...FIRST, groups: 2 }, GROUP],
  'groupNorm, NLC': ['groupNorm', { ...LAST, groups: 2 }, GROUP],
  'instanceNorm, NCL': ['instanceNorm', FIRST, EACH],
  'instanceNorm, NLC': ['instanceNorm', LAST, EACH],
};

/** Values that count: where they are, their channel and their set. */
function placesOf({ layout }, setOf) {
  const places = [];
  for (let p = 0; p < N * L; p++) {
    const [n, l] = [Math.floor(p / L), p % L];
    for (let c = 0; MASK[p] && c < C; c++) {
      const i = layout === 'NCL' ? (n * C + c) * L + l : p * C + c;
      places.push({ i, c, set: setOf(n, c) });
    }
  }
  return places;
}

/** { mean, rstd } by set, of the values that count or the running ones. */
function statisticsOf(x, places, { training, runningMean, runningVar }) {
  const rstd = (variance) => 1 / Math.sqrt(variance + EPS);
  const average = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const sets = new Map();
  for (const { set, i } of places) sets.set(set, [...(sets.get(set) ?? []), x[i]]);
  return (set) => {
    if (training === false) return { mean: runningMean[set], rstd: rstd(runningVar[set]) };
    const values = sets.get(set);
    const mean = average(values);
    return { mean, rstd: rstd(average(values.map((v) => (v - mean) ** 2))) };
  };
}

function forward({ x, gamma, beta }, places, settings) {
  const of = statisticsOf(x, places, settings);
  const y = new Float64Array(x.length);
  for (const { i, c, set } of places) {
    const { mean, rstd } = of(set);
    y[i] = (x[i] - mean) * rstd * gamma[c] + beta[c];
  }
  return y;
}

const largest = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);

function assertClose(got, want, label) {
  assert.equal(got.length, want.length, label);
  const limit = TOLERANCE * largest(want);
  assert.ok(limit > 0, `${label}: all zeros`);
  for (const [i, v] of want.entries()) {
    assert.ok(Math.abs(got[i] - v) <= limit, `${label}[${i}]: expected ${v}, got ${got[i]}`);
  }
}

/** Float32 values; those that do not count are no numbers. */
function draw(name, places) {
  const next = random(`masked ${name}`);
  const numbers = (length, map) => Float64Array.from({ length }, () => Math.fround(map(next())));
  const inputs = {
    x: numbers(N * C * L, (u) => 2 * u + 0.4),
    gamma: numbers(C, (u) => 1.5 + u),
    beta: numbers(C, (u) => u),
  };
  const dy = numbers(N * C * L, (u) => u);
  const counts = new Set(places.map(({ i }) => i));
  const poisoned = (values) => Float32Array.from(values, (v, i) => (counts.has(i) ? v : NaN));
  return { inputs, dy: poisoned(dy), x: poisoned(inputs.x) };
}

for (const [name, [operation, settings, setOf]] of Object.entries(CASES)) {
  const places = placesOf(settings, setOf);
  const { inputs, dy, x } = draw(name, places);
  const loss = (values) => {
    const y = forward(values, places, settings);
    return places.reduce((sum, { i }) => sum + y[i] * dy[i], 0);
  };
  const differences = (input) =>
    inputs[input].map((_, i) => {
      const at = (offset) => {
        const moved = inputs[input].slice();
        moved[i] += offset;
        return loss({ ...inputs, [input]: moved });
      };
      return (at(STEP) - at(-STEP)) / (2 * STEP);
    });
  const want = {
    dx: differences('x'),
    dgamma: differences('gamma'),
    dbeta: differences('beta'),
  };

  for (const an of builds) {
    test(`${name}, ${an.build}`, () => {
      const [gamma, beta] = [inputs.gamma, inputs.beta].map((one) => Float32Array.from(one));
      const f = an[operation].forward(x, { ...settings, gamma, beta, mask: MASK });
      assertClose(f.y, forward(inputs, places, settings), 'y');
      const got = an[operation].backward(dy, { ...f, x, gamma });
      for (const [output, gradient] of Object.entries(want)) {
        assertClose(got[output], gradient, output);
      }
    });
  }
}
