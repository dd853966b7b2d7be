/**
 * Inflating raw deflate (RFC 1951), for engines that do not do it themselves. Imports nothing, so that
 * bundlers make one file of it for a page and its workers.
 */

/**
 * A Huffman code: how many words there are of each length, and what they mean, the shorter first.
 *
 * @typedef {{ counts: Uint16Array, symbols: number[] }} Code
 */

const LONGEST_WORD = 15;
const END_OF_BLOCK = 256;
/** The order in which a block says how long the words are in which it gives lengths of words. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const LENGTH_EXTRA = Array.from({ length: 28 }, (_, i) => Math.max(0, (i >> 2) - 1));
const DISTANCE_EXTRA = Array.from({ length: 30 }, (_, i) => Math.max(0, (i >> 1) - 1));
const LENGTHS = [...ranges(3, LENGTH_EXTRA), { start: 258, extra: 0 }];
const DISTANCES = ranges(1, DISTANCE_EXTRA);

const FIXED = {
  literals: codeOf([repeat(8, 144), repeat(9, 112), repeat(7, 24), repeat(8, 8)].flat()),
  distances: codeOf(repeat(5, 32)),
};

/**
 * The bytes that were deflated. Throws where there are more or fewer of them, and where the data
 * are cut, corrupt or followed by something else.
 *
 * @param {Uint8Array} deflated
 * @param {number} size  how many bytes that is
 */
export function inflate(deflated, size) {
  const bits = new Bits(deflated);
  const output = new Output(size);
  let last = 0;
  while (last === 0) {
    last = bits.take(1);
    inflateBlock(bits, output);
  }
  if (!bits.atEnd || output.length !== size) throw corrupt();
  return output.bytes;
}

/**
 * @param {Bits} bits
 * @param {Output} output
 */
function inflateBlock(bits, output) {
  const kind = bits.take(2);
  if (kind === 0) return copyStored(bits, output);
  if (kind === 1) return inflateCoded(bits, output, FIXED);
  if (kind === 2) return inflateCoded(bits, output, readCodes(bits));
  throw corrupt();
}

/**
 * @param {Bits} bits
 * @param {Output} output
 */
function copyStored(bits, output) {
  bits.skipToByte();
  const length = bits.take(16);
  if (bits.take(16) !== (length ^ 0xffff)) throw corrupt();
  for (let i = 0; i < length; i += 1) output.put(bits.take(8));
}

/**
 * @param {Bits} bits
 * @param {Output} output
 * @param {{ literals: Code, distances: Code }} codes
 */
function inflateCoded(bits, output, { literals, distances }) {
  for (;;) {
    const symbol = readSymbol(bits, literals);
    if (symbol === END_OF_BLOCK) return;
    if (symbol < END_OF_BLOCK) {
      output.put(symbol);
    } else {
      const length = readValue(bits, LENGTHS[symbol - END_OF_BLOCK - 1]);
      output.repeat(readValue(bits, DISTANCES[readSymbol(bits, distances)]), length);
    }
  }
}

/**
 * The codes of a block that brings its own.
 *
 * @param {Bits} bits
 */
function readCodes(bits) {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const used = bits.take(4) + 4;
  if (literals > 286 || distances > 30) throw corrupt();
  const short = repeat(0, ORDER.length);
  for (let i = 0; i < used; i += 1) short[ORDER[i]] = bits.take(3);
  const lengths = readLengths(bits, codeOf(short), literals + distances);
  return {
    literals: codeOf(lengths.slice(0, literals)),
    distances: codeOf(lengths.slice(literals)),
  };
}

/**
 * @param {Bits} bits
 * @param {Code} code
 * @param {number} count
 */
function readLengths(bits, code, count) {
  /** @type {number[]} */
  const lengths = [];
  while (lengths.length < count) {
    const symbol = readSymbol(bits, code);
    if (symbol === 16 && lengths.length === 0) throw corrupt();
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...repeat(lengths[lengths.length - 1], 3 + bits.take(2)));
    else if (symbol === 17) lengths.push(...repeat(0, 3 + bits.take(3)));
    else lengths.push(...repeat(0, 11 + bits.take(7)));
  }
  if (lengths.length > count) throw corrupt();
  return lengths;
}

/**
 * The code in which symbols have words of these lengths, 0 for none.
 *
 * @param {number[]} lengths
 */
function codeOf(lengths) {
  const counts = new Uint16Array(LONGEST_WORD + 1);
  for (const length of lengths) counts[length] += 1;
  counts[0] = 0;
  let free = 1;
  for (let length = 1; length <= LONGEST_WORD; length += 1) {
    free = 2 * free - counts[length];
    if (free < 0) throw corrupt();
  }
  const symbols = [...lengths.keys()].filter((symbol) => lengths[symbol] > 0);
  // Only a code of one word, or of none, may leave words over.
  if (free > 0 && symbols.length !== counts[1]) throw corrupt();
  return { counts, symbols: symbols.sort((a, b) => lengths[a] - lengths[b]) };
}

/**
 * Words of one length are consecutive numbers, and go on where those of the length before ended.
 *
 * @param {Bits} bits
 * @param {Code} code
 */
function readSymbol(bits, { counts, symbols }) {
  let word = 0;
  let first = 0;
  let before = 0;
  for (let length = 1; length <= LONGEST_WORD; length += 1) {
    word = 2 * word + bits.take(1);
    first *= 2;
    if (word < first + counts[length]) return symbols[before + word - first];
    first += counts[length];
    before += counts[length];
  }
  throw corrupt();
}

/**
 * @param {Bits} bits
 * @param {{ start: number, extra: number } | undefined} range
 */
function readValue(bits, range) {
  if (range === undefined) throw corrupt();
  return range.start + bits.take(range.extra);
}

/**
 * Ranges one behind the other, of 2 ** extra values each.
 *
 * @param {number} first
 * @param {number[]} extras
 */
function ranges(first, extras) {
  let next = first;
  return extras.map((extra) => {
    const start = next;
    next += 2 ** extra;
    return { start, extra };
  });
}

/**
 * @param {number} value
 * @param {number} times
 * @returns {number[]}
 */
function repeat(value, times) {
  return new Array(times).fill(value);
}

function corrupt() {
  return new RangeError(
    'inflate: expected deflated data of the given size, got cut or corrupt data',
  );
}

/** Bits of bytes, the lowest first. */
class Bits {
  #bytes;
  #next = 0;
  #held = 0;
  #count = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  get atEnd() {
    return this.#next === this.#bytes.length;
  }

  /** @param {number} count  at most 16 */
  take(count) {
    while (this.#count < count) {
      if (this.atEnd) throw corrupt();
      this.#held |= this.#bytes[this.#next] << this.#count;
      this.#next += 1;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>= count;
    this.#count -= count;
    return value;
  }

  skipToByte() {
    this.#held = 0;
    this.#count = 0;
  }
}

/** Room for so many bytes and no more. */
class Output {
  bytes;
  length = 0;

  /** @param {number} size */
  constructor(size) {
    this.bytes = new Uint8Array(size);
  }

  /** @param {number} byte */
  put(byte) {
    if (this.length === this.bytes.length) throw corrupt();
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /**
   * @param {number} distance  back to what is repeated
   * @param {number} length
   */
  repeat(distance, length) {
    if (distance > this.length) throw corrupt();
    for (let i = 0; i < length; i += 1) this.put(this.bytes[this.length - distance]);
  }
}
