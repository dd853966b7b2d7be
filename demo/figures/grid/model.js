/** What the figure shows, without a DOM: which cells are in which block, and the block's numbers. */

import { NORMS } from './norms.js';

/** Default of every norm in the library. */
export const EPS = 1e-5;

/**
 * Cells that share their statistics.
 *
 * @typedef {object} Block
 * @property {number} index
 * @property {string} subscript  tells its statistics from those of others
 * @property {string} name  in words
 * @property {string[]} features  those whose values are in it
 * @property {number[]} cells  indices into the table
 * @property {number} [mean]  absent where no mean is taken
 * @property {number} spread  variance, or root mean square where no mean is taken
 */

/**
 * @typedef {object} Model
 * @property {import('./norms.js').Norm} norm
 * @property {Float32Array} y
 * @property {{ rows: number, cols: number }} tile  size of a block
 * @property {Block[]} blocks
 * @property {(cell: number) => Block} blockOf
 * @property {(cell: number) => Edges} edgesOf
 */

/** @typedef {{ top: boolean, right: boolean, bottom: boolean, left: boolean }} Edges */

/**
 * The variance (or mean square) that rstd = 1 / sqrt(variance + eps) was made from. rstd is a
 * float32: what is smaller than its rounding is no more than rounding.
 */
function variance(rstd) {
  const sum = 1 / rstd ** 2;
  const value = sum - EPS;
  return Math.abs(value) <= sum * 2 ** -21 ? 0 : value;
}

/** Lines are broken elsewhere. */
const unbroken = (text) => text.replaceAll(' ', '\u00a0');

/** As in `example 3, group 2`; what all blocks have in common is not said. */
function nameOf({ cols, features }, tile, row, col) {
  const example = tile.rows === 1 && `example ${row + 1}`;
  const column = tile.cols === 1 ? features[col] : `group ${col / tile.cols + 1}`;
  return [example, tile.cols < cols && column].filter(Boolean).map(unbroken).join(', ');
}

/** Blocks in the order of the library's statistics: left to right, then down. */
function blocksOf(table, tile) {
  const { rows, cols, features } = table;
  const across = cols / tile.cols;
  const down = rows / tile.rows;
  return Array.from({ length: across * down }, (_, index) => {
    const [r, c] = [Math.floor(index / across), index % across];
    const [row, col] = [r * tile.rows, c * tile.cols];
    const cells = [];
    for (let i = row; i < row + tile.rows; i++) {
      for (let j = col; j < col + tile.cols; j++) cells.push(i * cols + j);
    }
    const subscript = [down > 1 && r + 1, across > 1 && c + 1].filter(Boolean).join(',');
    const inside = features.slice(col, col + tile.cols);
    return { index, subscript, name: nameOf(table, tile, row, col), features: inside, cells };
  });
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {typeof import('../../iris.js').iris} table
 * @param {{ norm: string, groups: string }} state
 * @returns {Model}
 */
export function normalize(an, table, state) {
  const norm = NORMS[state.norm];
  const groups = Number(state.groups);
  const { y, mean, rstd } = an[norm.operation].forward(table.x, callOptions(table, state));
  const tile = norm.tile(table, groups);
  const blocks = blocksOf(table, tile).map((block, i) => ({
    ...block,
    mean: mean?.[i],
    spread: norm.centers ? variance(rstd[i]) : Math.sqrt(variance(rstd[i])),
  }));

  const across = table.cols / tile.cols;
  const place = (cell) => [Math.floor(cell / table.cols), cell % table.cols];
  return {
    norm,
    y,
    tile,
    blocks,
    blockOf(cell) {
      const [row, col] = place(cell);
      return blocks[Math.floor(row / tile.rows) * across + Math.floor(col / tile.cols)];
    },
    edgesOf(cell) {
      const [row, col] = place(cell);
      return {
        top: row % tile.rows === 0,
        right: (col + 1) % tile.cols === 0,
        bottom: (row + 1) % tile.rows === 0,
        left: col % tile.cols === 0,
      };
    },
  };
}

/** The options of the library's call for a state. */
export function callOptions({ rows, cols }, { norm, groups }) {
  const { options } = NORMS[norm];
  return { shape: [rows, cols], eps: EPS, ...options({ rows, cols }, Number(groups)) };
}
