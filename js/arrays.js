/** The kinds of arrays that operations take, and how they are told apart. */
import { describe, outOfRange, wrongKind } from './check.js';
import { format, sizeOf, toShape } from './shape.js';

const KINDS = 'Float32Array, Tensor or { data, shape }';

/** The name of a typed array's kind, for those of other realms too. */
const kindOfTypedArray = /** @type {() => string | undefined} */ (
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Float32Array.prototype), Symbol.toStringTag)
    ?.get
);

/**
 * @param {unknown} value
 * @returns {value is Float32Array}
 */
export const isFloat32Array = (value) => kindOfTypedArray.call(value) === 'Float32Array';

/**
 * The values of any array that is taken, not copied, and its shape: null for a flat array.
 *
 * @param {string} name
 * @param {any} value
 * @param {string} [hint]  where the value would come from, for the message
 * @returns {{ data: Float32Array, shape: readonly number[] | null }}
 */
export function readArray(name, value, hint = '') {
  if (isFloat32Array(value)) {
    if (isDetached(value)) throw wrongKind(name, KINDS, 'an array whose memory was taken away');
    return { data: value, shape: null };
  }
  const data = value?.data;
  const key = value?.dims === undefined ? 'shape' : 'dims';
  if (!isFloat32Array(data) || value[key] === undefined) {
    throw wrongKind(name, KINDS, describeArray(value) + hint);
  }
  const shape = toShape(`${name}.${key}`, value[key]);
  if (data.length !== sizeOf(shape)) {
    throw outOfRange(name, `length ${sizeOf(shape)} for ${key} ${format(shape)}`, data.length);
  }
  return { data, shape };
}

/**
 * Whether the memory of an array was transferred or has grown away under it, which leaves it empty.
 *
 * @param {Float32Array} array
 */
function isDetached(array) {
  if (array.length > 0) return false;
  try {
    return new Float32Array(array.buffer, 0, 0).length > 0;
  } catch {
    return true;
  }
}

/** @param {any} value */
function describeArray(value) {
  const data = value?.data;
  if (data === undefined) return describe(value);
  return isFloat32Array(data) ? '{ data } without a shape' : `{ data: ${describe(data)} }`;
}

/**
 * Whether two arrays share memory.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
export const overlap = (a, b) =>
  a.buffer === b.buffer &&
  a.byteOffset < b.byteOffset + b.byteLength &&
  b.byteOffset < a.byteOffset + a.byteLength;
