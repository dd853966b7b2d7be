/** Medians with their spread, and ratios of times that were taken in the same rounds. */

/** The value below which a part p of all lies, between its neighbours. */
function quantile(sorted, p) {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/**
 * First quartile, median and third quartile.
 *
 * @param {number[]} values
 */
export function quartiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((p) => quantile(sorted, p));
  return { low, middle, high };
}

/** @param {number[]} values */
export const median = (values) => quartiles(values).middle;

/**
 * How many times as long as `others` it took, round by round: what disturbed the machine in a round
 * disturbed both.
 *
 * @param {number[]} times
 * @param {number[]} others
 */
export const ratio = (times, others) => quartiles(times.map((time, round) => time / others[round]));
