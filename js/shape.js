/** Shapes: lists of sizes, outermost axis first. */
import { describe, outOfRange, wrongKind } from './check.js';

/** More float32 values than this do not fit into 32-bit memory. */
const MAX_VALUES = 2 ** 30;

/** @param {ArrayLike<number>} shape */
export const format = (shape) => `[${Array.from(shape, formatSize).join(', ')}]`;

/** @param {unknown} size  a number, or what was found in its place */
const formatSize = (size) => (typeof size === 'number' ? String(size) : describe(size));

/**
 * A shape that was given as a number or any list of numbers, as a new array.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {readonly number[]}
 */
export function toShape(name, value) {
  if (typeof value === 'number') return [toSize(name, value, value)];
  const isList = typeof value === 'object' && value !== null && 'length' in value;
  if (!isList) throw wrongKind(name, 'a list of sizes', describe(value));
  const list = /** @type {ArrayLike<number>} */ (value);
  const shape = [];
  for (let axis = 0; axis < list.length; axis += 1) shape.push(toSize(name, list[axis], list));
  return shape;
}

/**
 * @param {string} name
 * @param {number} size
 * @param {number | ArrayLike<number>} whole  for the message
 */
function toSize(name, size, whole) {
  if (Number.isInteger(size) && size >= 0 && size <= MAX_VALUES) return size;
  const got = typeof whole === 'number' ? String(whole) : format(whole);
  throw outOfRange(name, `whole numbers from 0 to ${MAX_VALUES}`, got);
}

/**
 * Product of the sizes from axis `first` up to, not including, `end`.
 *
 * @param {readonly number[]} shape
 */
export function sizeOf(shape, first = 0, end = shape.length) {
  let size = 1;
  for (let axis = first; axis < end; axis += 1) size *= shape[axis];
  if (size > MAX_VALUES) throw outOfRange('shape', `at most ${MAX_VALUES} values`, format(shape));
  return size;
}

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export function sameShape(a, b) {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis += 1) if (a[axis] !== b[axis]) return false;
  return true;
}

/**
 * The same arrangement in memory: equal but for axes of size 1, as [1, C, 1, 1] is to [C].
 *
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export function sameArrangement(a, b) {
  if (sameShape(a, b)) return true;
  return sameShape(
    a.filter((size) => size !== 1),
    b.filter((size) => size !== 1),
  );
}

/**
 * An axis that may count from the end, as one that counts from the start.
 *
 * @param {string} name
 * @param {unknown} axis
 * @param {readonly number[]} shape
 */
export function toAxis(name, axis, shape) {
  const rank = shape.length;
  const index = /** @type {number} */ (axis);
  if (typeof axis !== 'number') throw wrongKind(name, 'a number', describe(axis));
  if (!Number.isInteger(index) || index < -rank || index >= rank) {
    throw outOfRange(name, `an axis of shape ${format(shape)}`, describe(axis));
  }
  return index < 0 ? index + rank : index;
}
