/**
 * A generator that gives the same numbers for the same seed in every engine: mulberry32, which is
 * made of integer operations alone. Its words are in an array, so that engines box none of them.
 */
export class Random {
  #state = new Int32Array(1);
  #word = new Uint32Array(1);

  /**
   * @param {number} seed  a whole number
   * @param {number} [stream]  numbers of different streams have nothing to do with each other
   */
  constructor(seed, stream = 0) {
    this.restart(seed, stream);
  }

  /**
   * @param {number} seed
   * @param {number} [stream]
   */
  restart(seed, stream = 0) {
    this.#state[0] = scrambled(seed ^ scrambled(stream + 1));
  }

  /** @returns {number} uniform in [0, 1), a multiple of 2^-32 */
  next() {
    this.#draw();
    return this.#word[0] / 2 ** 32;
  }

  /**
   * @param {number} limit  up to 2^16
   * @returns {number} a whole number from 0 to limit - 1
   */
  below(limit) {
    this.#draw();
    return Math.floor((this.#word[0] / 2 ** 32) * limit);
  }

  #draw() {
    const state = (this.#state[0] + 0x6d2b79f5) | 0;
    this.#state[0] = state;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    this.#word[0] = t ^ (t >>> 14);
  }
}

/**
 * The last steps of MurmurHash3, in which every bit of the input changes half of those of the
 * result.
 *
 * @param {number} word
 */
export function scrambled(word) {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
