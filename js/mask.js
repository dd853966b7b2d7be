/** Padding: which positions of a batch count, and how those that do are moved together. */

import { expectRowMajor } from './arrays.js';
import { describe, outOfRange, wrongKind } from './check.js';
import { format, sameArrangement, sizeOf, toShape } from './shape.js';

/**
 * Which positions count, where sequences or images of unequal size are padded to one. The others
 * are outside counts and sums, whatever they hold; y and dx are 0 there. At most one of the two:
 *
 * @typedef {object} MaskOptions
 * @property {MaskValues} [mask]  [batch][...spatial], one value a position: true or 1 where x
 *   counts, false or 0 where it is padding. Keras' masks are the same, PyTorch's key_padding_mask
 *   is the opposite
 * @property {ArrayLike<number>} [lengths]  [batch], for arrays with one axis beside batch and
 *   channels: how many positions of each example count, from the first on
 */

/** @typedef {ArrayLike<number | boolean>} MaskList */
/** @typedef {MaskList | { readonly data: MaskList }} MaskValues */

/** Copies of fewer values are done one by one, which is faster than a call. */
const FEW = 32;

/**
 * The positions of a batch that count. x is [outer][channels][inner] around them, and moved together
 * [channels][total], or [total][channels] where inner is 1; example by example where each has
 * statistics of its own.
 */
export class Packing {
  /**
   * Positions that count before each example, and last those of all.
   *
   * @type {Uint32Array}
   */
  starts;
  #channels;
  #inner;
  #isPerExample;
  /**
   * Adjacent positions that count: start and length, in turn.
   *
   * @type {number[]}
   */
  #runs = [];

  /**
   * @param {Uint8Array} kept  1 for each position that counts
   * @param {number} batch
   * @param {number} channels
   * @param {number} inner  positions between two channels of a position
   * @param {boolean} isPerExample  whether examples stay apart
   */
  constructor(kept, batch, channels, inner, isPerExample) {
    const positions = kept.length / batch;
    const segment = inner === 1 ? positions : inner;
    this.starts = new Uint32Array(batch + 1);
    this.#channels = channels;
    this.#inner = inner;
    this.#isPerExample = isPerExample;
    for (let start = 0; start < kept.length; start += segment) {
      const count = this.#findRuns(kept, start, start + segment);
      this.starts[Math.floor(start / positions) + 1] += count;
    }
    for (let n = 0; n < batch; n += 1) this.starts[n + 1] += this.starts[n];
  }

  /** Positions that count. */
  get total() {
    return this.starts[this.starts.length - 1];
  }

  /** Values of x at positions that count. */
  get length() {
    return this.total * this.#channels;
  }

  /**
   * @param {Float32Array} floats  wasm memory
   * @param {number} from  index of x
   * @param {number} to  index of the values moved together
   */
  pack(floats, from, to) {
    this.#eachCopy((outside, inside, length) => copy(floats, to + inside, from + outside, length));
  }

  /**
   * The way back, with zeros where x does not count.
   *
   * @param {Float32Array} floats
   * @param {number} from  index of the values moved together
   * @param {number} to  index of y
   * @param {number} length  values of y
   */
  unpack(floats, from, to, length) {
    floats.fill(0, to, to + length);
    this.#eachCopy((outside, inside, count) => copy(floats, to + outside, from + inside, count));
  }

  /**
   * @param {Uint8Array} kept
   * @param {number} start
   * @param {number} end
   * @returns {number} positions that count from start to end
   */
  #findRuns(kept, start, end) {
    let count = 0;
    for (let i = start; i < end; i += 1) {
      if (kept[i] === 0) continue;
      const first = i;
      while (i < end && kept[i] !== 0) i += 1;
      this.#runs.push(first, i - first);
      count += i - first;
    }
    return count;
  }

  /** @param {(outside: number, inside: number, length: number) => void} fn */
  #eachCopy(fn) {
    const runs = this.#runs;
    let before = 0;
    for (let r = 0; r < runs.length; r += 2) {
      this.#copyRun(runs[r], runs[r + 1], before, fn);
      before += runs[r + 1];
    }
  }

  /**
   * @param {number} start
   * @param {number} length
   * @param {number} before  positions that count before the run
   * @param {(outside: number, inside: number, length: number) => void} fn
   */
  #copyRun(start, length, before, fn) {
    const channels = this.#channels;
    const inner = this.#inner;
    if (inner === 1) {
      fn(start * channels, before * channels, length * channels);
      return;
    }
    const outer = Math.floor(start / inner);
    const outside = outer * channels * inner + (start % inner);
    const [first, end] = this.#isPerExample
      ? this.starts.subarray(outer, outer + 2)
      : [0, this.total];
    const inside = first * channels + before - first;
    for (let c = 0; c < channels; c += 1) {
      fn(outside + c * inner, inside + c * (end - first), length);
    }
  }
}

