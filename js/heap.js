/** Allocation on the memory of a module, from the end of its own data on. */

const PAGE = 65536;
const LINE = 64;
/** From this size on, blocks start staggered. */
const BIG = 4096;
const STEPS = 9;
const MAX_STAGGER = LINE * (STEPS - 1);

/**
 * Bytes by which the k-th of several big arrays starts later. Arrays of equal size would start at
 * the same place of a 4 KiB page, where a CPU takes stores to one for loads from the other.
 *
 * @param {number} k
 */
const stagger = (k) => LINE * ((k * 7) % STEPS);

/** @param {number} bytes */
const wholeLines = (bytes) => Math.max(LINE, Math.ceil(bytes / LINE) * LINE);

/**
 * Bytes from the start of an array to that of its neighbour in one block, staggered as well.
 *
 * @param {number} bytes
 */
export const packed = (bytes) => wholeLines(bytes) + (bytes < BIG ? 0 : stagger(1));

/** @typedef {{ start: number, size: number }} Span  a stretch of memory, in bytes */

/**
 * First fit on a free list in order of address, which merges neighbours. All that is kept about
 * blocks is here and not in the memory itself, so no stray write can damage it.
 */
export class Heap {
  #memory;
  #end;
  /** @type {Span[]} */
  #free = [];
  /** @type {Map<number, Span>} */
  #blocks = new Map();
  #bigBlocks = 0;

  /** Bytes that are allocated. */
  used = 0;

  /**
   * The memory as float32 and as uint32 values. Growth replaces them: read them again after every
   * alloc().
   */
  floats;
  words;

  /**
   * @param {WebAssembly.Memory} memory
   * @param {number} base  first byte that is free to use
   */
  constructor(memory, base) {
    this.#memory = memory;
    this.#end = memory.buffer.byteLength;
    this.floats = new Float32Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
    const start = wholeLines(base);
    this.#free.push({ start, size: this.#end - start });
  }

  /** Bytes that the memory has, used or not. It never shrinks. */
  get total() {
    return this.#end;
  }

  /**
   * @param {number} bytes
   * @returns {number} address, aligned to 64 bytes and never 0
   * @throws {RangeError} where the memory cannot grow; the heap is then as it was
   */
  alloc(bytes) {
    const isBig = bytes >= BIG;
    const size = wholeLines(bytes) + (isBig ? MAX_STAGGER : 0);
    const span = this.#take(size) ?? this.#grow(size);
    const address = span.start + (isBig ? stagger(this.#bigBlocks++) : 0);
    this.#blocks.set(address, span);
    this.used += size;
    return address;
  }

  /** @param {number} address  what alloc() returned */
  free(address) {
    const span = /** @type {Span} */ (this.#blocks.get(address));
    this.#blocks.delete(address);
    this.used -= span.size;
    this.#release(span);
  }

  /**
   * Bytes that a block takes, with what aligns and staggers it.
   *
   * @param {number} address  what alloc() returned
   */
  sizeOf(address) {
    return /** @type {Span} */ (this.#blocks.get(address)).size;
  }

  /**
   * The first free stretch that is long enough.
   *
   * @param {number} size
   * @returns {Span | undefined}
   */
  #take(size) {
    const free = this.#free;
    for (let i = 0; i < free.length; i += 1) {
      const hole = free[i];
      if (hole.size < size) continue;
      if (hole.size === size) {
        free.splice(i, 1);
        return hole;
      }
      const span = { start: hole.start, size };
      hole.start += size;
      hole.size -= size;
      return span;
    }
    return undefined;
  }

  /** @param {Span} span */
  #release(span) {
    const free = this.#free;
    const index = this.#firstAfter(span.start);
    const before = free[index - 1];
    const after = free[index];
    const meetsBefore = before !== undefined && before.start + before.size === span.start;
    const meetsAfter = after !== undefined && span.start + span.size === after.start;
    if (meetsBefore) {
      before.size += span.size + (meetsAfter ? after.size : 0);
      if (meetsAfter) free.splice(index, 1);
    } else if (meetsAfter) {
      after.start = span.start;
      after.size += span.size;
    } else {
      free.splice(index, 0, span);
    }
  }

  /**
   * Index of the first free stretch behind an address.
   *
   * @param {number} address
   */
  #firstAfter(address) {
    let low = 0;
    let high = this.#free.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#free[middle].start < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Grows the memory by what is missing, or by a quarter where that is more.
   *
   * @param {number} size
   * @returns {Span}
   */
  #grow(size) {
    const last = this.#free.at(-1);
    const tail = last !== undefined && last.start + last.size === this.#end ? last.size : 0;
    const needed = Math.ceil((size - tail) / PAGE);
    const comfortable = Math.max(needed, Math.ceil(this.#end / PAGE / 4));
    if (!this.#growBy(comfortable) && !this.#growBy(needed)) {
      throw new RangeError(
        `memory: expected ${size} more bytes, got no more than the ${this.#end} that there are`,
      );
    }
    return /** @type {Span} */ (this.#take(size));
  }

  /**
   * @param {number} pages
   * @returns {boolean} whether it worked
   */
  #growBy(pages) {
    try {
      this.#memory.grow(pages);
    } catch {
      return false;
    }
    const { buffer } = this.#memory;
    this.floats = new Float32Array(buffer);
    this.words = new Uint32Array(buffer);
    this.#release({ start: this.#end, size: buffer.byteLength - this.#end });
    this.#end = buffer.byteLength;
    return true;
  }
}
