/*
 * The same values as a row, a group, a channel and a filter: what holds for one norm is tested for
 * all of them, in every layout.
 */
import { Problem } from '../helpers/problem.js';
import { EXACT } from '../helpers/signatures.js';
import { product } from '../helpers/suite.js';
import { FORWARD_UNITS, GRADIENT_UNITS, roundedOnce, within } from '../helpers/ulp.js';
import { everywhere } from './api.js';
import { NORMS, specOf } from './problems.js';

export const USUAL = { forward: FORWARD_UNITS, backward: GRADIENT_UNITS };

/**
 * Compares a problem on both builds with the oracle.
 * @param {Problem} problem
 * @param {{ form?: number, limits?: typeof USUAL } & import('./api.js').How} [options]
 * @returns what was computed
 */
export function againstOracle(problem, { form, limits = USUAL, ...how } = {}) {
  const spec = specOf(problem, form);
  const got = everywhere(spec, how);
  const flags = how.exact ? EXACT : 0;
  const compare = how.exact
    ? roundedOnce
    : (result, want, label, limit) => within(result, want, limit, label);
  compare(got, problem.wantForward({ flags }), spec.label, limits.forward);
  compare(got, problem.wantBackward({ flags }), spec.label, limits.backward);
  return got;
}

/** Sizes of three sets of n values, or six where there are examples. */
export const SETS_OF = {
  layerNorm: (n) => [{ rows: 3, cols: n }],
  rmsNorm: (n) => [{ rows: 3, cols: n }],
  groupNorm: (n) =>
    product({ batch: [2], channels: [3], spatial: [n], groups: [3], channelsLast: [false, true] }),
  batchNormTraining: (n) => [
    { outer: n, channels: 3, inner: 1 },
    { outer: 1, channels: 3, inner: n },
  ],
  weightStandardize: (n) => [{ filters: 3, fanIn: n }],
};

export const SET_NORMS = Object.keys(SETS_OF);
export const CENTRED_NORMS = SET_NORMS.filter((name) => name !== 'rmsNorm');

/**
 * Problems of sets of n values.
 * @param {number} n
 * @param {object} values
 * @param {(i: number, u: number) => number} values.x  i: place in the set, u: uniform in [-1, 1)
 * @param {(u: number) => number} [values.dy]
 * @param {number} [values.eps]
 * @param {string[]} [names]  of the norms
 */
export function* everyNorm(n, { x, dy, eps = 1e-5 }, names = SET_NORMS) {
  for (const name of names) {
    for (const sizes of SETS_OF[name](n)) {
      const plain = new Problem(NORMS[name], { ...sizes, eps }, { kinds: ['centred'] });
      const place = new Uint32Array(plain.axes.sets);
      const values = plain.inputs.x.map((u, i) => x(place[plain.axes.set[i]]++, u));
      const upstream = dy ? plain.inputs.dy.map((u) => dy(u)) : plain.inputs.dy;
      yield plain.with({ x: values, dy: upstream }, `x = ${x}, dy = ${dy}`);
    }
  }
}

/** The sizes with a single set in place of three. */
export function oneSet(sizes) {
  const counts = { rows: 1, filters: 1, batch: 1, channels: 1, groups: 1 };
  const single = Object.entries(counts).filter(([name]) => name in sizes);
  return { ...sizes, ...Object.fromEntries(single) };
}
