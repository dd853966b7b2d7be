/** The tables of how cost grows, with their cliffs in bold. */
import { digits, table, times } from './markdown.js';

/** A cliff: more than this many times what a neighbour costs. */
const CLIFF = 1.5;

const cellText = (cell) => {
  if (!cell) return '';
  return cell.excess > CLIFF ? `**${digits(cell.time)}**` : digits(cell.time);
};

/** @param {import('../growth.js').Sweep} sweep */
function sweepTable({ sizes, fixed, cells }, varied, other) {
  const body = sizes.map((size) => [
    String(size),
    ...fixed.map((value) => cellText(cells[value][size])),
  ]);
  return table([varied, ...fixed.map((value) => `${other} ${value}`)], body, 0);
}

/** Every cliff of a sweep, as `rows×width`. */
export const cliffsIn = ({ sizes, fixed, cells }, text) =>
  fixed.flatMap((other) =>
    sizes.filter((size) => cells[other][size]?.excess > CLIFF).map((size) => text(size, other)),
  );

function operationReport({ title, widths, rows }) {
  const cliffs = [
    ...cliffsIn(widths, (width, count) => `${count}×${width}`),
    ...cliffsIn(rows, (count, width) => `${count}×${width}`),
  ];
  const found = [...new Set(cliffs)].join(', ') || 'none';
  return [
    `**${title}**, tensors, ns/element. Cliffs (rows×width): ${found}.`,
    sweepTable(widths, 'width', 'rows'),
    sweepTable(rows, 'rows', 'width'),
  ].join('\n\n');
}

function offsetTable({ offsets, rows, widths, cells }) {
  const body = widths.map((width) => [
    `${rows}×${width}`,
    digits(cells[width].time),
    ...cells[width].ratios.map(times),
  ]);
  const head = ['shape', 'ns/element', ...offsets.map((at) => `${4 * at} bytes later`)];
  return [
    '**LayerNorm forward**, arrays at the start of their buffers, and how many times as long it' +
      ' takes where all of them start later.',
    table(head, body),
  ].join('\n\n');
}

export const growthReport = ({ operations, misaligned }) =>
  [
    `Bold is a cliff: more than ${CLIFF} times what a neighbour with fewer or hardly more elements` +
      ' costs per element.',
    ...operations.map(operationReport),
    offsetTable(misaligned),
  ].join('\n\n');
