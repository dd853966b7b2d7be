/*
 * The inputs of the table: for every norm a list of values, shape, eps and upstream gradient. The
 * arrays are drawn when a case is asked for, from its label alone.
 */
import { randomArray } from '../helpers/random.js';
import { statistics } from './reference.js';
import { HOSTILE, normals, REALISTIC, UPSTREAM } from './values.js';

/**
 * @typedef {object} Case
 * @property {(typeof import('./norms.js').NORMS)[number]} norm
 * @property {string} name
 * @property {boolean} hostile
 * @property {Record<string, number>} sizes
 * @property {import('../helpers/oracle.js').Axes} axes
 * @property {number} eps  a float32
 * @property {Record<string, Float32Array>} inputs  x, dy, gamma, beta; in inference runningMean and
 *   runningVar
 */

const EPS = 1e-5;
const MILLION = 2 ** 20;

const row = (rows, cols) => ({ rows, cols });
const map = (batch, channels, spatial, groups = channels) => ({ batch, channels, spatial, groups });
const stack = (outer, channels, inner) => ({ outer, channels, inner });
const bank = (filters, fanIn) => ({ filters, fanIn });

/** [values, sizes, { eps, dy }] */
const realisticRows = [
  ['N(0, 1)', row(128, 768)],
  ['N(0, 1)', row(128, 768), { dy: 'N(0, 1)' }],
  ['outlier channels × 20 … 100', row(64, 1024)],
  ['after ReLU', row(128, 768)],
  ['mean 0.5, spread 1', row(128, 768)],
  ['feature map', row(1568, 64)],
  ['N(0, 1)', row(4, 11008)],
];

const realistic = {
  layerNorm: realisticRows,
  rmsNorm: realisticRows,
  groupNorm: [
    ['N(0, 1)', map(2, 320, 1024, 32)],
    ['feature map', map(8, 64, 196, 8)],
    ['feature map', map(8, 64, 196, 8), { dy: 'N(0, 1)' }],
    ['after ReLU', map(8, 64, 196, 8)],
    ['mean 0.5, spread 1', map(2, 64, 1024, 32)],
    ['outlier channels × 20 … 100', map(2, 128, 256, 32)],
  ],
  instanceNorm: [
    ['N(0, 1)', map(2, 32, 4096)],
    ['feature map', map(8, 64, 196)],
    ['feature map', map(8, 64, 196), { dy: 'N(0, 1)' }],
    ['after ReLU', map(8, 64, 196)],
    ['mean 0.5, spread 1', map(2, 32, 1024)],
  ],
  batchNorm: [
    ['N(0, 1)', stack(256, 128, 1)],
    ['N(0, 1)', stack(256, 128, 1), { dy: 'N(0, 1)' }],
    ['feature map', stack(8, 64, 196)],
    ['after ReLU', stack(8, 64, 196)],
    ['mean 0.5, spread 1', stack(8, 64, 196)],
    ['outlier channels × 20 … 100', stack(32, 128, 16)],
  ],
  weightStandardize: [
    ['He-initialized', bank(64, 576)],
    ['He-initialized', bank(64, 576), { dy: 'N(0, 1)' }],
    ['He-initialized', bank(64, 147), { eps: 1e-10 }],
    ['N(0, 1)', bank(32, 1152)],
    ['mean 0.5, spread 1', bank(64, 576)],
  ],
};

/**
 * The same hostile values for every norm.
 * @param {object} usual  sizes with about a thousand values a set
 * @param {object} four  sizes with four values a set
 * @param {object} million  sizes with about 2^20 values a set
 */
const hostileOf = (usual, four, million) => [
  ['mean 3 × spread', usual],
  ['mean 30 × spread', usual],
  ['mean 1000 × spread', usual],
  ['mean 10⁶ × spread', usual],
  ['40000 … 40003', four],
  ['40000 … 40003', usual],
  ['about 1e25', usual],
  ['about 1e-30', usual, { eps: 0 }],
  ['about 1e-30', usual],
  ['± 3e38', usual],
  ['subnormal, 1e-40', usual],
  ['one outlier, 10⁴ × spread', usual],
  ['constant', usual],
  ['variance near eps', usual],
  ['variance near eps, mean 1', usual],
  ['a mixture', usual],
  ['N(0, 1)', usual, { dy: 'N(100, 1)' }],
  ['mean 100 × spread', million],
];

