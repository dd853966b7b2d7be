/** The table of the ways to get a result. */
import { perElement, ratioOf } from './figures.js';
import { spread, table, times } from './markdown.js';

const WAYS = [
  ['newEachCall', 'a new array from each call', '`an.layerNorm(x, { … })`'],
  ['newGiven', 'a new array given to each call', '`out: new Float32Array(n)`'],
  ['pooled', 'arrays of a pool, handed back after four calls', '`out: take()`'],
  ['out', 'always the same array', '`out`'],
  ['tensors', 'tensors, for comparison', '`out`'],
];

/** @param {import('../suite.js').Row} row */
export function returnsReport(row) {
  const body = WAYS.filter(([id]) => row.times[id]).map(([id, way, code]) => [
    way,
    code,
    spread(perElement(row, id)),
    times(ratioOf(row, id, 'out')),
  ]);
  return table(['result', 'call', 'ns/element (quartiles)', '× `out`'], body, 2);
}
