/** @import { Heap } from './heap.js' */
import { readArray } from './arrays.js';
import { wrongKind } from './check.js';
import { Tensor } from './tensor.js';

/** An array in one call: where it is in wasm memory, and what is copied there and back. */
export class Block {
  /** Address in wasm memory; 0 as long as it has none. */
  ptr;
  length;
  /** Sizes of the axes; null for a flat array. */
  shape;
  /**
   * What the caller gave, or gets as the result.
   *
   * @type {any}
   */
  value;
  /**
   * Values outside wasm memory; null where there are none, or not yet.
   *
   * @type {Float32Array | null}
   */
  data = null;
  /** Whether the values are copied into wasm memory before the kernel runs. */
  copyIn = false;
  /** Whether they are copied out of it afterwards. */
  copyOut = false;
  /** Whether the result becomes a new tensor. */
  makesTensor = false;
  /**
   * A block whose place this one takes, for an operation in place.
   *
   * @type {Block | null}
   */
  over = null;

  /**
   * @param {number} ptr
   * @param {number} length
   * @param {readonly number[] | null} shape
   * @param {unknown} value
   */
  constructor(ptr, length, shape, value) {
    this.ptr = ptr;
    this.length = length;
    this.shape = shape;
    this.value = value;
  }

  get isTensor() {
    return this.makesTensor || this.value instanceof Tensor;
  }
}

/** An array that is left out: NULL for the kernel. */
export const ABSENT = Object.freeze(new Block(0, 0, null, undefined));

/**
 * A tensor's block, which is made once and never changed, so that repeated calls allocate none.
 *
 * @param {Tensor} tensor
 * @returns {Block}
 */
function blockOf(tensor) {
  const { ptr } = tensor; // throws where the tensor is freed
  tensor.block ??= new Block(ptr, tensor.length, tensor.shape, tensor);
  return tensor.block;
}

/**
 * An array that the caller gave, checked for its kind.
 *
 * @param {Heap} heap
 * @param {string} name
 * @param {unknown} value
 * @param {string} [hint]  where the value would come from, for the message
 * @returns {Block}
 */
export function toBlock(heap, name, value, hint) {
  if (value instanceof Tensor) {
    if (value.heap === heap) return blockOf(value);
    throw wrongKind(name, 'a Tensor of this build', 'one of another');
  }
  const { data, shape } = readArray(name, value, hint);
  // A view of a tensor is used where it is: growth of the memory would detach it before a copy.
  if (data.buffer === heap.floats.buffer) {
    return new Block(data.byteOffset, data.length, shape, value);
  }
  const block = new Block(0, data.length, shape, value);
  block.data = data;
  return block;
}
