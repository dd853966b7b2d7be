/*
 * Right calls of the public API at random, as data: an operation, a pass, its arrays and settings,
 * and what the oracle says of the results.
 */
import * as oracle from '../helpers/oracle.js';
import { FORWARD_UNITS, GRADIENT_UNITS, within } from '../helpers/ulp.js';

const product = (sizes) => sizes.reduce((n, size) => n * size, 1);
const sizesOf = (d, rank) =>
  Array.from({ length: rank }, () => d.pick([1, 2, 3, 4, 5, ...(rank < 3 ? [8, 9, 33] : [])]));

/** Which axes are normalized, said in one of the ways there are. */
function rowSettings(d, shape, first) {
  const normalizedShape = shape.slice(first);
  const ways = [
    { normalizedShape },
    { axis: first },
    { axis: first - shape.length },
    { normalizedShape, axis: first },
  ];
  if (normalizedShape.length === 1) ways.push({}, { normalizedShape: normalizedShape[0] });
  return d.pick(ways);
}

function rows(d) {
  const shape = sizesOf(d, d.from(1, 4));
  const first = d.below(shape.length);
  if (first > 0 && d.chance(0.05)) shape[0] = 0;
  const cols = product(shape.slice(first));
  return {
    shape,
    settings: rowSettings(d, shape, first),
    sizes: { rows: product(shape.slice(0, first)), cols },
  };
}

const FIRST = { 2: 'NC', 3: 'NCL', 4: 'NCHW', 5: 'NCDHW' };
const LAST = { 2: 'NC', 3: 'NLC', 4: 'NHWC', 5: 'NDHWC' };

function channelSettings(d, rank, axis) {
  const ways = [{ channelAxis: axis }, { channelAxis: axis - rank }];
  if (axis === 1) ways.push({}, { layout: FIRST[rank] }, { layout: 'channelsFirst' });
  if (axis === rank - 1) ways.push({ layout: LAST[rank] }, { layout: 'channelsLast' });
  return d.pick(ways);
}

function examples(d, groupsOf) {
  const shape = sizesOf(d, d.from(2, 4));
  const axis = d.pick([1, shape.length - 1]);
  const channels = shape[axis];
  const groups = groupsOf(channels);
  if (d.chance(0.05)) shape[0] = 0;
  const spatial = product(shape.slice(1)) / channels;
  return {
    shape,
    settings: channelSettings(d, shape.length, axis),
    sizes: { batch: shape[0], channels, spatial, groups, channelsLast: axis !== 1 },
  };
}

/** What sets each operation apart. */
const OPERATIONS = {
  layerNorm: (d) => {
    const { sizes, ...rest } = rows(d);
    return { ...rest, axes: oracle.layerNormAxes(sizes), parameters: ['gamma', 'beta'] };
  },
  rmsNorm: (d) => {
    const { sizes, settings, shape } = rows(d);
    const statCols = d.chance(0.5) ? sizes.cols : d.from(1, sizes.cols);
    const own = { ...d.some({ gammaOffset: d.pick([0, 1]) }), p: statCols / sizes.cols };
    return {
      shape,
      settings: { ...settings, ...own },
      axes: oracle.rmsNormAxes({ ...sizes, statCols }),
      parameters: ['gamma'],
      center: false,
    };
  },
  groupNorm: (d) => {
    const divisors = (n) => [1, 2, 3, 4, n].filter((g) => n % g === 0);
    const { sizes, settings, shape } = examples(d, (channels) => d.pick(divisors(channels)));
    const own = { ...settings, groups: sizes.groups };
    const axes = oracle.groupNormAxes(sizes);
    return { shape, settings: own, axes, parameters: ['gamma', 'beta'] };
  },
  instanceNorm: (d) => {
    const { sizes, ...rest } = examples(d, (channels) => channels);
    return { ...rest, axes: oracle.groupNormAxes(sizes), parameters: ['gamma', 'beta'] };
  },
  batchNorm: (d) => {
    const shape = sizesOf(d, d.from(2, 5));
    const axis = d.below(shape.length);
    const other = axis === 0 ? 1 : 0;
    shape[other] += 1; // one value a channel has no variance
    const sizes = {
      outer: product(shape.slice(0, axis)),
      channels: shape[axis],
      inner: product(shape.slice(axis + 1)),
    };
    return {
      shape,
      settings: channelSettings(d, shape.length, axis),
      axes: oracle.batchNormAxes(sizes),
      parameters: ['gamma', 'beta'],
      hasRunning: true,
    };
  },
  weightStandardize: (d) => {
    const shape = sizesOf(d, d.from(2, 4));
    const sizes = { filters: shape[0], fanIn: product(shape.slice(1)) };
    const axes = oracle.weightStandardizeAxes(sizes);
    return { shape, settings: {}, axes, parameters: ['gain'] };
  },
};

/** What weight standardization calls gain is gamma to the oracle. */
const withGamma = (arrays) =>
  Object.fromEntries(
    Object.entries(arrays).map(([name, values]) => [name.replace('gain', 'gamma'), values]),
  );