/**
 * @param {Float32Array} floats
 * @param {number} to
 * @param {number} from
 * @param {number} length
 */
function copy(floats, to, from, length) {
  if (length >= FEW) floats.copyWithin(to, from, from + length);
  else for (let i = 0; i < length; i += 1) floats[to + i] = floats[from + i];
}

/**
 * 1 for each position of [batch][...spatial] that counts; null where all do.
 *
 * @param {{ mask?: any, lengths?: any }} options
 * @param {readonly number[]} shape  of x
 * @param {number} channelAxis
 * @returns {Uint8Array | null}
 */
export function readMask({ mask, lengths }, shape, channelAxis) {
  if (mask === undefined && lengths === undefined) return null;
  if (mask !== undefined && lengths !== undefined) {
    throw wrongKind('lengths', 'only one of mask and lengths', 'both');
  }
  const sizes = shape.filter((_, axis) => axis !== channelAxis);
  const kept = lengths === undefined ? fromMask(mask, sizes) : fromLengths(lengths, sizes);
  return kept.includes(0) ? kept : null;
}

/**
 * A forward result with the mask, which backward needs, too.
 *
 * @param {any} result
 * @param {MaskOptions} options
 */
export function withMask(result, { mask, lengths }) {
  if (mask !== undefined) result.mask = mask;
  if (lengths !== undefined) result.lengths = lengths;
  return result;
}

/**
 * @param {any} mask
 * @param {readonly number[]} sizes
 */
function fromMask(mask, sizes) {
  const values = mask?.data ?? mask;
  const length = sizeOf(sizes);
  if (typeof values?.length !== 'number' || typeof values === 'string') {
    throw wrongKind('mask', 'a list of booleans, or of 1 and 0', describe(mask));
  }
  if (values !== mask) expectArrangement(mask, sizes);
  if (values.length !== length) {
    throw outOfRange('mask', `length ${length} for positions ${format(sizes)}`, values.length);
  }
  // Not Uint8Array.from(), which takes longer than a norm.
  const kept = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) {
    const value = values[i];
    if (value === true || value === 1) kept[i] = 1;
    else if (value !== false && value !== 0) {
      throw outOfRange(`mask[${i}]`, 'true, false, 1 or 0', describe(value));
    }
  }
  return kept;
}

/**
 * A mask with a shape of its own is [batch][...spatial], or flat.
 *
 * @param {any} mask
 * @param {readonly number[]} sizes
 */
function expectArrangement(mask, sizes) {
  const shape = toShape('mask.shape', mask.dims ?? mask.shape ?? sizes);
  expectRowMajor('mask', mask, shape);
  if (shape.length > 1 && !sameArrangement(shape, sizes)) {
    throw outOfRange('mask', `shape ${format(sizes)}`, format(shape));
  }
}

/**
 * @param {any} lengths
 * @param {readonly number[]} sizes
 */
function fromLengths(lengths, sizes) {
  if (sizes.length !== 2) {
    const axes = `a mask for ${sizes.length - 1} axes beside batch and channels (lengths is for 1)`;
    throw outOfRange('lengths', axes, 'lengths');
  }
  const [batch, positions] = sizes;
  if (typeof lengths?.length !== 'number' || typeof lengths === 'string') {
    throw wrongKind('lengths', 'a list of whole numbers', describe(lengths));
  }
  if (lengths.length !== batch) throw outOfRange('lengths', `length ${batch}`, lengths.length);
  const kept = new Uint8Array(batch * positions);
  for (let n = 0; n < batch; n += 1) {
    const count = lengths[n];
    if (!Number.isInteger(count) || count < 0 || count > positions) {
      const expected = `a whole number from 0 to ${positions}`;
      throw outOfRange(`lengths[${n}]`, expected, describe(count));
    }
    kept.fill(1, n * positions, n * positions + count);
  }
  return kept;
}
