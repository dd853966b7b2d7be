/** What the figure shows, without a DOM: blocks, statistics, outputs, what moved, what is reached. */
import { NORMS, possibleGroups } from './norms.js';
import { exampleName, featureName, isImage, layoutOf, tableOf } from './table.js';

/** @typedef {import('./presets.js').Table} Table */

/**
 * Cells that share their statistics.
 *
 * @typedef {object} Block
 * @property {number} index
 * @property {string} subscript  tells its statistics from those of others
 * @property {string} name  in words
 * @property {number[]} cells  indices into the table's x
 * @property {number} [mean]  absent where no mean is taken
 * @property {number} variance  or mean square, where no mean is taken
 * @property {number} rstd
 */

/**
 * @typedef {object} Model
 * @property {Table} table
 * @property {import('./norms.js').Norm} norm
 * @property {number} groups
 * @property {number} eps
 * @property {number[]} gamma  one a channel
 * @property {number[]} beta  one a channel
 * @property {Float32Array} [y]  absent where the library refuses
 * @property {string} [refusal]  why
 * @property {{ rows: number, cols: number }} tile  size of a block
 * @property {Block[]} blocks
 * @property {(index: number) => Block} blockOf
 * @property {Table} [old]  the table before
 * @property {Uint8Array} [bits]  how many bits of each output changed, against the table before
 * @property {Float32Array} [dy]
 * @property {Float32Array} [dx]
 */

/** One a channel: what was given, then the default. */
const padded = (values, c, filler) => Array.from({ length: c }, (_, i) => values[i] ?? filler);

/** A list for the library: absent where all entries are the default, one an element where needed. */
function parameter(values, plain, table, norm) {
  if (values.every((value) => value === plain)) return undefined;
  const repeat = norm.perElement ? table.h * table.w : 1;
  return Float32Array.from(values.flatMap((value) => Array(repeat).fill(value)));
}

/** The name of the library's function, and what it is given besides x. */
export function callOf({ table, norm, groups, eps, gamma, beta }) {
  const { n, c, h, w } = table;
  const options = {
    shape: isImage(table) ? [n, c, h, w] : [n, c],
    ...norm.options(table, groups),
    eps,
  };
  const g = parameter(gamma, 1, table, norm);
  const b = norm.centers ? parameter(beta, 0, table, norm) : undefined;
  if (g) options.gamma = g;
  if (b) options.beta = b;
  return { operation: norm.operation, options };
}

/** @param {Table} table */
function blocksOf(table, tile) {
  const { rows, cols, indexAt } = layoutOf(table);
  const across = cols / tile.cols;
  const down = rows / tile.rows;
  const unit = isImage(table) ? 'channel' : 'feature';
  return Array.from({ length: across * down }, (_, index) => {
    const [r, c] = [Math.floor(index / across), index % across];
    const [row, col] = [r * tile.rows, c * tile.cols];
    const cells = [];
    for (let i = row; i < row + tile.rows; i++) {
      for (let j = col; j < col + tile.cols; j++) cells.push(indexAt(i, j));
    }
    const example = rows / tile.rows === table.n && (table.n > 1 || across === 1);
    const width = tile.cols / table.w;
    const first = col / table.w;
    const column = width === 1 ? featureName(table, first) : `group ${c + 1}`;
    const isAll = width === table.c && table.c > 1;
    return {
      index,
      subscript: [down > 1 && r + 1, across > 1 && c + 1].filter(Boolean).join(','),
      name: [example && exampleName(table, r), !isAll && column].filter(Boolean).join(', '),
      unit,
      cells,
    };
  });
}

/** Statistics as the library gives them. Without eps, rstd says what the variance is. */
function withStatistics(an, model, blocks, { mean, rstd }) {
  const { operation, options } = callOf(model);
  const plain = an[operation].forward(model.table.x, { ...options, eps: 0 }).rstd;
  return blocks.map((block, i) => ({
    ...block,
    mean: mean?.[i],
    rstd: rstd[i],
    variance: plain[i] === 0 ? 0 : 1 / plain[i] ** 2,
  }));
}

const words = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

function ones(word) {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** How many bits of each value differ. */
export function changedBits(before, after) {
  const [old, now] = [words(before), words(after)];
  return Uint8Array.from(now, (word, i) => ones(word ^ old[i]));
}

/** What a state stands for, before the library is asked. */
export function readModel(state) {
  const table = tableOf(state.preset, state.data) ?? tableOf(state.preset, '');
  const norm = NORMS[state.norm];
  const groups = possibleGroups(table.c, state.groups);
  return {
    table,
    norm,
    groups,
    eps: state.eps,
    gamma: padded(state.gamma, table.c, 1),
    beta: padded(state.beta, table.c, 0),
    tile: norm.tile(table, groups),
  };
}

/** A call of the library; what it refuses is no error here but something to show. */
function attempt(call) {
  try {
    return { result: call() };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { refusal: error.message };
  }
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {Record<string, any>} state
 * @returns {Model}
 */
export function modelOf(an, state) {
  const model = readModel(state);
  const { table, tile } = model;
  const { operation, options } = callOf(model);
  const { result, refusal } = attempt(() => an[operation].forward(table.x, options));
  const plainBlocks = blocksOf(table, tile);
  const blocks = result ? withStatistics(an, model, plainBlocks, result) : plainBlocks;

  const { cols, placeOf } = layoutOf(table);
  const across = cols / tile.cols;
  const blockOf = (index) => {
    const { row, col } = placeOf(index);
    return blocks[Math.floor(row / tile.rows) * across + Math.floor(col / tile.cols)];
  };
  const made = { ...model, y: result?.y, refusal, blocks, blockOf };
  if (!result) return made;

  const old = tableOf(state.preset, state.from);
  if (old && state.from !== state.data && old.x.length === table.x.length && old.c === table.c) {
    made.old = old;
    made.bits = changedBits(an[operation].forward(old.x, options).y, result.y);
  }
  if (state.direction === 'backward') {
    const at = Math.min(state.inject, table.x.length - 1);
    made.dy = new Float32Array(table.x.length);
    made.dy[at] = 1;
    const { gamma, beta: _, ...rest } = options;
    const given = { ...rest, ...result, x: table.x, ...(gamma && { gamma }), outputs: ['dx'] };
    made.dx = an[operation].backward(made.dy, given).dx;
  }
  return made;
}

/** Changed outputs, in all and by example. */
export function tally({ table, bits }) {
  const { exampleOf } = layoutOf(table);
  const perExample = Array(table.n).fill(0);
  let outputs = 0;
  bits.forEach((count, i) => {
    perExample[exampleOf(i)] += count;
    if (count > 0) outputs++;
  });
  return { outputs, perExample, examples: perExample.filter((count) => count > 0).length };
}
