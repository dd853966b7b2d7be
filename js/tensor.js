/** @import { Block } from './block.js' */
/** @import { Heap } from './heap.js' */
/** @import { Scope } from './scope.js' */
/** @import { Operand } from './types.js' */
import { readArray } from './arrays.js';
import { outOfRange } from './check.js';
import { sizeOf } from './shape.js';

/**
 * Float32 values in wasm memory, which operations use without a copy.
 *
 * Made by `an.tensor` (the caller's until `dispose()`), by a scope's `tensor` (until the scope
 * ends), and by operations on tensors. Garbage collection frees nothing.
 */
export class Tensor {
  #address;
  /** @type {Float32Array | undefined} */
  #view;

  /** @type {readonly number[]} */
  #shape;
  #length;

  /**
   * Where it lives; tells the tensors of one build from those of another.
   *
   * @internal
   * @type {Heap}
   */
  heap;

  /**
   * The scope that will free it, if any.
   *
   * @internal
   * @type {Scope | null}
   */
  scope = null;

  /**
   * How calls see it; made by the first of them.
   *
   * @internal
   * @type {Block | null}
   */
  block = null;

  /**
   * @internal
   * @param {Heap} heap
   * @param {readonly number[]} shape  not shared with anyone
   */
  constructor(heap, shape) {
    this.heap = heap;
    this.#shape = Object.isFrozen(shape) ? shape : Object.freeze(shape.slice());
    this.#length = sizeOf(shape);
    this.#address = heap.alloc(this.#length * 4);
  }

  /**
   * Sizes of the axes, outermost first.
   *
   * @type {readonly number[]}
   */
  get shape() {
    return this.#shape;
  }

  /**
   * Number of values.
   *
   * @type {number}
   */
  get length() {
    return this.#length;
  }

  /**
   * Address in wasm memory.
   *
   * @internal
   */
  get ptr() {
    if (this.#address === 0) throw new ReferenceError('tensor: used after it was freed');
    return this.#address;
  }

  /**
   * The values themselves, not a copy. Ask again after making tensors: memory that grows detaches
   * the views there were.
   *
   * @type {Float32Array}
   */
  get data() {
    const { ptr } = this;
    const { buffer } = this.heap.floats;
    if (this.#view === undefined || this.#view.buffer !== buffer) {
      this.#view = new Float32Array(buffer, ptr, this.length);
    }
    return this.#view;
  }

  /**
   * Copies values in.
   *
   * @param {Operand} source  as many values as the tensor has
   * @returns {this}
   */
  set(source) {
    const { data } = readArray('source', source);
    if (data.length !== this.length) {
      throw outOfRange('source', `length ${this.length}`, data.length);
    }
    this.data.set(data);
    return this;
  }

  /**
   * A copy of the values, which has nothing to do with wasm memory.
   *
   * @returns {Float32Array}
   */
  slice() {
    return this.data.slice();
  }

  /** Frees the memory; the tensor can then no longer be used. A second time does nothing. */
  dispose() {
    if (this.#address === 0) return;
    this.heap.free(this.#address);
    this.#address = 0;
    this.#view = undefined;
    this.scope?.forget(this);
    this.scope = null;
  }
}
