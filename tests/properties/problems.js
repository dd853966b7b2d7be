/*
 * Random problems of tests/helpers, and how each is put to the public API. fast-check draws the
 * norm, the sizes, the settings and a seed; the values follow from these by the generator of
 * tests/helpers, so that what a failure prints is all there is to it.
 */
import fc from 'fast-check';
import {
  batchNormInference,
  batchNormTraining,
  groupNorm,
  layerNorm,
  rmsNorm,
  weightStandardize,
} from '../helpers/norms.js';
import { KINDS, Problem } from '../helpers/problem.js';
import { random } from '../helpers/random.js';
import { WIDTHS } from '../helpers/sizes.js';

/** The norms by name; an instance norm is a group norm. */
export const NORMS = {
  layerNorm,
  rmsNorm,
  groupNorm,
  instanceNorm: groupNorm,
  batchNormTraining,
  batchNormInference,
  weightStandardize,
};

/** n as a product of two sizes. */
function split(n) {
  const last = [3, 2, 5, 7].find((size) => n % size === 0) ?? 1;
  return [n / last, last];
}

/** The ways to describe an array of rows, of examples with channels, of weights. */
const FORMS = {
  rows: ({ rows, cols }) => [
    { shape: [rows, cols], options: { axis: -1 } },
    { shape: [rows, ...split(cols)], options: { axis: 1 } },
    { shape: [...split(rows), cols], options: { normalizedShape: cols } },
    { shape: [rows, cols], options: { normalizedShape: cols }, flat: true },
    { shape: [...split(rows), ...split(cols)], options: { normalizedShape: split(cols) } },
  ],
  channelsFirst: (n, channels, spatial) => [
    { shape: [n, channels, spatial], options: {} },
    { shape: [n, channels, ...split(spatial)], options: { layout: 'NCHW' } },
    { shape: [n, channels, 1, ...split(spatial)], options: { layout: 'NCDHW' } },
    { shape: [n, channels, spatial], options: { channelAxis: -2 } },
    ...(spatial === 1 ? [{ shape: [n, channels], options: { layout: 'NC' } }] : []),
  ],
  channelsLast: (n, channels, spatial) => [
    { shape: [n, spatial, channels], options: { layout: 'NLC' } },
    { shape: [n, ...split(spatial), channels], options: { layout: 'NHWC' } },
    { shape: [n, 1, ...split(spatial), channels], options: { layout: 'NDHWC' } },
    { shape: [n, spatial, channels], options: { channelAxis: -1 } },
  ],
  weights: ({ filters, fanIn }) => [
    { shape: [filters, fanIn], options: {} },
    { shape: [filters, ...split(fanIn)], options: {} },
  ],
};

const rowsOf =
  (operation) =>
  ({ sizes }) =>
    FORMS.rows(sizes).map((form) => ({ operation, ...form }));

/** GroupNorm, and InstanceNorm where it is one. */
function groupsOf({ sizes }) {
  const { batch, channels, spatial, groups, channelsLast } = sizes;
  const forms = FORMS[channelsLast ? 'channelsLast' : 'channelsFirst'](batch, channels, spatial);
  return forms.flatMap((form) => [
    { operation: 'groupNorm', ...form, options: { ...form.options, groups } },
    ...(groups === channels ? [{ operation: 'instanceNorm', ...form }] : []),
  ]);
}

function channelsOf({ sizes }) {
  const { outer, channels, inner } = sizes;
  const between = { shape: [...split(outer), channels, inner], options: { channelAxis: 2 } };
  const forms = [between, ...FORMS.channelsFirst(outer, channels, inner)];
  if (inner === 1) forms.push(...FORMS.channelsLast(...split(outer).toSpliced(1, 0, channels)));
  return forms.map((form) => ({ operation: 'batchNorm', ...form }));
}

const weightsOf = ({ sizes }) =>
  FORMS.weights(sizes).map((form) => ({ operation: 'weightStandardize', ...form }));

const SPECS = new Map([
  [layerNorm, rowsOf('layerNorm')],
  [rmsNorm, rowsOf('rmsNorm')],
  [groupNorm, groupsOf],
  [batchNormTraining, channelsOf],
  [batchNormInference, channelsOf],
  [weightStandardize, weightsOf],
]);

/**
 * A problem as a call of the API.
 * @param {Problem} problem
 * @param {number} [form]  which of the ways to say it
 * @returns {import('./api.js').Spec}
 */
export function specOf(problem, form = 0) {
  const { norm, inputs, extents, label } = problem;
  const { eps, gammaOffset, momentum, statCols, cols } = problem.numbers;
  const forms = SPECS.get(norm)(problem);
  const { operation, shape, flat, options } = forms[form % forms.length];
  const own = {
    rmsNorm: { gammaOffset, p: statCols / cols },
    batchNorm: norm.frozen ? { training: false } : { momentum },
  };
  return {
    label: `${label} as ${operation} [${shape}] ${JSON.stringify(options)}`,
    ...{ operation, shape, flat, inputs, extents },
    options: { eps, ...options, ...own[operation] },
  };
}

/** Up to this many values in a problem. */
const LIMIT = 12000;

const few = fc.integer({ min: 1, max: 9 });
const length = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...WIDTHS) },
);
const upTo = (limit, size) => Math.max(1, Math.min(size, Math.floor(limit)));

