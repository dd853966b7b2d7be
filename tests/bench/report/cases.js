/** The tables of the cases: tensors, then arrays. */
import { perElement, ratioOf, throughput } from './figures.js';
import { digits, spread, table, times } from './markdown.js';

/** Of a mode of ours, and with whom it is compared. */
const MODES = [
  {
    id: 'tensors',
    title: 'Tensors in wasm memory, results into tensors given',
    others: [
      ['loop', 'JavaScript loop'],
      ['plainC', 'plain C'],
      ['scalar', 'scalar build'],
      ['tensorflowTensors', 'TensorFlow.js tensors'],
    ],
  },
  {
    id: 'arrays',
    title: 'JavaScript arrays, results into arrays given',
    others: [
      ['loop', 'JavaScript loop'],
      ['onnxruntime', 'onnxruntime-web'],
      ['tensorflowArrays', 'TensorFlow.js'],
    ],
  },
];

const HEAD = ['operation', 'shape', 'ns/element (quartiles)', 'GB/s', '× memory.copy'];

/** @param {import('../suite.js').Row[]} rows */
function modeTable(rows, { id, title, others }) {
  const present = others.filter(([other]) => rows.some(({ times }) => times[other]));
  const body = rows
    .filter((row) => row.times[id])
    .map((row) => [
      row.operation,
      row.shape,
      spread(perElement(row, id)),
      digits(throughput(row, id)),
      times(ratioOf(row, id, 'copy')),
      ...present.map(([other]) => times(ratioOf(row, other, id))),
    ]);
  const head = [...HEAD, ...present.map(([, name]) => name)];
  const note = 'The last columns: how many times as fast as others.';
  return `**${title}.** ${note}\n\n${table(head, body, 2)}`;
}

function refusals(rows) {
  const lines = rows.flatMap(({ id, refused }) =>
    Object.entries(refused).map(([who, reason]) => `- ${id}, ${who}: ${reason}`),
  );
  return lines.length > 0 ? [`Not measured:\n\n${lines.join('\n')}`] : [];
}

/** @param {import('../suite.js').Row[]} rows */
export const casesReport = (rows) =>
  [...MODES.map((mode) => modeTable(rows, mode)), ...refusals(rows)].join('\n\n');
