/** The README's table: a few cases, and how many times as fast as others. */
import { perElement, ratioOf } from './figures.js';
import { digits, table, times } from './markdown.js';

const HEADLINES = [
  'layerNorm 128×768',
  'layerNormBackward 128×768',
  'rmsNorm 128×768',
  'groupNorm 2×256×56×56 g32',
  'batchNormForward 32×64×56×56',
  'batchNorm 32×64×56×56',
];

/** Others, and our mode that does the same as they do. */
const COLUMNS = [
  ['JavaScript loop', 'loop', 'arrays'],
  ['plain C', 'plainC', 'tensors'],
  ['onnxruntime-web', 'onnxruntime', 'arrays'],
  ['TensorFlow.js wasm', 'tensorflowArrays', 'arrays'],
];

const CAPTION =
  'Nanoseconds per element on tensors and on arrays, and how many times as fast as others that do' +
  ' the same:';
const HEAD = ['', 'tensors', 'arrays'];

/**
 * @param {import('../suite.js').Row[]} rows
 * @returns {string | undefined} undefined where none of the cases was measured
 */
export function readmeTable(rows) {
  const chosen = rows.filter(({ id }) => HEADLINES.includes(id));
  if (chosen.length === 0) return undefined;
  const columns = COLUMNS.filter(([, other]) => chosen.some((row) => row.times[other]));
  const body = chosen.map((row) => [
    `${row.operation}, ${row.shape}`,
    ...['tensors', 'arrays'].map((id) => digits(perElement(row, id)?.middle, 2)),
    ...columns.map(([, other, own]) => times(ratioOf(row, other, own))),
  ]);
  const grid = table([...HEAD, ...columns.map(([name]) => `× ${name}`)], body);
  return `${CAPTION}\n\n${grid}`;
}
