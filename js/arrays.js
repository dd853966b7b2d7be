/** The kinds of arrays that operations take, and how they are told apart. */
import { describe, outOfRange, wrongKind } from './check.js';
import { format, sizeOf, toShape } from './shape.js';

const KINDS = 'Float32Array, Tensor or { data, shape }';

/** How to get float32 values out of what is refused, by its class. */
const CONVERSIONS = new Map([
  ['Float16Array', 'float16: Float32Array.from converts it'],
  ['Uint16Array', 'bit patterns of float16 or bfloat16? convert them to float32 first'],
  ['Buffer', 'bytes: new Float32Array(b.buffer, b.byteOffset, b.length / 4) reads them'],
  ['a function', 'if it gives the values, pass { data: await t.data(), shape: t.shape }'],
]);

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
  expectRowMajor(name, value, shape);
  if (data.length !== sizeOf(shape)) {
    throw outOfRange(name, `length ${sizeOf(shape)} for ${key} ${format(shape)}`, data.length);
  }
  return { data, shape };
}

/**
 * Refuses a view that is not row-major from the first value of its data on, as a transposed or sliced
 * `ndarray` is: the values are read in the order in which they lie.
 *
 * @param {string} name
 * @param {any} view  with `offset` and `stride` (or `strides`) where it can be such a view
 * @param {readonly number[]} shape
 */
export function expectRowMajor(name, { offset = 0, stride, strides = stride }, shape) {
  if (strides === undefined && offset === 0) return;
  const isPacked = strides === undefined || isRowMajor(strides, shape);
  if (offset === 0 && isPacked) return;
  const got = isPacked ? `offset ${describe(offset)}` : `strides ${formatList(strides)}`;
  const copy = '; copy the view first, as assign of ndarray-ops does';
  throw outOfRange(name, 'row-major values from offset 0', got + copy);
}

/**
 * @param {any} strides
 * @param {readonly number[]} shape
 */
function isRowMajor(strides, shape) {
  if (shape.includes(0)) return true;
  let expected = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    if (shape[axis] !== 1 && strides?.[axis] !== expected) return false;
    expected *= shape[axis];
  }
  return true;
}

/** @param {any} list */
const formatList = (list) => (typeof list?.length === 'number' ? format(list) : describe(list));

/**
 * Whether the memory of an array was transferred or has grown away under it, which leaves it empty.
 *
 * @param {Float32Array} array
 */
function isDetached(array) {
  if (array.length > 0) return false;
  try {
    array.keys(); // refuses one that is detached or out of bounds
    return false;
  } catch {
    return true;
  }
}

/** @param {any} value */
function describeArray(value) {
  const data = value?.data;
  if (isFloat32Array(data)) return '{ data } without a shape';
  const found = describe(data === undefined ? value : data);
  const conversion = CONVERSIONS.get(found);
  const hint = conversion === undefined ? '' : ` (${conversion})`;
  return (data === undefined ? found : `{ data: ${found} }`) + hint;
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
