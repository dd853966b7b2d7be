/*
 * How far a norm's output is from that norm in float64, in units in the last place at the scale of
 * the row or channel (helpers/ulp.js, docs/accuracy.md).
 */
import { statistics } from '../accuracy/reference.js';
import * as oracle from '../helpers/oracle.js';
import { largestError } from '../helpers/units.js';

/** @import { Norm } from './find-norms.js' */
/** @import { Values } from './runtime.js' */

/**
 * @typedef {object} Errors
 * @property {number} largest
 * @property {number} rms  the root of the mean of the squares, where equal values of a channel
 *   count once: BatchNorm in inference does the same to the same value, so that the white around
 *   the letters, thousands of times one value, is one rounding, which good luck or bad decides
 * @property {number} rmsOfAll  that of all values
 */

const product = (sizes) => sizes.reduce((total, size) => total * size, 1);

/** y in float64, and the scale of each value. */
const REFERENCES = {
  BatchNorm({ state, eps }, { data: x, dims: [outer, channels, ...space] }) {
    const axes = oracle.batchNormAxes({ outer, channels, inner: product(space) });
    const running = { runningMean: state.input_mean, runningVar: state.input_var, eps };
    const inputs = { x, gamma: state.scale, beta: state.B };
    return oracle.forward(axes, inputs, oracle.frozenStatistics(running));
  },
  LayerNorm({ state, eps }, { data: x }) {
    const cols = state.Scale.length;
    const axes = oracle.layerNormAxes({ rows: x.length / cols, cols });
    const inputs = { x, gamma: state.Scale, beta: state.B };
    return oracle.forward(axes, inputs, statistics(axes, x, { eps }));
  },
};

/**
 * @param {Norm} norm
 * @param {Values} x
 * @returns {(y: Float32Array) => Errors}
 */
export function errorsOf(norm, x) {
  const { y: want, scale } = REFERENCES[norm.kind](norm, x);
  const all = [...want.keys()];
  const different = norm.kind === 'BatchNorm' ? differentValues(x) : all;
  return (got) => {
    const squares = want.map((v, i) => ((got[i] - v) / (scale.y[i] * 2 ** -23)) ** 2);
    return {
      largest: largestError(got, want, scale.y).units,
      rms: rootOfMean(squares, different),
      rmsOfAll: rootOfMean(squares, all),
    };
  };
}

const rootOfMean = (squares, places) =>
  Math.sqrt(places.reduce((sum, i) => sum + squares[i], 0) / places.length);

/** Where a channel has a value for the first time. */
function differentValues({ data, dims: [, channels, ...space] }) {
  const inner = product(space);
  const seen = Array.from({ length: channels }, () => new Set());
  const places = [];
  for (const [i, value] of data.entries()) {
    const values = seen[Math.floor(i / inner) % channels];
    if (!values.has(value)) places.push(i);
    values.add(value);
  }
  return places;
}

/** The largest difference between two arrays. */
export function largestDifference(a, b) {
  let largest = 0;
  for (let i = 0; i < a.length; i += 1) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}
