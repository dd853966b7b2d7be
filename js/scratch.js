/** Memory for the time of one call. */

/** @import { Heap } from './heap.js' */

const SMALLEST = 4096;
/** A block of up to this many bytes is kept for the next call. */
const KEPT = 1 << 20;

export class Scratch {
  #heap;
  #address = 0;
  #size = 0;
  #large = 0;

  /** @param {Heap} heap */
  constructor(heap) {
    this.#heap = heap;
  }

  /** Bytes of the heap that are kept between calls. */
  get kept() {
    return this.#address === 0 ? 0 : this.#heap.sizeOf(this.#address);
  }

  /**
   * A block that is the caller's until close() or the next open().
   *
   * @param {number} bytes
   * @returns {number} address
   */
  open(bytes) {
    this.close();
    if (bytes <= this.#size) return this.#address;
    if (bytes <= KEPT) return this.#keep(bytes);
    this.#large = this.#heap.alloc(bytes);
    return this.#large;
  }

  /** Gives back what was too large to keep. */
  close() {
    if (this.#large === 0) return;
    this.#heap.free(this.#large);
    this.#large = 0;
  }

  /** @param {number} bytes */
  #keep(bytes) {
    if (this.#address !== 0) this.#heap.free(this.#address);
    this.#address = 0;
    this.#size = 0;
    const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes)));
    this.#address = this.#heap.alloc(size);
    this.#size = size;
    return this.#address;
  }
}
