/** State dicts: what a layer is saved as, and how it is checked before it is loaded. */

/** @import { Tensor } from '../tensor.js' */
import { readArray } from '../arrays.js';
import { describe, expectFlag, expectOptions, outOfRange, wrongKind } from '../check.js';
import { format, sameArrangement } from '../shape.js';
import { expectConvention } from './conventions.js';

/** @import { Convention } from './conventions.js' */

/**
 * One entry of a state dict: an array with its shape, or the number of batches.
 *
 * @typedef {{ data: Float32Array, shape: readonly number[] } | number} StateValue
 */

/** @typedef {Record<string, StateValue>} StateDict */

/**
 * @typedef {object} LoadStateOptions
 * @property {boolean} [strict]  true (default): missing and unexpected keys are an error. false: they
 *   are returned
 * @property {Convention} [convention]  whose names the keys have; default 'torch'
 */

/**
 * @typedef {object} LoadStateResult
 * @property {string[]} missing  keys that the layer has and the dict lacks
 * @property {string[]} unexpected  keys below the prefix that the layer does not have
 */

/**
 * What a layer saves and loads under one key.
 *
 * @typedef {object} Entry
 * @property {Record<Convention, string>} keys  '' where a convention has none
 * @property {() => StateValue} save
 * @property {(name: string, value: any) => () => void} check  throws, or returns what loads the value
 */

const OPTIONS = new Set(['strict', 'convention']);

/**
 * @param {Record<Convention, string>} keys
 * @param {Tensor} tensor
 * @returns {Entry}
 */
export const tensorEntry = (keys, tensor) => ({
  keys,
  save: () => ({ data: tensor.slice(), shape: tensor.shape }),
  check(name, value) {
    const { data, shape } = readArray(name, value);
    if (data.length !== tensor.length) {
      throw outOfRange(name, `length ${tensor.length}`, data.length);
    }
    if (shape !== null && shape.length > 1 && !sameArrangement(shape, tensor.shape)) {
      throw outOfRange(name, `shape ${format(tensor.shape)}`, format(shape));
    }
    const values = data.slice(); // of a tensor of this layer, maybe, or one that memory grows away
    return () => tensor.data.set(values);
  },
});

/**
 * A whole number, which PyTorch saves as an int64 tensor of one value.
 *
 * @param {Record<Convention, string>} keys
 * @param {() => number} get
 * @param {(count: number) => void} set
 * @returns {Entry}
 */
export const countEntry = (keys, get, set) => ({
  keys,
  save: get,
  check(name, value) {
    const list = value?.data ?? value;
    const one = list?.length === 1 ? list[0] : list;
    const count = typeof one === 'number' || typeof one === 'bigint' ? Number(one) : NaN;
    if (!Number.isSafeInteger(count) || count < 0) {
      throw outOfRange(name, 'a whole number >= 0', describe(one));
    }
    return () => set(count);
  },
});

/**
 * @param {readonly Entry[]} entries
 * @param {string} prefix
 * @returns {StateDict}
 */
export function save(entries, prefix) {
  expectPrefix(prefix);
  return Object.fromEntries(entries.map(({ keys, save }) => [prefix + keys.torch, save()]));
}

/**
 * Loads all that is there, or throws and loads nothing.
 *
 * @param {readonly Entry[]} entries
 * @param {any} dict
 * @param {string} prefix
 * @param {LoadStateOptions} options
 * @returns {LoadStateResult}
 */
export function load(entries, dict, prefix, options) {
  expectPrefix(prefix);
  expectOptions('loadStateDict', options, OPTIONS);
  const { strict = true, convention = 'torch' } = options;
  expectFlag('strict', strict);
  expectConvention(convention);
  const values = toMap(dict);
  const known = new Map();
  for (const entry of entries) {
    if (entry.keys[convention] !== '') known.set(prefix + entry.keys[convention], entry);
  }
  const missing = [...known.keys()].filter((key) => !values.has(key));
  const unexpected = [...values.keys()].filter(
    (key) => String(key).startsWith(prefix) && !known.has(key),
  );
  if (strict) expectAll(missing, unexpected);
  const loads = [];
  for (const [key, entry] of known) {
    if (values.has(key)) loads.push(entry.check(key, values.get(key)));
  }
  for (const write of loads) write();
  return { missing, unexpected };
}

/** @param {unknown} prefix */
function expectPrefix(prefix) {
  if (typeof prefix !== 'string') throw wrongKind('prefix', 'a string', describe(prefix));
}

/**
 * @param {any} dict
 * @returns {Map<string, any>}
 */
function toMap(dict) {
  if (Object.prototype.toString.call(dict) === '[object Map]') return dict;
  if (dict === null || typeof dict !== 'object') {
    throw wrongKind('loadStateDict', 'an object or a Map of names and arrays', describe(dict));
  }
  return new Map(Object.entries(dict));
}

/**
 * @param {string[]} missing
 * @param {string[]} unexpected
 */
function expectAll(missing, unexpected) {
  const parts = [];
  if (missing.length > 0) parts.push(`missing ${missing.join(', ')}`);
  if (unexpected.length > 0) parts.push(`unexpected ${unexpected.join(', ')}`);
  if (parts.length === 0) return;
  throw outOfRange('loadStateDict', 'exactly the keys of the layer', parts.join('; '));
}