const rows = fc
  .record({ cols: length, rows: length })
  .map((one) => ({ ...one, rows: upTo(LIMIT / one.cols, one.rows) }));

const withChannels = fc
  .record({ batch: few, groups: few, width: few, spatial: length, channelsLast: fc.boolean() })
  .map(({ width, ...one }) => {
    const channels = one.groups * width;
    return { ...one, channels, spatial: upTo(LIMIT / one.batch / channels, one.spatial) };
  });

/** Many channels of few positions, each its own group or not. */
const manyChannels = fc
  .record({ groups: length, width: few, batch: few, spatial: few, channelsLast: fc.boolean() })
  .map(({ width, ...one }) => {
    const groups = upTo(LIMIT / width / one.batch / one.spatial, one.groups);
    return { ...one, groups, channels: groups * width };
  });

const aroundChannels = fc
  .oneof(
    fc.record({ outer: length, channels: few, inner: fc.constant(1) }),
    fc.record({ outer: few, channels: few, inner: length }),
    fc.record({ outer: few, channels: length, inner: few }),
  )
  .map(({ outer, channels, inner }) => {
    const n = upTo(LIMIT / channels / inner, outer);
    return { outer: n * inner === 1 ? 2 : n, channels, inner };
  });

const SIZES = {
  layerNorm: rows,
  rmsNorm: fc
    .record({
      size: rows,
      part: fc.constantFrom(1, 1, 0.5, 0.1),
      gammaOffset: fc.constantFrom(0, 1),
    })
    .map(({ size, part, gammaOffset }) => ({
      ...size,
      gammaOffset,
      statCols: upTo(size.cols, Math.ceil(size.cols * part)),
    })),
  groupNorm: fc.oneof(withChannels, manyChannels),
  instanceNorm: withChannels.map((size) => ({ ...size, groups: size.channels })),
  batchNormTraining: aroundChannels,
  batchNormInference: aroundChannels,
  weightStandardize: rows.map((one) => ({ filters: one.rows, fanIn: one.cols })),
};

export const ALL = Object.keys(SIZES);
export const CENTRED = ALL.filter((name) => name !== 'rmsNorm' && name !== 'batchNormInference');

const mostly = (usual, ...others) => fc.constantFrom(...others.map(() => usual), ...others);

const kind = fc.constantFrom(...Object.keys(KINDS));
const HUGE = [1e25, 1e30, 3.4e38];

/**
 * The values of a set: drawn, perhaps scaled, perhaps with one far from the others. Not the last with
 * tiny values: what is left of an infinite dx there is no number to compare with.
 */
const values = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind, largest: mostly(undefined, ...HUGE) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind, largest: fc.constantFrom(1e-18, 1e-30, 1e-38, 1e-42) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind,
      largest: mostly(undefined, ...HUGE),
      spike: fc.constantFrom(1e2, 1e4),
    }),
  },
);

/**
 * A problem as fast-check draws it.
 * @typedef {object} Drawn
 * @property {string} norm
 * @property {Record<string, number | boolean>} sizes  and numbers
 * @property {{ kind: string, spike?: number, largest?: number }[]} values  of the sets in turn
 * @property {number[]} dyScales  of the sets in turn
 * @property {number} form
 * @property {boolean} exact
 * @property {number} seed
 */

/**
 * @param {string[]} [names]  of norms
 * @param {Record<string, fc.Arbitrary<any>>} [more]  in place of what Drawn has, or besides
 */
export function problems(names = ALL, more = {}) {
  return fc.constantFrom(...names).chain((norm) =>
    fc.record({
      norm: fc.constant(norm),
      sizes: SIZES[norm],
      eps: fc.constantFrom(1e-5, 1e-5, 1e-3, 1e-12, 0),
      values: fc.array(values, { minLength: 1, maxLength: 4 }),
      dyScales: fc.array(fc.constantFrom(1, 1, 1e-10, 1e6), { minLength: 1, maxLength: 3 }),
      form: fc.nat(9),
      exact: fc.boolean(),
      seed: fc.nat(),
      ...more,
    }),
  );
}

/** Puts one value of every set that has a spike far from the others, and scales sets. */
function shaped({ x }, { set, sets }, kinds, label) {
  const largest = new Float64Array(sets);
  const count = new Uint32Array(sets);
  for (let i = 0; i < x.length; i++) {
    largest[set[i]] = Math.max(largest[set[i]], Math.abs(x[i]));
    count[set[i]] += 1;
  }
  const next = random(`${label} spikes`);
  const at = Uint32Array.from(count, (n) => Math.floor(((next() + 1) / 2) * n));
  const seen = new Uint32Array(sets);
  return x.map((v, i) => {
    const s = set[i];
    const { spike, largest: target } = kinds[s % kinds.length];
    const isSpike = spike && seen[s]++ === at[s];
    const top = largest[s] * (spike ?? 1);
    const value = isSpike ? top : v;
    return target && top > 0 ? value * (target / top) : value;
  });
}

/** @param {Drawn} drawn */
export function problemOf({ norm, sizes, eps = 1e-5, values: kinds, dyScales, seed }) {
  const problem = new Problem(
    NORMS[norm],
    { ...sizes, eps, seed },
    { kinds: kinds.map(({ kind }) => kind), dyScales },
  );
  return problem.with({ x: shaped(problem.inputs, problem.axes, kinds, problem.label) });
}
