/*
 * What is true, for the purposes of the table: the oracle's formulas with statistics whose sums
 * carry their rounding errors along (Neumaier), so that neither a large mean nor a long sum costs
 * the reference more than a ten-thousandth of a unit.
 */
import * as oracle from '../helpers/oracle.js';

/** One compensated sum a set. */
class Sums {
  constructor(sets) {
    this.sum = new Float64Array(sets);
    this.lost = new Float64Array(sets);
  }

  add(set, v) {
    const old = this.sum[set];
    const sum = old + v;
    this.lost[set] += Math.abs(old) >= Math.abs(v) ? old - sum + v : v - sum + old;
    this.sum[set] = sum;
  }

  /** The sums divided by a number each. */
  over(count) {
    return this.sum.map((sum, set) => (sum + this.lost[set]) / count[set]);
  }
}

/** Statistics of every set, as oracle.statistics names them. */
export function statistics(axes, x, { eps, center = true }) {
  const { set, sets } = axes;
  const count = new Float64Array(sets);
  for (const s of set) count[s] += 1;
  const values = new Sums(sets);
  const squares = new Sums(sets);
  for (let i = 0; i < x.length; i++) {
    values.add(set[i], x[i]);
    squares.add(set[i], x[i] * x[i]);
  }
  const mean = center ? values.over(count) : new Float64Array(sets);
  const deviations = new Sums(sets);
  for (let i = 0; i < x.length; i++) deviations.add(set[i], (x[i] - mean[set[i]]) ** 2);
  const variance = deviations.over(count);
  const rstd = variance.map((v) => (v + eps === 0 ? 0 : 1 / Math.sqrt(v + eps)));
  return { count, mean, variance, rstd, size: squares.over(count).map(Math.sqrt) };
}

/**
 * @param {import('./cases.js').Case} one
 * @returns {{ y: Float64Array, dx: Float64Array, dgamma: Float64Array, dbeta: Float64Array,
 *   scale: Record<string, Float64Array> }}
 */
export function reference(one) {
  return results(one, statistics);
}

/** The outputs of the oracle, from statistics taken this way or that. */
export function results({ norm, axes, eps, inputs }, statisticsOf) {
  const { center } = norm;
  const stats = norm.frozen
    ? oracle.frozenStatistics({ ...inputs, eps })
    : statisticsOf(axes, inputs.x, { eps, center });
  const forward = oracle.forward(axes, inputs, stats);
  const backward = oracle.backward(axes, inputs, stats, { center });
  backward.scale.dx = atLeast(backward.scale.dx, backward.dx, axes);
  return { ...forward, ...backward, scale: { ...forward.scale, ...backward.scale } };
}

/** `scale`, and no less than the largest value of the set. */
function atLeast(scale, values, { set, sets }) {
  const largest = new Float64Array(sets);
  for (let i = 0; i < set.length; i++) {
    largest[set[i]] = Math.max(largest[set[i]], Math.abs(values[i]));
  }
  return scale.map((size, i) => Math.max(size, largest[set[i]]));
}
