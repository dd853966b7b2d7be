/*
 * Properties with fast-check. The seed is fixed, so that everyone sees the same; a failure prints
 * seed, path and the smallest counterexample. Others are tried with
 *
 *   AXISNORM_SEED=7 AXISNORM_RUNS=50 npm test -- properties
 *
 * where AXISNORM_RUNS multiplies the number of runs.
 */
import { after, test } from 'node:test';
import fc from 'fast-check';
import { worst } from '../helpers/ulp.js';

const SEED = Number(process.env.AXISNORM_SEED ?? 1);
const RUNS = Number(process.env.AXISNORM_RUNS ?? 1);

const settings = (numRuns) => ({
  seed: SEED,
  numRuns: numRuns * RUNS,
  includeErrorInReport: true,
});

/**
 * @template T
 * @param {string} name  what holds
 * @param {number} numRuns
 * @param {fc.Arbitrary<T>} arbitrary
 * @param {(value: T) => void} check  throws where it does not
 */
export function property(name, numRuns, arbitrary, check) {
  test(name, () => {
    fc.assert(fc.property(arbitrary, check), settings(numRuns));
  });
}

/** The same for a check that returns a promise. */
export function asyncProperty(name, numRuns, arbitrary, check) {
  test(name, () => fc.assert(fc.asyncProperty(arbitrary, check), settings(numRuns)));
}

/** Prints the largest errors when the tests of the file have run. */
export function reportErrors(title) {
  after(() => {
    const errors = [...worst].map(([name, units]) => `${name} ${units.toFixed(2)}`);
    console.log(`${title}: largest errors in units: ${errors.join(', ')}`);
    worst.clear();
  });
}
