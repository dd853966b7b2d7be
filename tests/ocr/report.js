/* What evaluate() has measured, as text and as a table. */

/** @import { Errors } from './errors.js' */
/** @import { Findings, Row } from './evaluate.js' */

export const number = (value) => value.toPrecision(2);
const pair = ({ largest, rms }) => `${number(largest)} / ${number(rms)}`;

/** Markdown; numbers from the third column on. */
export function table(head, lines) {
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map((cells) => cells[i].length)));
  const isText = (column) => column < 2;
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const padded = (cells) =>
    line(cells.map((cell, i) => (isText(i) ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))));
  const rule = widths.map((width, i) => (isText(i) ? '-' : ':').padStart(width, '-'));
  return [padded(head), line(rule), ...lines.map(padded)].join('\n');
}

/** A line a norm: as the graph is written, and as ONNX Runtime optimizes it. */
export function normsTable({ rows }) {
  const optimized = new Map(rows.filter((row) => row.optimized).map((row) => [row.name, row]));
  const lines = rows
    .filter((row) => !row.optimized)
    .map(({ kind, name, shape, ours, theirs }) => {
      const other = optimized.get(name);
      return [`${kind} \`${name}\``, shape, ...[ours, theirs, other.ours, other.theirs].map(pair)];
    });
  const columns = ['axisnorm', 'ONNX Runtime', 'axisnorm (optimized)', 'ONNX Runtime (optimized)'];
  return table(['norm', 'shape', ...columns], lines);
}

/**
 * Rows in which ours is farther from float64 than ONNX Runtime's.
 *
 * @param {Findings} findings
 * @param {keyof Errors} measure
 * @returns {Row[]}
 */
export const misses = ({ rows }, measure) =>
  rows.filter(({ ours, theirs }) => !(ours[measure] <= theirs[measure]));

/** Measures in which ours is nowhere to be farther off. */
export const PROMISED = ['largest', 'rms'];

export const missText = ({ name, optimized, ours, theirs }, measure) =>
  `\`${name}\`${optimized ? ', optimized' : ''}: axisnorm ${ours[measure].toPrecision(3)}, ` +
  `ONNX Runtime ${theirs[measure].toPrecision(3)}`;

export const countOf = ({ rows }, kind) =>
  rows.filter((row) => row.kind === kind && !row.optimized).length;

/** The worst of a kind, over both ways of running the network. */
function worst({ rows }, kind, who) {
  const errors = rows.filter((row) => row.kind === kind).map((row) => row[who]);
  const largestOf = (measure) => Math.max(...errors.map((error) => error[measure]));
  return pair({ largest: largestOf('largest'), rms: largestOf('rms') });
}

/** For the terminal. */
export function summary(findings) {
  const { texts, logits } = findings;
  const worstOf = (kind) =>
    `${kind}, worst errors in units, largest / RMS: axisnorm ${worst(findings, kind, 'ours')}, ` +
    `ONNX Runtime ${worst(findings, kind, 'theirs')}`;
  return [
    `${countOf(findings, 'BatchNorm')} BatchNorm, ${countOf(findings, 'LayerNorm')} LayerNorm`,
    worstOf('BatchNorm'),
    worstOf('LayerNorm'),
    ...misses(findings, 'rmsOfAll').map((row) => `RMS of all values, ${missText(row, 'rmsOfAll')}`),
    `read by ONNX Runtime: ${texts.written}`,
    `read with our norms:  ${texts.ours}`,
    `read without norms:   ${texts.without || 'nothing'}`,
    `logits, up to ${number(logits.largest)}, differ by ${number(logits.ours)} with our norms, ` +
      `by ${number(logits.optimized)} as ONNX Runtime optimizes the graph`,
  ].join('\n');
}
