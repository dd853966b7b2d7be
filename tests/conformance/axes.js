/** Reduced axes that are not the last ones: the library takes trailing axes, so the test moves them. */

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** The values with their axes in the order `order`. */
export function transpose(values, shape, order) {
  const strides = shape.map((_, i) => sizeOf(shape.slice(i + 1)));
  const sizes = order.map((axis) => shape[axis]);
  const out = new Float32Array(values.length);
  for (let i = 0; i < out.length; i++) {
    let rest = i;
    let from = 0;
    for (let a = order.length - 1; a >= 0; a--) {
      from += (rest % sizes[a]) * strides[order[a]];
      rest = Math.floor(rest / sizes[a]);
    }
    out[i] = values[from];
  }
  return out;
}

/**
 * Brings `axes` to the end.
 * @returns the new shape, the sizes of the moved axes, and functions for there and back
 */
export function toTheEnd(shape, axes) {
  const order = [...shape.keys()].filter((axis) => !axes.includes(axis)).concat(axes);
  const back = order.map((_, axis) => order.indexOf(axis));
  const moved = order.map((axis) => shape[axis]);
  return {
    shape: moved,
    sizes: axes.map((axis) => shape[axis]),
    there: (values) => values && transpose(values, shape, order),
    back: (values) => values && transpose(values, moved, back),
  };
}
