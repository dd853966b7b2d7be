/**
 * How cost grows: time per element over widths, with powers of two, their neighbours and odd ones;
 * over numbers of rows; and on arrays that start anywhere.
 */
import { load } from '../../js/index.js';
import { caseOf, rowSizes } from './cases.js';
import { axisnormArrays } from './contestants/axisnorm-arrays.js';
import { axisnormTensors } from './contestants/axisnorm-tensors.js';
import { OPERATIONS } from './operations.js';
import { mistakeIn, problemOf } from './problem.js';
import { race } from './race.js';
import { median, ratio } from './stats.js';
import { repeat } from './timing.js';

const around = (...sizes) => sizes.flatMap((n) => [n - 1, n, n + 1]);

/** What is varied, and what is fixed meanwhile. Tests take less. */
export const EXTENTS = {
  widths: [
    ...[4, 5, 6, 7, 8, 9, 12],
    ...around(16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768),
    ...[65535, 65536],
  ],
  atRows: [1, 4, 64, 1024],
  rows: [1, 2, 3, 4, 5, 6, 7, 8, 9, ...around(16, 32, 64, 128, 256, 1024), 4095, 4096],
  atWidths: [33, 64, 768, 4096],
  offsetWidths: [33, 64, 768, 1024],
};

/** More elements would measure the memory, whose cost the cases show. */
const MOST_ELEMENTS = 2 ** 22;
/** Above it the float64 reference would take longer than the measurement. */
const CHECKED_ELEMENTS = 2 ** 16;
/**
 * A call and a row have fixed costs, which few elements make dear: a larger neighbour is cheaper by
 * right, unless it is hardly larger.
 */
const HARDLY_LARGER = 4 / 3;

/** In floats: every alignment that a Float32Array can have to the 16 bytes of a vector. */
const OFFSETS = [0, 1, 2, 3];
const OFFSET_ROWS = 128;

/** BatchNorm takes its rows for a batch, and their values for channels. */
const channelSizes = (outer, channels) => ({ outer, channels, inner: 1 });
const GROWING = [
  ['layerNorm', rowSizes],
  ['layerNormBackward', rowSizes],
  ['rmsNorm', rowSizes],
  ['rmsNormBackward', rowSizes],
  ['batchNormForward', channelSizes],
  ['batchNormBackward', channelSizes],
];

/** An entry whose first results, where they are few, are right. */
function prepare(one, contestant) {
  const { inputs, expected } = problemOf(one);
  const entry = contestant.prepare(one, inputs);
  const [f, ...args] = entry.call;
  f(...args);
  const isChecked = one.lengths.x <= CHECKED_ELEMENTS;
  const mistake = isChecked && mistakeIn(one, entry.results(), expected());
  if (mistake) {
    entry.end?.();
    throw new Error(`${one.id}: ${mistake}`);
  }
  return entry;
}

/**
 * Nanoseconds per element, in every round, of cases that race with each other.
 *
 * @param {{ one: import('./cases.js').Case, contestant: import('./suite.js').Contestant }[]} list
 */
async function timesPerElement(list, { clock }, settings) {
  const entries = [];
  try {
    for (const { one, contestant } of list) entries.push(prepare(one, contestant));
    const runs = entries.map(({ call: [f, ...args] }) => repeat(f, args));
    const times = await race(runs, clock, settings);
    return times.map((rounds, i) => rounds.map((time) => time / list[i].one.lengths.x));
  } finally {
    for (const { end } of entries) end?.();
  }
}

/** How many times as much a case costs per element as the cheaper of its neighbours. */
export function excessOf(elements, times, at) {
  const ratios = [at - 1, at + 1]
    .filter((other) => elements[other] <= HARDLY_LARGER * elements[at])
    .map((other) => ratio(times[at], times[other]).middle);
  return Math.max(1, ...ratios);
}

/**
 * @typedef {object} Cell
 * @property {number} time  nanoseconds per element
 * @property {number} excess  times the cheaper neighbour's
 *
 * @typedef {object} Sweep
 * @property {number[]} sizes  what is varied
 * @property {number[]} fixed
 * @property {Record<number, Record<number, Cell>>} cells  by what is fixed, then by size
 */

/** One column: sizes that race with each other. */
async function column(sizes, caseAt, contestant, environment, settings) {
  const all = sizes.map((size) => ({ size, one: caseAt(size), contestant }));
  const list = all.filter(({ one }) => one.lengths.x <= MOST_ELEMENTS);
  const times = await timesPerElement(list, environment, settings);
  const elements = list.map(({ one }) => one.lengths.x);
  return Object.fromEntries(
    list.map(({ size }, i) => [
      size,
      { time: median(times[i]), excess: excessOf(elements, times, i) },
    ]),
  );
}

/** @returns {Promise<Sweep>} */
async function sweep(sizes, fixed, caseAt, contestant, environment, settings) {
  const cells = {};
  for (const other of fixed) {
    const at = (size) => caseAt(size, other);
    cells[other] = await column(sizes, at, contestant, environment, settings);
  }
  return { sizes, fixed, cells };
}

/** Both sweeps of an operation. */
async function growthOf(op, sizesOf, extents, contestant, environment, settings) {
  // BatchNorm cannot train on a single value per channel.
  const possible = (list) => list.filter((rows) => rows > 1 || sizesOf === rowSizes);
  const byWidth = (width, rows) => caseOf(op, sizesOf(rows, width));
  const byRows = (rows, width) => caseOf(op, sizesOf(rows, width));
  const { widths, atRows, rows, atWidths } = extents;
  const context = [contestant, environment, settings];
  return {
    title: op.title,
    widths: await sweep(widths, possible(atRows), byWidth, ...context),
    rows: await sweep(possible(rows), atWidths, byRows, ...context),
  };
}

/** Nanoseconds per element by width, at each offset, and how many times those at none. */
async function misaligned(an, widths, environment, settings) {
  const cells = {};
  for (const width of widths) {
    const one = caseOf(OPERATIONS.layerNorm, rowSizes(OFFSET_ROWS, width));
    const list = OFFSETS.map((at) => ({ one, contestant: axisnormArrays(an, 'arrays', at) }));
    const [none, ...others] = await timesPerElement(list, environment, settings);
    const ratios = others.map((times) => ratio(times, none).middle);
    cells[width] = { time: median(none), ratios };
  }
  return { offsets: OFFSETS.slice(1), rows: OFFSET_ROWS, widths, cells };
}

/** @type {import('./measure.js').Measure} */
export async function measureGrowth(environment, { filter, settings, extents = EXTENTS }, say) {
  const an = await load();
  const tensors = axisnormTensors(an, 'tensors');
  const operations = [];
  for (const [id, sizesOf] of GROWING.filter(([id]) => new RegExp(filter).test(id))) {
    const op = OPERATIONS[id];
    operations.push(await growthOf(op, sizesOf, extents, tensors, environment, settings));
    say(`${op.title}: growth is measured`);
  }
  const arrays = await misaligned(an, extents.offsetWidths, environment, settings);
  return { operations, misaligned: arrays };
}
