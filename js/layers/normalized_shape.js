import { outOfRange } from '../check.js';
import { format, sizeOf, toShape } from '../shape.js';

/**
 * The trailing axes that a layer normalizes.
 *
 * @param {unknown} value
 */
export function toNormalizedShape(value) {
  const shape = toShape('normalizedShape', value);
  if (shape.length === 0 || sizeOf(shape) === 0) {
    throw outOfRange('normalizedShape', 'sizes of at least 1', format(shape));
  }
  return shape;
}
