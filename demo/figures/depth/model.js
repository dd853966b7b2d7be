/**
 * Ten layers of linear and ReLU, with and without norms, forward and backward, without a DOM. The
 * matrix products are this file's own; the norms and their gradients are the library's.
 */
import { gaussian, random } from '../../shared/random.js';

export const LAYERS = 10;
export const ROWS = 64;
export const WIDTHS = [16, 32, 64, 128, 256];

/**
 * How weights are drawn, by the standard deviation that makes them. A uniform number from −a to a
 * has a variance of a²/3.
 */
export const INITS = {
  default: {
    label: 'PyTorch default',
    about: 'uniform, with variance 1/(3·width), biases as well',
    bound: (width) => 1 / Math.sqrt(width),
    hasBias: true,
    story:
      'Default weights shrink what goes through them: at the end little more than the biases is left.',
  },
  he: {
    label: 'He',
    about: 'uniform, with variance 2/width, no biases',
    bound: (width) => Math.sqrt(6 / width),
    story: 'Weights made for ReLU keep both at their size.',
  },
  large: {
    label: 'Twice He',
    about: 'uniform, with variance 8/width, no biases',
    bound: (width) => 2 * Math.sqrt(6 / width),
    story: 'Each layer doubles what goes through it, in both directions.',
  },
};

const GROUPS = 4;

/** The library's operation and its options. */
export const NORMS = {
  none: { label: 'None' },
  batch: { label: 'Batch', operation: 'batchNorm', options: () => ({}) },
  layer: { label: 'Layer', operation: 'layerNorm', options: () => ({ axis: -1 }) },
  rms: { label: 'RMS', operation: 'rmsNorm', options: () => ({ axis: -1 }) },
  group: { label: 'Group', operation: 'groupNorm', options: () => ({ groups: GROUPS }) },
};

export const PLACES = {
  before: { label: 'Before ReLU' },
  after: { label: 'After ReLU' },
};

/** Products that are done without a pause: less than a millisecond. */
const PRODUCTS_AT_ONCE = 2 ** 18;

/** Calls `run` with ranges of rows that are few enough, and yields between them. */
function* inRanges(rows, width, run) {
  const step = Math.max(1, Math.floor(PRODUCTS_AT_ONCE / width ** 2));
  for (let row = 0; row < rows; row += step) {
    run(row, Math.min(rows, row + step));
    yield;
  }
}

/** y[r][o] = Σ x[r][i]·w[o][i] (+ b[o]); x is [rows][width], w is [width][width]. */
export function* product(x, w, bias, width) {
  const y = new Float32Array(x.length);
  yield* inRanges(x.length / width, width, (first, end) => {
    for (let r = first; r < end; r++) {
      const from = r * width;
      // Four sums at a time: one alone would wait for each of its additions.
      for (let o = 0; o < width; o += 4) {
        const [w0, w1, w2, w3] = [o, o + 1, o + 2, o + 3].map((k) => k * width);
        let [a, b, c, d] = bias ? [bias[o], bias[o + 1], bias[o + 2], bias[o + 3]] : [0, 0, 0, 0];
        for (let i = 0; i < width; i++) {
          const v = x[from + i];
          a += v * w[w0 + i];
          b += v * w[w1 + i];
          c += v * w[w2 + i];
          d += v * w[w3 + i];
        }
        y[from + o] = a;
        y[from + o + 1] = b;
        y[from + o + 2] = c;
        y[from + o + 3] = d;
      }
    }
  });
  return y;
}

/** dx[r][i] = Σ dy[r][o]·w[o][i] */
export function* productBack(dy, w, width) {
  const dx = new Float32Array(dy.length);
  const sums = new Float64Array(width);
  yield* inRanges(dy.length / width, width, (first, end) => {
    for (let r = first; r < end; r++) {
      sums.fill(0);
      for (let o = 0; o < width; o++) {
        const d = dy[r * width + o];
        const at = o * width;
        for (let i = 0; i < width; i++) sums[i] += d * w[at + i];
      }
      dx.set(sums, r * width);
    }
  });
  return dx;
}

/** dw[o][i] = Σ dy[r][o]·x[r][i] */
export function* weightGradient(dy, x, width) {
  const dw = new Float64Array(width * width);
  yield* inRanges(dy.length / width, width, (first, end) => {
    for (let r = first; r < end; r++) {
      const from = r * width;
      for (let o = 0; o < width; o++) {
        const d = dy[from + o];
        const at = o * width;
        for (let i = 0; i < width; i++) dw[at + i] += d * x[from + i];
      }
    }
  });
  return dw;
}

