import assert from 'node:assert/strict';

/** Words on either side of an array. */
const GUARD = 64;
/** Both are NaNs: a value read from outside or before it was written spoils the result. */
const CANARY = 0x7fab1e55;
const POISON = 0x7fbadbad;

/**
 * An array in the memory of a build, with canaries outside and poison inside, so that a stray
 * write, an element that was never written and a write on refused arguments all show.
 */
export class Fenced {
  #build;
  #start;

  /**
   * @param {import('./builds.js').Build} build
   * @param {number} length  in floats
   * @param {number} skew  0..3 floats past a multiple of 16 bytes
   */
  constructor(build, length, skew) {
    this.#build = build;
    this.length = length;
    this.#start = build.alloc(4 * (GUARD + skew + length + GUARD)) / 4;
    this.first = this.#start + GUARD + skew;
    const end = this.first + length + GUARD;
    build.words.fill(CANARY, this.#start, end).fill(POISON, this.first, this.first + length);
  }

  get ptr() {
    return 4 * this.first;
  }

  /** @param {Float32Array | Uint32Array} values  copied in, bit by bit */
  set(values) {
    assert.equal(values.length, this.length);
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
    this.#build.words.set(words, this.first);
  }

  /** A copy of the contents. */
  get data() {
    return this.#build.floats(this.ptr, this.length).slice();
  }

  get #inside() {
    return this.#build.words.subarray(this.first, this.first + this.length);
  }

  /** No write outside. */
  intact(label) {
    const words = this.#build.words;
    const end = this.first + this.length;
    for (let i = this.#start; i < this.first; i++) {
      if (words[i] !== CANARY) assert.fail(`${label}: write ${this.first - i} before the start`);
    }
    for (let i = end; i < end + GUARD; i++) {
      if (words[i] !== CANARY) assert.fail(`${label}: write ${i - end} past the end`);
    }
  }

  /** Every element has been written. */
  written(label) {
    const at = this.#inside.indexOf(POISON);
    assert.equal(at, -1, `${label}[${at}] was not written`);
  }

  /** No element has been written. */
  untouched(label) {
    const at = this.#inside.findIndex((word) => word !== POISON);
    assert.equal(at, -1, `${label}[${at}] was written`);
  }

  /** The contents are what was set. */
  unchanged(values, label) {
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
    const inside = this.#inside;
    for (let i = 0; i < words.length; i++) {
      if (inside[i] !== words[i]) assert.fail(`${label}[${i}] was changed`);
    }
  }
}
