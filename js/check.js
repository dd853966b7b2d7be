/** Checks of single arguments, and the messages: `name: expected …, got …`. */

/** The largest number that a float32 holds. */
const FLOAT32_MAX = 3.4028234663852886e38;

export const DEFAULT_EPS = 1e-5;

/** What other libraries call our options. */
const OTHER_NAMES = new Map([
  ['epsilon', 'eps'],
  ['weight', 'gamma'],
  ['scale', 'gamma'],
  ['bias', 'beta'],
  ['numgroups', 'groups'],
  ['axes', 'axis'],
  ['dims', 'shape'],
  ['grad', 'dy'],
]);

/**
 * A value, length or shape that does not fit.
 *
 * @param {string} name
 * @param {string} expected
 * @param {string | number} got
 */
export function outOfRange(name, expected, got) {
  return new RangeError(`${name}: expected ${expected}, got ${got}`);
}

/**
 * A value of the wrong kind.
 *
 * @param {string} name
 * @param {string} expected
 * @param {string} got
 */
export function wrongKind(name, expected, got) {
  return new TypeError(`${name}: expected ${expected}, got ${got}`);
}

/**
 * A value in a message: numbers and strings as they are, objects by their class.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (value === null || typeof value !== 'object') return String(value);
  return value.constructor?.name || 'object';
}

/**
 * Refuses what is no object of known options. Costs no allocation where all is well.
 *
 * @param {string} caller  name of the function, for the message
 * @param {object} options
 * @param {ReadonlySet<string>} known
 * @param {string} [noun]  what the object has, for the message
 */
export function expectOptions(caller, options, known, noun = 'option') {
  if (options === null || typeof options !== 'object') {
    throw wrongKind(caller, `an object of ${noun}s`, describe(options));
  }
  for (const name in options) {
    if (!known.has(name)) throw unknownOption(caller, name, known, noun);
  }
}

/**
 * @param {string} caller
 * @param {string} name
 * @param {ReadonlySet<string>} known
 * @param {string} noun
 */
function unknownOption(caller, name, known, noun) {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `, did you mean '${meant}'?`;
  return new TypeError(`${caller}: unknown ${noun} '${name}'${hint}`);
}

/**
 * @param {string} name
 * @param {ReadonlySet<string>} known
 */
function nearest(name, known) {
  const plain = name.toLowerCase().replaceAll('_', '');
  const other = OTHER_NAMES.get(plain);
  if (other !== undefined && known.has(other)) return other;
  return [...known].find((candidate) => isNear(plain, candidate.toLowerCase()));
}

/**
 * Equal but for one letter changed, added, left out or swapped with the next.
 *
 * @param {string} a
 * @param {string} b
 */
function isNear(a, b) {
  if (Math.min(a.length, b.length) < 3) return a === b;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = restA.slice(0, 2) === [...restB.slice(0, 2)].reverse().join('');
  return (
    restA.slice(1) === restB.slice(1) ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB ||
    (swapped && restA.slice(2) === restB.slice(2))
  );
}

/**
 * A number within limits, which are part of what is expected.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {number} min
 * @param {number} max
 * @param {string} expected
 */
export function expectNumber(name, value, min, max, expected) {
  if (typeof value !== 'number') throw wrongKind(name, expected, describe(value));
  // Written so that NaN is refused.
  if (!(value >= min && value <= max)) throw outOfRange(name, expected, describe(value));
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function expectNotNegative(name, value) {
  expectNumber(name, value, 0, FLOAT32_MAX, 'a finite number >= 0');
}

/** @param {unknown} eps */
export function expectEps(eps) {
  expectNotNegative('eps', eps);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function expectFinite(name, value) {
  expectNumber(name, value, -FLOAT32_MAX, FLOAT32_MAX, 'a finite number');
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} [min]
 */
export function expectCount(name, value, min = 1) {
  const expected = `a whole number >= ${min}`;
  expectNumber(name, value, min, Number.MAX_SAFE_INTEGER, expected);
  if (!Number.isInteger(value)) throw outOfRange(name, expected, describe(value));
}

/**
 * @param {string} name
 * @param {unknown} value  undefined counts as false
 */
export function expectFlag(name, value) {
  if (value !== undefined && typeof value !== 'boolean') {
    throw wrongKind(name, 'true or false', describe(value));
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {readonly string[]} choices  two or more
 */
export function expectChoice(name, value, choices) {
  if (choices.includes(/** @type {string} */ (value))) return;
  const quoted = choices.map((choice) => `'${choice}'`);
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  const error = typeof value === 'string' ? outOfRange : wrongKind;
  throw error(name, expected, describe(value));
}
