/** Tables as text, for the address and from spreadsheets, and what can be done to them. */
import { literal, parseNumber } from '../../numbers.js';
import { anotherIris, knownIrises, PRESETS } from './presets.js';

/** @typedef {import('./presets.js').Table} Table */

export const MOST_ROWS = 200;
export const MOST_COLS = 16;

/*
 * What was changed in a preset, as in `e5_7.2*9_-1` (value 5 is 7.2, value 9 is −1), or a table of
 * its own, as in `t2.3.1.1*1_2_3_4_5_6`, where the sizes may be followed by which irises the rows are. The
 * letters need no escapes in an address.
 */

/**
 * @param {string} preset
 * @param {string} text  empty: as the preset is
 * @returns {Table | undefined} undefined where the text is no table
 */
export function tableOf(preset, text) {
  const base = PRESETS[preset];
  if (text === '') return base;
  const [head, ...parts] = text.slice(1).split('*');
  if (text[0] === 'e') {
    const x = base.x.slice();
    for (const part of [head, ...parts]) {
      const [index, value] = part.split('_').map(parseNumber);
      if (!(index in x) || value === undefined) return undefined;
      x[index] = value;
    }
    return { ...base, x };
  }
  const [n, c, h, w, ...ids] = head.split('.').map(Number);
  const fits = [n, c, h, w].every((size) => Number.isInteger(size) && size > 0);
  if (text[0] !== 't' || !fits || n * h > MOST_ROWS || c * w > MOST_COLS) return undefined;
  const values = parts.join('*').split('_').map(parseNumber);
  if (values.length !== n * c * h * w || values.includes(undefined)) return undefined;
  const table = { n, c, h, w, x: Float32Array.from(values) };
  const isLikeBase = c === base.c && h === base.h && w === base.w;
  if (!isLikeBase) return table;
  const known = base.ids && ids.length === n && knownIrises(ids);
  return { ...table, ...known, features: base.features, unit: base.unit };
}

/** Equal as bits are: NaN is NaN, and −0 is not 0. */
const isSame = (a, b) => Object.is(a, b);

const isSameShape = (a, b) => a.n === b.n && a.c === b.c && a.h === b.h && a.w === b.w;

const text = (value) => literal(value).replace('+', '');

/** @param {Table} table */
export function textOf(preset, table) {
  const base = PRESETS[preset];
  const { n, c, h, w, x, ids = [] } = table;
  const isEdited = isSameShape(table, base) && table.examples === base.examples;
  if (!isEdited) return `t${[n, c, h, w, ...ids].join('.')}*${Array.from(x, text).join('_')}`;
  const edits = [];
  x.forEach((value, i) => {
    if (!isSame(value, base.x[i])) edits.push(`${i}_${text(value)}`);
  });
  return edits.length > 0 ? `e${edits.join('*')}` : '';
}

export function withValue(table, index, value) {
  const x = table.x.slice();
  x[index] = value;
  return { ...table, x };
}

/** Another example at the end: another iris, or one like the last but for its sign. */
export function withExample({ n, c, h, w, x, ids }) {
  const iris = ids && anotherIris(ids);
  const last = iris?.x ?? x.slice(-c * h * w).map((value) => -value || 0);
  const made = { n: n + 1, c, h, w, x: Float32Array.of(...x, ...last) };
  return iris ? { ...made, ids: [...ids, iris.id] } : made;
}

export function withoutExample({ n, c, h, w, x, ids }, example) {
  const size = c * h * w;
  const kept = x.filter((_, i) => Math.floor(i / size) !== example);
  return { n: n - 1, c, h, w, x: kept, ids: ids?.filter((_, i) => i !== example) };
}

export const canAdd = ({ n, h }) => (n + 1) * h <= MOST_ROWS;

/**
 * A table from a spreadsheet: a line a row, cells apart by tabs, semicolons, commas or spaces. A
 * first line without any number is taken for a heading.
 *
 * @param {string} pasted
 * @returns {Table}
 * @throws {RangeError} that says what is wrong
 */
export function parseTable(pasted) {
  const lines = pasted.split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = ['\t', ';', /,\s*/, /\s+/].find(
    (one) => lines[0]?.trim().split(one).length > 1,
  );
  const cells = lines.map((line) =>
    (separator === undefined ? [line] : line.trim().split(separator)).map(parseNumber),
  );
  if (cells[0]?.every((value) => value === undefined)) cells.shift();
  const [first] = cells;
  if (first === undefined) throw new RangeError('There are no numbers in it.');
  cells.forEach((row, i) => {
    if (row.length !== first.length) {
      throw new RangeError(`Row ${i + 1} has ${row.length} cells, row 1 has ${first.length}.`);
    }
    const odd = row.indexOf(undefined);
    if (odd >= 0) throw new RangeError(`Row ${i + 1}, cell ${odd + 1} is no number.`);
  });
  if (cells.length > MOST_ROWS) throw new RangeError(`Up to ${MOST_ROWS} rows fit here.`);
  if (first.length > MOST_COLS) throw new RangeError(`Up to ${MOST_COLS} columns fit here.`);
  return { n: cells.length, c: first.length, h: 1, w: 1, x: Float32Array.from(cells.flat()) };
}

/**
 * Where values are drawn: images of a row side by side, so that every norm's blocks are rectangles.
 *
 * @param {Table} table
 */
export function layoutOf({ n, c, h, w }) {
  const [rows, cols] = [n * h, c * w];
  return {
    rows,
    cols,
    /** What is drawn in a place, as an index into x. */
    indexAt: (row, col) =>
      ((Math.floor(row / h) * c + Math.floor(col / w)) * h + (row % h)) * w + (col % w),
    placeOf(index) {
      const channel = Math.floor(index / (h * w));
      return {
        row: Math.floor(channel / c) * h + (Math.floor(index / w) % h),
        col: (channel % c) * w + (index % w),
      };
    },
    exampleOf: (index) => Math.floor(index / (c * h * w)),
    channelOf: (index) => Math.floor(index / (h * w)) % c,
  };
}

/** As a reader would say it. */
export function nameOf(table, index) {
  const { exampleOf, channelOf, placeOf } = layoutOf(table);
  const { row, col } = placeOf(index);
  const pixel =
    table.h * table.w > 1 ? `, pixel ${(row % table.h) + 1}, ${(col % table.w) + 1}` : '';
  return `${exampleName(table, exampleOf(index))}, ${featureName(table, channelOf(index))}${pixel}`;
}

export const isImage = ({ h, w }) => h * w > 1;

/** What a row is. */
export const rowOf = ({ padding }) => (padding ? 'token' : 'example');

export const exampleName = (table, i) => `${rowOf(table)} ${table.examples?.[i] ?? i + 1}`;

export const featureName = (table, i) =>
  table.features?.[i] ?? `${isImage(table) ? 'channel' : 'feature'} ${i + 1}`;
