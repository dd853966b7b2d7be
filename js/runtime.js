/** One instance of the wasm module with its memory. */

/** @import { Scope } from './scope.js' */
import { Heap } from './heap.js';
import { Scratch } from './scratch.js';
import { Tensor } from './tensor.js';

/** @typedef {Record<string, (...args: number[]) => number>} Kernels */

export class Runtime {
  /** @type {'simd128' | 'scalar'} */
  build;
  /**
   * The functions of include/axisnorm.h.
   *
   * @type {Kernels}
   */
  kernels;
  heap;
  scratch;
  /**
   * The innermost scope that is open; new tensors belong to it.
   *
   * @type {Scope | null}
   */
  scope = null;

  /**
   * @param {'simd128' | 'scalar'} build
   * @param {WebAssembly.Exports} exports
   */
  constructor(build, exports) {
    const { memory, __heap_base: base } = /** @type {any} */ (exports);
    this.build = build;
    this.kernels = /** @type {Kernels} */ (exports);
    this.heap = new Heap(memory, base.value);
    this.scratch = new Scratch(this.heap);
  }

  /** Bytes of memory: all there is, and what tensors take of it. */
  get usage() {
    return { total: this.heap.total, used: this.heap.used - this.scratch.kept };
  }

  /**
   * A tensor of the innermost scope, or the caller's where none is open. Its values are whatever
   * was there.
   *
   * @param {readonly number[]} shape
   */
  tensor(shape) {
    const tensor = new Tensor(this.heap, shape);
    this.scope?.adopt(tensor);
    return tensor;
  }
}
