/** @import { Runtime } from './runtime.js' */
import { readArray } from './arrays.js';
import { outOfRange } from './check.js';
import { format, sizeOf, toShape } from './shape.js';
import { Tensor } from './tensor.js';

/**
 * A tensor of no scope, with values that the caller gave or zeros.
 *
 * @param {Runtime} runtime
 * @param {unknown} shape
 * @param {unknown} data
 */
export function newTensor({ heap }, shape, data) {
  const sizes = toShape('shape', shape);
  if (data === undefined) {
    const tensor = new Tensor(heap, sizes);
    tensor.data.fill(0);
    return tensor;
  }
  const source = readArray('data', data).data;
  const { byteOffset, length } = source;
  if (length !== sizeOf(sizes)) {
    throw outOfRange('data', `length ${sizeOf(sizes)} for shape ${format(sizes)}`, length);
  }
  const isView = source.buffer === heap.floats.buffer;
  const tensor = new Tensor(heap, sizes);
  // Memory that grew for the tensor has detached every view of it.
  tensor.data.set(isView ? new Float32Array(heap.floats.buffer, byteOffset, length) : source);
  return tensor;
}