/** Root of the mean square, taken in a scale in which no square is lost. */
export function rootMeanSquare(values) {
  let largest = 0;
  for (const v of values) largest = Math.max(largest, Math.abs(v));
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let sum = 0;
  for (const v of values) sum += (v / largest) ** 2;
  return largest * Math.sqrt(sum / values.length);
}

/** Of all activations of a layer, over rows and features. */
export function summary(values) {
  let mean = 0;
  for (const v of values) mean += v / values.length;
  return { mean, spread: rootMeanSquare(Float64Array.from(values, (v) => v - mean)) };
}

export const BINS = 25;
/** How far the histograms reach. */
export const LIMIT = 3;

/**
 * Shares of the values in bins from −limit to limit; the first and the last bin hold what lies
 * outside, too.
 */
export function histogram(values, limit = LIMIT) {
  const shares = new Array(BINS).fill(0);
  for (const v of values) {
    const bin = Math.floor(((v + limit) / (2 * limit)) * BINS);
    shares[Math.max(0, Math.min(bin, BINS - 1))] += 1 / values.length;
  }
  return shares;
}

const relu = (x) => x.map((v) => Math.max(v, 0));
const reluBack = (dy, x) => dy.map((v, i) => (x[i] > 0 ? v : 0));

/** A norm of the library as two functions; nothing where there is none. */
function normOf(an, name, width) {
  const { operation, options } = NORMS[name];
  if (operation === undefined) return { forward: (x) => ({ y: x }), backward: (dy) => dy };
  const shape = [ROWS, width];
  return {
    forward: (x) => an[operation].forward(x, { shape, ...options() }),
    backward: (dy, f, x) => an[operation].backward(dy, { ...f, x, outputs: ['dx'] }).dx,
  };
}

/** Numbers that are drawn without a pause. */
const DRAWN_AT_ONCE = 2 ** 13;

/** So many numbers, each from `next`. */
function* drawn(length, next) {
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    values[i] = next();
    if (i % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) yield;
  }
  return values;
}

/**
 * What is known of a layer.
 *
 * @typedef {object} Layer
 * @property {number} mean  of the activations that leave it
 * @property {number} spread  their standard deviation
 * @property {number[]} shares  their histogram
 * @property {number} gradient  root mean square of the gradient that leaves it downwards; that
 *   which comes in at the top has about 1
 * @property {number} weightGradient  root mean square of the gradient of its weights
 */

/**
 * Runs the layers piece by piece, so that the caller can let the page breathe: every `yield` is a
 * place to pause at.
 *
 * @param {import('axisnorm').AxisNorm} an
 * @param {{ width: number, init: string, norm: string, place: string }} state
 * @returns {Generator<undefined, { layers: Layer[] }>}
 */
export function* runLayers(an, state) {
  const { width } = state;
  const { bound, hasBias } = INITS[state.init];
  const uniform = random(20);
  const limit = bound(width);
  const weight = () => limit * (2 * uniform() - 1);
  const normal = gaussian(21);
  const input = yield* drawn(ROWS * width, normal);
  const dy = yield* drawn(ROWS * width, normal);
  const norm = normOf(an, state.norm, width);
  const isBefore = state.place === 'before';
  const kept = [];
  let x = input;
  for (let i = 0; i < LAYERS; i++) {
    const w = yield* drawn(width * width, weight);
    const bias = hasBias ? yield* drawn(width, weight) : undefined;
    const z = yield* product(x, w, bias, width);
    const normInput = isBefore ? z : relu(z);
    const f = norm.forward(normInput);
    const y = isBefore ? relu(f.y) : f.y;
    kept.push({ x, w, z, normInput, f, y, ...summary(y) });
    x = y;
    yield;
  }
  let d = dy;
  for (const layer of kept.toReversed()) {
    const { w, z, normInput, f } = layer;
    if (isBefore) d = norm.backward(reluBack(d, f.y), f, normInput);
    else d = reluBack(norm.backward(d, f, normInput), z);
    layer.weightGradient = rootMeanSquare(yield* weightGradient(d, layer.x, width));
    d = yield* productBack(d, w, width);
    layer.gradient = rootMeanSquare(d);
    yield;
  }
  return { layers: kept.map(report) };
}

const report = ({ y, mean, spread, gradient, weightGradient: weights }) => ({
  ...{ mean, spread, gradient, weightGradient: weights, shares: histogram(y) },
});
