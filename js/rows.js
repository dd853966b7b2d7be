/** How LayerNorm and RMSNorm see an array: as rows of `cols` values, each normalized by itself. */

/** @import { Block } from './block.js' */
import { outOfRange, wrongKind } from './check.js';
import { format, sameShape, sizeOf, toAxis, toShape } from './shape.js';

/**
 * Which axes are normalized: the trailing ones of `normalizedShape`, or those from `axis` on. With
 * neither, the last axis of a known shape, else as many values as the parameters have.
 *
 * @typedef {object} RowOptions
 * @property {number | ArrayLike<number>} [normalizedShape]  sizes of the trailing axes; default:
 *   the last axis, or where x has no shape, the length of gamma or beta
 * @property {number} [axis]  the same as the first normalized axis; negative counts from the end
 */

/** @typedef {{ rows: number, cols: number, normalizedShape: readonly number[] }} Rows */

/**
 * @param {string} name  of the array
 * @param {Block} block
 * @param {RowOptions} options
 * @param {any} [parameter]  gamma, beta or undefined: may tell the size
 * @returns {Rows}
 */
export function toRows(name, block, { normalizedShape, axis }, parameter) {
  let sizes;
  if (normalizedShape !== undefined) sizes = toShape('normalizedShape', normalizedShape);
  if (axis !== undefined) sizes = sizesFrom(axis, block, sizes);
  sizes ??= defaultSizes(block, parameter);
  const cols = columnsOf(sizes);
  return { rows: rowsOf(name, block, sizes, cols), cols, normalizedShape: sizes };
}

/**
 * Trailing axes that were given as a number or a list of sizes.
 *
 * @param {unknown} value
 */
export function toNormalizedShape(value) {
  const sizes = toShape('normalizedShape', value);
  columnsOf(sizes);
  return sizes;
}

/** @param {readonly number[]} sizes  of the normalized axes */
function columnsOf(sizes) {
  const cols = sizeOf(sizes);
  if (cols === 0 || sizes.length === 0) {
    throw outOfRange('normalizedShape', 'sizes of at least 1', format(sizes));
  }
  return cols;
}

/**
 * @param {number} axis
 * @param {Block} block
 * @param {readonly number[] | undefined} given  normalizedShape, which must then agree
 */
function sizesFrom(axis, { shape }, given) {
  if (shape === null)
    throw wrongKind('shape', 'a list of sizes, for axis to count in', 'undefined');
  const sizes = shape.slice(toAxis('axis', axis, shape));
  if (given !== undefined && !sameShape(sizes, given)) {
    throw outOfRange('normalizedShape', `${format(sizes)} as axis ${axis} says`, format(given));
  }
  return sizes;
}

/**
 * @param {Block} block
 * @param {any} parameter
 */
function defaultSizes({ shape }, parameter) {
  // Not slice(): engines copy frozen lists slowly.
  if (shape !== null) return shape.length === 0 ? [] : [shape[shape.length - 1]];
  const length = parameter?.data?.length ?? parameter?.length;
  if (typeof length === 'number') return [length];
  throw wrongKind('normalizedShape', 'a number or a list of sizes, or a shape of x', 'undefined');
}

/**
 * @param {string} name
 * @param {Block} block
 * @param {readonly number[]} sizes
 * @param {number} cols
 */
function rowsOf(name, { shape, length }, sizes, cols) {
  if (shape === null) {
    if (length % cols !== 0) throw outOfRange(name, `a multiple of ${cols} values`, length);
    return length / cols;
  }
  const first = shape.length - sizes.length;
  if (!isTrailing(sizes, shape, first)) {
    throw outOfRange('normalizedShape', `trailing axes of shape ${format(shape)}`, format(sizes));
  }
  return sizeOf(shape, 0, first);
}

/**
 * @param {readonly number[]} sizes
 * @param {readonly number[]} shape
 * @param {number} first
 */
function isTrailing(sizes, shape, first) {
  for (let i = 0; i < sizes.length; i += 1) if (sizes[i] !== shape[first + i]) return false;
  return true;
}
