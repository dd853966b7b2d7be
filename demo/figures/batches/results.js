/** Which runs a state asks for, and what is known of them. */
import { ALL, SIZES } from './fields.js';
import { NORMS } from './run.js';

/** @import { Job, Result } from './run.js' */

export const sizesOf = ({ size }) => (size === ALL ? SIZES : [size]);
const seedsOf = ({ seeds }) => Array.from({ length: seeds }, (_, i) => i + 1);

const keyOf = ({ norm, size, seed, seen, update }) => [norm, size, seed, seen, update].join();

/**
 * All runs, so that the whole picture is there after the first seed.
 *
 * @returns {Job[]}
 */
export const jobsOf = (state) =>
  seedsOf(state).flatMap((seed) =>
    sizesOf(state).flatMap((size) =>
      Object.keys(NORMS).map((norm) => jobAt(state, norm, size, seed)),
    ),
  );

const jobAt = ({ seen, update }, norm, size, seed) => ({ norm, size, seed, seen, update });

export function newResults() {
  /** @type {Map<string, Result>} */
  const known = new Map();
  return {
    /** @param {Job} job @param {Result} result */
    add: (job, result) => known.set(keyOf(job), result),
    /** Those of a state's runs that nothing is known of. */
    openOf: (state) => jobsOf(state).filter((job) => !known.has(keyOf(job))),
    forget(state) {
      for (const job of jobsOf(state)) known.delete(keyOf(job));
    },
    /**
     * What the seeds gave so far.
     *
     * @param {'training' | 'inference'} kind
     * @returns {Summary | undefined}
     */
    summary(state, kind, norm, size) {
      const values = seedsOf(state)
        .map((seed) => known.get(keyOf(jobAt(state, norm, size, seed)))?.[kind])
        .filter((value) => value !== undefined);
      return values.length > 0 ? summaryOf(values) : undefined;
    },
  };
}

/**
 * @typedef {object} Summary
 * @property {number} mean  NaN where a run has diverged
 * @property {number} low
 * @property {number} high
 * @property {number} seeds
 */

/** @returns {Summary} */
const summaryOf = (values) => ({
  mean: values.reduce((a, b) => a + b, 0) / values.length,
  low: Math.min(...values),
  high: Math.max(...values),
  seeds: values.length,
});