/**
 * @typedef {object} Request
 * @property {string} operation
 * @property {'infer' | 'forward' | 'backward'} pass
 * @property {number[]} shape  of the first argument, and of x
 * @property {Record<string, unknown>} settings
 * @property {Record<string, Float32Array>} arrays  `first` and those that are options
 * @property {string[]} updated  of these, what is written in place
 * @property {Record<string, number>} results  lengths by name
 * @property {(got: Record<string, Float32Array>, label: string,
 *   before: Record<string, Float32Array>) => void} judge  before: what accumulation adds to
 */

/** @returns {Request} */
export function drawRequest(d) {
  const operation = d.pick(Object.keys(OPERATIONS));
  const norm = OPERATIONS[operation](d);
  const pass = d.pick(['infer', 'forward', 'backward']);
  const draw = pass === 'backward' ? drawBackward : drawForward;
  return { operation, pass, shape: norm.shape, ...draw(d, norm, pass) };
}

const drawEps = (d) => d.some({ eps: d.pick([1e-5, 1e-3, 1e-6, 1]) });
const epsOf = ({ eps = 1e-5 }) => Math.fround(eps);
const drawX = (d, length) => d.floats(length, (u) => 3 * u + 0.5);
const drawParameters = (d, { axes, parameters }) =>
  d.some(Object.fromEntries(parameters.map((name) => [name, d.floats(axes.channels)])), 0.7);
const drawRunning = (d, { sets }) => ({
  runningMean: d.floats(sets),
  runningVar: d.floats(sets, (u) => u + 1.5),
});
const normalized = (norm, x, { runningMean, runningVar }, isFrozen, settings) =>
  isFrozen
    ? oracle.frozenStatistics({ runningMean, runningVar, eps: epsOf(settings) })
    : oracle.statistics(norm.axes, x, { eps: epsOf(settings), center: norm.center });

/** Those results that the oracle has something to say of. */
const only = (want, names) => ({
  ...want,
  scale: Object.fromEntries(Object.entries(want.scale).filter(([name]) => names.includes(name))),
});

function drawForward(d, norm, pass) {
  const { axes, hasRunning } = norm;
  const settings = { ...norm.settings, ...drawEps(d), ...d.some({ exact: true }, 0.2) };
  const isInference = hasRunning && pass === 'infer';
  const isFrozen = isInference || (hasRunning && d.chance(0.3));
  if (hasRunning && !isInference) settings.training = !isFrozen;
  const keepsRunning = isFrozen || (hasRunning && d.chance(0.6));
  if (keepsRunning && !isFrozen) {
    Object.assign(settings, d.some({ momentum: d.pick([0, 0.25, 1]) }));
    Object.assign(settings, d.some({ runningVarEstimate: d.pick(['biased', 'unbiased']) }));
  }
  const first = drawX(d, axes.set.length);
  const statistics = pass === 'infer' || isFrozen ? [] : ['mean', 'rstd'];
  if (norm.center === false) statistics.shift();
  const arrays = { first, ...drawParameters(d, norm), ...(keepsRunning && drawRunning(d, axes)) };
  const updated = keepsRunning && !isFrozen ? ['runningMean', 'runningVar'] : [];
  const judge = (got, label) => {
    const stats = normalized(norm, first, arrays, isFrozen, settings);
    const want = oracle.forward(axes, { x: first, ...withGamma(arrays) }, stats, settings);
    within(got, only(want, first.length > 0 ? ['y', ...statistics] : ['y']), FORWARD_UNITS, label);
    if (updated.length === 0) return;
    const { momentum = 0.1, runningVarEstimate } = settings;
    const biased = runningVarEstimate === 'biased';
    within(got, oracle.running(stats, arrays, { momentum, biased }), FORWARD_UNITS, label);
  };
  const lengths = Object.fromEntries(statistics.map((name) => [name, axes.sets]));
  return { settings, arrays, updated, results: { y: first.length, ...lengths }, judge };
}

function drawBackward(d, norm) {
  const { axes, parameters, hasRunning } = norm;
  const isFrozen = hasRunning && d.chance(0.4);
  const settings = { ...norm.settings, ...drawEps(d), ...d.some({ exact: true }, 0.2) };
  if (isFrozen) settings.training = false;
  const names = ['dx', ...parameters.map((name) => `d${name}`)];
  if (d.chance(0.4)) settings.outputs = names.filter(() => d.chance(0.6));
  const wanted = settings.outputs ?? names;
  if (d.chance(0.3)) settings.accumulate = true;

  const x = drawX(d, axes.set.length);
  const first = d.floats(x.length);
  const running = isFrozen ? drawRunning(d, axes) : {};
  const stats = normalized(norm, x, running, isFrozen, settings);
  const saved = { mean: Float32Array.from(stats.mean), rstd: Float32Array.from(stats.rstd) };
  const needed = norm.center === false ? { rstd: saved.rstd } : saved;
  const arrays = { first, x, ...drawParameters(d, norm), ...(isFrozen ? running : needed) };
  const judge = (got, label, before) => {
    const options = { ...settings, center: norm.center, before: withGamma(before) };
    const want = oracle.backward(axes, { dy: first, x, ...withGamma(arrays) }, stats, options);
    within(withGamma(got), want, GRADIENT_UNITS, label);
  };
  const lengths = wanted.map((name) => [name, name === 'dx' ? x.length : axes.channels]);
  return { settings, arrays, updated: [], results: Object.fromEntries(lengths), judge };
}