const hostile = {
  layerNorm: hostileOf(row(35, 1030), row(64, 4), row(1, MILLION)),
  rmsNorm: hostileOf(row(35, 1030), row(64, 4), row(1, MILLION)),
  groupNorm: hostileOf(map(2, 64, 64, 4), map(2, 32, 2, 16), map(1, 4, MILLION / 4, 1)),
  instanceNorm: hostileOf(map(2, 16, 1024), map(2, 32, 4), map(1, 1, MILLION)),
  batchNorm: [
    ...hostileOf(stack(32, 32, 32), stack(4, 64, 1), stack(64, 1, MILLION / 64)),
    ['mean 3 × spread', stack(MILLION / 16, 4, 1)],
  ],
  weightStandardize: hostileOf(bank(35, 1030), bank(64, 4), bank(1, MILLION)),
};

/** The lists of a norm; training and inference share theirs. */
const listOf = (lists, norm) => lists[norm.id] ?? lists.batchNorm;

/** A running variance that float32 holds. */
const fits = (norm, [, , { eps = EPS } = {}]) => !norm.frozen || eps > 0;

const sizesText = (norm, sizes) =>
  norm.view(sizes).shape.join(' × ') + (norm.id === 'groupNorm' ? `, ${sizes.groups} groups` : '');

/** gamma within 0.5 … 1.5, beta within ± 0.5 */
function parameters(label, channels) {
  const gamma = randomArray(`${label} gamma`, channels, (u) => 1 + 0.5 * u);
  const beta = randomArray(`${label} beta`, channels, (u) => 0.5 * u);
  return { gamma, beta };
}

/** Running statistics that have seen more than this batch. */
function runningStatistics(label, axes, x) {
  const { mean, variance } = statistics(axes, x, { eps: 0 });
  const away = randomArray(`${label} running`, axes.sets);
  return {
    runningMean: Float32Array.from(mean, (m, c) => m + 0.1 * away[c] * Math.sqrt(variance[c])),
    runningVar: Float32Array.from(variance, (v, c) => Math.min(v * (1 + 0.2 * away[c]), 3e38)),
  };
}

/** One value for each place of x. */
function fill(label, { set, channel, sets }, draw) {
  const z = normals(label);
  const next = new Uint32Array(sets);
  const values = new Float32Array(set.length);
  const at = { set: 0, place: 0, channel: 0 };
  for (let i = 0; i < values.length; i++) {
    at.set = set[i];
    at.place = next[at.set]++;
    at.channel = channel[i];
    values[i] = draw(z(), at);
  }
  return values;
}

const knownAxes = new WeakMap();

/** Many cases have the same sizes. */
function axesOf(norm, sizes) {
  if (!knownAxes.has(sizes)) knownAxes.set(sizes, norm.axes(sizes));
  return knownAxes.get(sizes);
}

/** @returns {Case} */
function caseOf(norm, hostile, [values, sizes, { eps = EPS, dy = 'N(0.1, 1)' } = {}]) {
  const axes = axesOf(norm, sizes);
  const others = [eps !== EPS && `eps ${eps}`, dy !== 'N(0.1, 1)' && `gradient ${dy}`];
  const name = [values, sizesText(norm, sizes), ...others.filter(Boolean)].join('; ');
  const label = `${norm.id}; ${name}`;
  const x = fill(`${label} x`, axes, REALISTIC[values] ?? HOSTILE[values]);
  const { gamma, beta } = parameters(label, axes.channels);
  const inputs = { x, dy: fill(`${label} dy`, axes, UPSTREAM[dy]), gamma };
  if (!norm.unshifted) inputs.beta = beta;
  if (norm.frozen) Object.assign(inputs, runningStatistics(label, axes, x));
  return { norm, name, hostile, sizes, axes, eps: Math.fround(eps), inputs };
}

/** The cases of a norm, one at a time. */
export function* casesOf(norm) {
  for (const one of listOf(realistic, norm)) yield caseOf(norm, false, one);
  for (const one of listOf(hostile, norm)) if (fits(norm, one)) yield caseOf(norm, true, one);
}
