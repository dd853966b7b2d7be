/** Batches with channels that come in chunks of unequal size, as fast-check draws them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as oracle from '../helpers/oracle.js';
import { randomArray } from '../helpers/random.js';
import { FORWARD_UNITS, GRADIENT_UNITS, worst } from '../helpers/ulp.js';
import { largestError } from '../helpers/units.js';

/** How the values of a channel are drawn from u in [-1, 1). */
const KINDS = {
  plain: (u, c) => 3 * u + c,
  'near 1e6': (u) => 1e6 + u,
  'of a large mean': (u, c) => u + 1000 * (c + 1),
  constant: (_, c) => 0.1 * (c + 1),
  small: (u) => 1e-4 * u,
  outlier: (u) => (u > 0.9 ? 1e3 : u),
};

/**
 * @typedef {object} Batch
 * @property {number} channels
 * @property {object} where  options that say where the channels are
 * @property {Chunk[]} chunks
 * @property {Chunk} whole  all chunks, one after the other
 * @property {ReturnType<typeof oracle.batchNormAxes>} axes  of the whole
 *
 * @typedef {{ shape: number[], x: Float32Array, dy: Float32Array }} Chunk
 */

const sum = (values) => values.reduce((a, b) => a + b, 0);

/** The parts of an array, of these lengths. */
const split = (values, lengths) =>
  lengths.map((length, k) => {
    const start = sum(lengths.slice(0, k));
    return values.subarray(start, start + length);
  });

/**
 * @param {any} drawn  by batches()
 * @returns {Batch}
 */
export function batchOf({ sizes, channels, space, isLast, kind, seed }) {
  const shapeOf = (n) => (isLast ? [n, space, channels] : [n, channels, space]);
  const each = channels * space;
  const label = JSON.stringify({ sizes, channels, space, isLast, kind, seed });
  const channel = (i) => (isLast ? i : Math.floor(i / space)) % channels;
  const total = sum(sizes);
  const whole = {
    shape: shapeOf(total),
    x: randomArray(`${label} x`, total * each, (u, i) => KINDS[kind](u, channel(i))),
    dy: randomArray(`${label} dy`, total * each, (u) => u + 0.1),
  };
  const [xs, dys] = [whole.x, whole.dy].map((values) =>
    split(
      values,
      sizes.map((n) => n * each),
    ),
  );
  return {
    ...{ channels, label, whole },
    where: isLast ? { layout: 'NLC' } : {},
    chunks: sizes.map((n, k) => ({ shape: shapeOf(n), x: xs[k], dy: dys[k] })),
    axes: isLast
      ? oracle.batchNormAxes({ outer: total * space, channels, inner: 1 })
      : oracle.batchNormAxes({ outer: total, channels, inner: space }),
  };
}

/**
 * @param {object} [limits]
 * @param {number} [limits.most]  chunks, of 0 to 6 examples each
 * @param {number} [limits.least]  values of a channel
 * @returns what batchOf() takes: a failure prints it, and not the values
 */
export const batches = ({ most = 5, least = 2 } = {}) =>
  fc
    .record({
      sizes: fc.array(fc.nat(6), { minLength: 1, maxLength: most }),
      channels: fc.integer({ min: 1, max: 5 }),
      space: fc.integer({ min: 1, max: 40 }),
      isLast: fc.boolean(),
      kind: fc.constantFrom(...Object.keys(KINDS)),
      seed: fc.nat(),
    })
    .filter(({ sizes, space }) => sum(sizes) * space >= least);

/** Parameters, running statistics and eps for a batch. */
export function settingsOf({ label, channels }) {
  const draw = (name, map) => randomArray(`${label} ${name}`, channels, map);
  return {
    gamma: draw('gamma', (u) => 1.5 * u),
    beta: draw('beta'),
    runningMean: draw('mean'),
    runningVar: draw('var', (u) => u + 1.5),
    eps: Math.fround(1e-5),
  };
}

/** One array of all, in order. */
export function joined(arrays) {
  const whole = new Float32Array(sum(arrays.map(({ length }) => length)));
  let end = 0;
  for (const array of arrays) {
    whole.set(array, end);
    end += array.length;
  }
  return whole;
}

/** What the functions make of the whole batch; statistics and gradients included. */
export function wholeOf(an, { whole, where }, settings, { exact, ...running }) {
  const { shape, x, dy } = whole;
  const copy = (values) => values.slice();
  const { gamma, beta, eps } = settings;
  const [runningMean, runningVar] = [settings.runningMean, settings.runningVar].map(copy);
  const f = an.batchNorm.forward(x, {
    ...{ shape, ...where, gamma, beta, eps, exact },
    ...{ runningMean, runningVar, ...running },
  });
  const gradients = an.batchNorm.backward(dy, { ...f, x, gamma, exact });
  return { y: f.y, ...gradients, runningMean, runningVar };
}

/**
 * What the float32 kernels may be off by themselves: half of what helpers/ulp.js allows them. Exact
 * ones round once, and so do the functions of chunks.
 */
export const USUAL = { forward: FORWARD_UNITS / 2, backward: GRADIENT_UNITS / 2 };
export const EXACT = { forward: 1, backward: 1 };

const BACKWARD = ['dx', 'dgamma', 'dbeta'];

/**
 * Compares results in units at the scale of their channel (helpers/ulp.js), which the oracle knows.
 *
 * @param {Record<string, ArrayLike<number>>} got
 * @param {Record<string, Float32Array>} want
 * @param {Batch} batch
 * @param {{ gamma: Float32Array, beta: Float32Array, eps: number }} settings
 * @param {typeof USUAL} limits
 */
export function expectUnits(got, want, { axes, whole, label }, settings, limits) {
  const inputs = { ...whole, ...settings };
  const stats = oracle.statistics(axes, whole.x, settings);
  const scale = {
    ...oracle.forward(axes, inputs, stats).scale,
    ...oracle.backward(axes, inputs, stats).scale,
    ...oracle.running(stats, settings, { momentum: 0.1 }).scale,
  };
  for (const [name, values] of Object.entries(got)) {
    assert.equal(values.length, want[name].length, `${label}: length of ${name}`);
    const { units, at } = largestError(Float32Array.from(values), want[name], scale[name]);
    worst.set(name, Math.max(units, worst.get(name) ?? 0));
    if (units <= limits[BACKWARD.includes(name) ? 'backward' : 'forward']) continue;
    const off = `${units.toPrecision(3)} units off`;
    assert.fail(`${label}: ${name}[${at}] is ${off}: ${want[name][at]}, got ${values[at]}`);
  }
}
