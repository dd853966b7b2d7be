/* The largest error of each result of a case, in the units of helpers/ulp.js. */
import { largestError } from '../helpers/units.js';
import { reference } from './reference.js';

/**
 * @typedef {object} Library
 * @property {string} name  of its column
 * @property {'own' | 'exact' | 'float32' | 'mixed' | 'double'} kind  ours, ours with exact: true,
 *   and how a peer computes; mixed: doubles within an operation, float32 between operations
 * @property {((one: import('./cases.js').Case) => Record<string, Float32Array>
 *   | Promise<Record<string, Float32Array>>)[]} passes  each gives some of y, dx, dgamma, dbeta
 * @property {(norm: object) => boolean} [applies]  absent: to every norm
 * @property {string} [without]  why it gives nothing else
 * @property {string} [worstIn]  the column of the summary that this one joins; null: none
 */

/** What a table shows: forward, dx, and the gradients of the parameters. */
export const PARTS = [
  { id: 'forward', title: 'forward', outputs: ['y'] },
  { id: 'dx', title: 'backward, dx', outputs: ['dx'] },
  { id: 'parameters', title: 'backward, dgamma and dbeta', outputs: ['dgamma', 'dbeta'] },
];

/**
 * @typedef {object} Cell
 * @property {number} [units]  Infinity where a value is a NaN or an infinity that it should not be
 * @property {number} [got]  that value
 * @property {string} [reason]  why there are no units
 */

/** @returns {Cell | undefined} undefined where there is no such output */
function errorOf(got, want, outputs) {
  const cells = outputs
    .filter((name) => got[name])
    .map((name) => {
      const { units, at } = largestError(got[name], want[name], want.scale[name]);
      return units === Infinity ? { units, got: got[name][at] } : { units };
    });
  return cells.sort((a, b) => b.units - a.units)[0];
}

async function cellsOf(library, one, want) {
  const got = {};
  let reason = library.without ?? 'no result';
  for (const pass of library.passes) {
    try {
      Object.assign(got, await pass(one));
    } catch (error) {
      if (error.code === 'ERR_ASSERTION') throw error;
      reason = error.message.split('\n')[0];
    }
  }
  return Object.fromEntries(
    PARTS.map(({ id, outputs }) => [id, errorOf(got, want, outputs) ?? { reason }]),
  );
}

export const librariesOf = (norm, libraries) =>
  libraries.filter(({ applies }) => !applies || applies(norm));

/**
 * @param {Library[]} libraries
 * @param {import('./cases.js').Case} one
 * @returns {Promise<Map<string, Record<string, Cell>>>} by library, then by part
 */
export async function measure(libraries, one) {
  const want = reference(one);
  const cells = new Map();
  for (const library of librariesOf(one.norm, libraries)) {
    cells.set(library.name, await cellsOf(library, one, want));
  }
  return cells;
}
