/** Checks of settings, beside those of js/check.js. */
import { describe, expectNumber, outOfRange, wrongKind } from '../check.js';

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} min
 * @param {number} max
 */
export function expectWhole(name, value, min, max) {
  const expected = `a whole number from ${min} to ${max}`;
  expectNumber(name, value, min, max, expected);
  if (!Number.isInteger(value)) throw outOfRange(name, expected, describe(value));
}

/**
 * What is written into an array that a model keeps.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {'Uint32Array' | 'Int32Array'} type
 * @param {number} length
 */
export function expectArray(name, value, type, length) {
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== type)
    throw wrongKind(
      name,
      type === 'Int32Array' ? 'an Int32Array' : 'a Uint32Array',
      describe(value),
    );
  const array = /** @type {Uint32Array} */ (value);
  if (array.length !== length) throw outOfRange(name, `length ${length}`, array.length);
}
