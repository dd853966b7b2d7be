/** The tables of what a call costs. */
import { median, quartiles } from '../stats.js';
import { ratioOf } from './figures.js';
import { digits, spread, table, times } from './markdown.js';

function beyondTable(rows) {
  const body = rows.map(({ operation, times: { tensors, kernel } }) => [
    operation,
    digits(median(tensors)),
    digits(median(kernel)),
    spread(quartiles(tensors.map((time, round) => time - kernel[round]))),
  ]);
  const head = ['call on tiny tensors', 'ns', 'ns of the C function', 'ns beyond (quartiles)'];
  return table(head, body);
}

function smallTable(rows) {
  const body = rows.map((row) => [
    row.shape,
    ...['tensors', 'arrays', 'loop'].map((id) => digits(median(row.times[id]))),
    times(ratioOf(row, 'loop', 'arrays')),
  ]);
  const head = ['LayerNorm forward', 'tensors, ns', 'arrays, ns', 'JavaScript loop, ns'];
  return table([...head, 'loop / arrays'], body);
}

export const callsReport = ({ beyond, small }) =>
  [
    ...(beyond.length > 0 ? [beyondTable(beyond)] : []),
    ...(small.length > 0 ? [smallTable(small)] : []),
  ].join('\n\n');
