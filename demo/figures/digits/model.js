/** The variance of a row in four ways of computing it, without a DOM. */

/** Default of every norm in the library. */
export const EPS = 1e-5;

/** Steps of a factor of about three; 0 leaves the row as it is. */
export const OFFSETS = [0, 1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6];

/**
 * Each value of the first row stays exact when a million is added: what is lost is lost by the
 * sums. 0.1 is no float32, so sums of twelve of it are rounded.
 */
export const ROWS = {
  activations: {
    label: 'Activations',
    values: [0.625, -1.25, 0.875, -0.25, 1.5, 0.125, -2, 0.375, -1.5, 0.5, -0.75, 1.75],
  },
  constant: { label: 'Twelve times 0.1', values: new Array(12).fill(0.1) },
};

const { fround, sqrt } = Math;

/**
 * One way of normalizing a row.
 *
 * @typedef {object} Result
 * @property {string} key
 * @property {string} label
 * @property {string} formula
 * @property {number} mean
 * @property {number} variance
 * @property {number[]} y
 * @property {string} [reason]  why there are NaN in y, or why the variance cannot be right
 */

/** Every step rounded to float32, as a loop in C with floats does it. */
function inFloat32(x, mean, variance) {
  const rstd = fround(1 / fround(sqrt(fround(variance + fround(EPS)))));
  return Array.from(x, (v) => fround(fround(v - mean) * rstd));
}

function meanInFloat32(x) {
  let sum = 0;
  for (const v of x) sum = fround(sum + v);
  return fround(sum / x.length);
}

/** E[x²] − E[x]², from one pass over the row. */
function shortcut(x) {
  const mean = meanInFloat32(x);
  let squares = 0;
  for (const v of x) squares = fround(squares + fround(v * v));
  const meanSquare = fround(squares / x.length);
  const squareOfMean = fround(mean * mean);
  const variance = fround(meanSquare - squareOfMean);
  return { mean, variance, meanSquare, squareOfMean, y: inFloat32(x, mean, variance) };
}

/** The mean of (x − μ)², from a second pass over the row. */
function twoPasses(x) {
  const mean = meanInFloat32(x);
  let squares = 0;
  for (const v of x) {
    const d = fround(v - mean);
    squares = fround(squares + fround(d * d));
  }
  const variance = fround(squares / x.length);
  return { mean, variance, y: inFloat32(x, mean, variance) };
}

/** The same row with 53 bits instead of 24. */
function inFloat64(x) {
  const average = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const row = Array.from(x);
  // The second term is what rounding the mean has left; it is 0 where the mean is exact.
  const rough = average(row);
  const mean = rough + average(row.map((v) => v - rough));
  const variance = average(row.map((v) => (v - mean) ** 2));
  const rstd = 1 / sqrt(variance + EPS);
  return { mean, variance, y: row.map((v) => (v - mean) * rstd) };
}

/**
 * The variance that rstd = 1 / sqrt(variance + eps) was made from. rstd is a float32: what is
 * smaller than its rounding is no more than rounding.
 */
export function varianceOf(rstd) {
  const sum = 1 / rstd ** 2;
  const value = sum - EPS;
  return Math.abs(value) <= sum * 2 ** -21 ? 0 : value;
}

function byLibrary(an, x) {
  const { y, mean, rstd } = an.layerNorm.forward(x, { normalizedShape: x.length });
  return { mean: mean[0], variance: varianceOf(rstd[0]), y: Array.from(y) };
}

/** @returns {'negative' | 'zero' | 'eps' | undefined} what ails a variance, beside the right one */
function ailment(variance, right) {
  if (variance + EPS < 0) return 'negative';
  if (variance < 0) return 'eps';
  return variance === 0 && right > EPS ? 'zero' : undefined;
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {{ row: string, offset: number }} state
 * @returns {{ x: Float32Array, results: Result[], ailment?: string, squares: number[] }} squares:
 *   the two numbers whose difference the shortcut takes
 */
export function digits(an, { row, offset }) {
  const x = Float32Array.from(ROWS[row].values, (v) => v + offset);
  const { meanSquare, squareOfMean, ...naive } = shortcut(x);
  const exact = inFloat64(x);
  return {
    x,
    squares: [meanSquare, squareOfMean],
    ailment: ailment(naive.variance, exact.variance),
    results: [
      { key: 'shortcut', label: 'float32, shortcut', formula: 'E[x²] − E[x]²', ...naive },
      { key: 'passes', label: 'float32, two passes', formula: 'E[(x − μ)²]', ...twoPasses(x) },
      { key: 'library', label: 'axisnorm', formula: 'two passes, corrected', ...byLibrary(an, x) },
      { key: 'float64', label: 'float64', formula: 'E[(x − μ)²]', ...exact },
    ],
  };
}

/** The largest distance of a value from the right one; NaN where one is NaN. */
export function worst(y, right) {
  return y.reduce((most, v, i) => Math.max(most, Math.abs(v - right[i])), 0);
}
