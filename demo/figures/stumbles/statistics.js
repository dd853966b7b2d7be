/** Numbers that the figure derives from what the library gives. */

/** Default of every norm in the library. */
export const EPS = 1e-5;

/**
 * The variance that rstd = 1 / sqrt(variance + eps) was made from. rstd is a float32: what is
 * smaller than its rounding is no more than rounding.
 */
export function varianceOf(rstd) {
  const sum = 1 / rstd ** 2;
  const value = sum - EPS;
  return Math.abs(value) <= sum * 2 ** -21 ? 0 : value;
}

/** How many values differ in any bit. */
export function changed(one, other) {
  const [a, b] = [one, other].map((v) => new Uint32Array(Float32Array.from(v).buffer));
  return a.reduce((sum, bits, i) => sum + Number(bits !== b[i]), 0);
}
