/** Arrays in wasm memory that are freed together. */

/** @import { Heap } from '../heap.js' */

/** @typedef {Float32Array | Float64Array | Int32Array | Uint32Array} Numbers */

/**
 * @template {Numbers} T
 * @typedef {{ new (buffer: ArrayBufferLike, start: number, length: number): T,
 *   readonly BYTES_PER_ELEMENT: number }} ArrayType
 */

/**
 * An array in wasm memory. Using it after its arena was disposed throws.
 *
 * @template {Numbers} T
 */
export class WasmArray {
  #arena;
  #type;
  #address;
  /** @type {T | undefined} */
  #view;

  /**
   * @param {Arena} arena
   * @param {ArrayType<T>} type
   * @param {number} address
   * @param {number} length
   */
  constructor(arena, type, address, length) {
    this.#arena = arena;
    this.#type = type;
    this.#address = address;
    this.length = length;
  }

  /** Address in wasm memory. */
  get ptr() {
    this.#arena.expectAlive();
    return this.#address;
  }

  /**
   * The values themselves. Ask again after anything was allocated: memory that grows detaches the
   * views there were.
   */
  get data() {
    this.#arena.expectAlive();
    const { buffer } = this.#arena.heap.floats;
    if (this.#view === undefined || this.#view.buffer !== buffer) {
      this.#view = new this.#type(buffer, this.#address, this.length);
    }
    return this.#view;
  }

  /**
   * A part of the array, which lives as long.
   *
   * @param {number} start
   * @param {number} length
   * @returns {WasmArray<T>}
   */
  part(start, length) {
    const address = this.#address + start * this.#type.BYTES_PER_ELEMENT;
    return this.#arena.at(this.#type, address, length);
  }
}

/** The owner of arrays. */
export class Arena {
  #owner;
  #parent;
  /** @type {number[]} */
  #blocks = [];
  /** @type {Set<Arena>} */
  #children = new Set();
  #isDisposed = false;

  heap;

  /**
   * @param {Heap} heap
   * @param {string} owner  what it belongs to, for messages
   * @param {Arena} [parent]  ends this one with itself
   */
  constructor(heap, owner, parent) {
    this.heap = heap;
    this.#owner = owner;
    this.#parent = parent;
    parent?.expectAlive();
    if (parent !== undefined) parent.#children.add(this);
  }

  /**
   * @template {Numbers} T
   * @param {ArrayType<T>} type
   * @param {number} length
   * @returns {WasmArray<T>} zeros
   * @throws {RangeError} no memory left
   */
  array(type, length) {
    this.expectAlive();
    const address = this.heap.alloc(length * type.BYTES_PER_ELEMENT);
    this.#blocks.push(address);
    const array = this.at(type, address, length);
    array.data.fill(0);
    return array;
  }

  /**
   * @template {Numbers} T
   * @param {ArrayType<T>} type
   * @param {number} address  within one of its arrays
   * @param {number} length
   * @returns {WasmArray<T>}
   */
  at(type, address, length) {
    return new WasmArray(this, type, address, length);
  }

  /** @param {number} length */
  floats(length) {
    return this.array(Float32Array, length);
  }

  /** @throws {ReferenceError} after dispose() */
  expectAlive() {
    if (this.#isDisposed) throw new ReferenceError(`${this.#owner}: used after it was disposed`);
  }

  /** Frees all arrays, and those of its children. A second time does nothing. */
  dispose() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
    for (const child of this.#children) child.dispose();
    for (const address of this.#blocks) this.heap.free(address);
  }
}

/**
 * Makes what lives in an arena of its own, of which nothing is left where making it fails.
 *
 * @template T
 * @param {Arena} arena
 * @param {() => T} make
 * @returns {T}
 */
export function filling(arena, make) {
  try {
    return make();
  } catch (error) {
    arena.dispose();
    throw error;
  }
}
