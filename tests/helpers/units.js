/*
 * Errors in units at the scale of the row, group or channel; ulp.js says what that is. Without
 * assertions, so that browsers can count as well.
 */

const unit = (scale) => Math.max(scale * 2 ** -23, 2 ** -149);

/**
 * The largest error in units. A result that float32 cannot hold has to be that infinity, and a
 * NaN has to be NaN.
 * @param {Float32Array} got
 * @param {Float64Array} want
 * @param {Float64Array} scale  of each element
 */
export function largestError(got, want, scale) {
  let units = 0;
  let at = -1;
  for (let i = 0; i < want.length; i++) {
    let e = Math.abs(got[i] - want[i]) / unit(scale[i]);
    if (!Number.isFinite(e)) e = Object.is(got[i], Math.fround(want[i])) ? 0 : Infinity;
    if (e > units) {
      units = e;
      at = i;
    }
  }
  return { units, at };
}
