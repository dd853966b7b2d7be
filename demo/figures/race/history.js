/** What the runs of a lane have given so far, and the curves that are drawn of it. */
import { PER_SEED, rowLength } from './run.js';

/** A curve has this many points at most, however long the race. */
export const MOST_POINTS = 160;

/**
 * @typedef {object} History
 * @property {number} steps  that there will be
 * @property {number} length  steps so far
 * @property {number} seeds
 * @property {Float64Array} rate  by step
 * @property {Record<'loss' | 'accuracy' | 'gradientNorm', Float64Array[]>} values  by seed and step
 */

/** @returns {History} */
export function newHistory(steps, seeds) {
  const column = () => new Float64Array(steps);
  return {
    steps,
    seeds,
    length: 0,
    rate: column(),
    values: Object.fromEntries(
      PER_SEED.map((name) => [name, Array.from({ length: seeds }, column)]),
    ),
  };
}

/** Takes in the rows of some steps, one after the other. */
export function append(history, rows) {
  const { seeds, rate, values } = history;
  const size = rowLength(seeds);
  for (let at = 0; at < rows.length; at += size) {
    const i = history.length++;
    rate[i] = rows[at];
    for (let seed = 0; seed < seeds; seed++) {
      PER_SEED.forEach((name, k) => {
        values[name][seed][i] = rows[at + 1 + seed * PER_SEED.length + k];
      });
    }
  }
}

/** The middle of the numbers that are finite; NaN where none is. */
export function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
}

/** Mean, least and largest of a stretch; all NaN where one of them is not finite. */
export function summaryOf(values, from, to) {
  let [sum, low, high] = [0, Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    const v = values[i];
    if (!Number.isFinite(v)) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN };
    sum += v;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  return { mean: sum / (to - from), low, high };
}

/** Steps that one point of a curve stands for. */
export const stepsPerPoint = (steps) => Math.ceil(steps / MOST_POINTS);

/**
 * A curve with its band. With one seed a point is the mean of a few steps, and the band reaches from
 * the least to the largest of them. With several it is the median of their means, and the band
 * reaches from the least to the largest mean. Seeds that have diverged are left out; where none is
 * left, both are NaN.
 *
 * @param {History} history
 * @param {'loss' | 'accuracy' | 'gradientNorm'} name
 * @returns {{ points: [number, number][], band: [number, number, number][] }}
 */
export function curveOf({ steps, length, seeds, values }, name) {
  const width = stepsPerPoint(steps);
  const points = [];
  const band = [];
  for (let from = 0; from < length; from += width) {
    const to = Math.min(length, from + width);
    const x = (from + 1 + to) / 2; // steps count from 1
    const each = values[name].map((column) => summaryOf(column, from, to));
    const means = each.map(({ mean }) => mean).filter(Number.isFinite);
    points.push([x, median(means)]);
    if (means.length === 0) band.push([x, Number.NaN, Number.NaN]);
    else if (seeds === 1) band.push([x, each[0].low, each[0].high]);
    else band.push([x, Math.min(...means), Math.max(...means)]);
  }
  return { points, band };
}

/** The learning rate over the steps. */
export function rateCurve({ steps, length, rate }) {
  const width = stepsPerPoint(steps);
  const points = [];
  for (let i = 0; i < length; i += width) points.push([i + 1, rate[i]]);
  if (length > 0) points.push([length, rate[length - 1]]);
  return points;
}

/** Steps that the newest numbers are taken over. */
const NEWEST = 20;

/** Median over the seeds of the mean over the newest steps; NaN at the start. */
export function newest({ length, values }, name) {
  const from = Math.max(0, length - NEWEST);
  return length === 0
    ? Number.NaN
    : median(values[name].map((column) => summaryOf(column, from, length).mean));
}
