/*
 * The formulas of include/axisnorm.h in float64, for every norm at once: what distinguishes the
 * norms is which values share a statistic (a set) and which share a parameter (a channel).
 */

/**
 * @typedef {object} Axes
 * @property {Int32Array} set  of each value
 * @property {Int32Array} channel  of each value
 * @property {number} sets
 * @property {number} channels
 * @property {Uint8Array} [counted]  1 where a value enters its set's statistic; absent: everywhere
 */

/** @returns {Axes} */
function axes(length, sets, channels, place) {
  const set = new Int32Array(length);
  const channel = new Int32Array(length);
  for (let i = 0; i < length; i++) [set[i], channel[i]] = place(i);
  return { set, channel, sets, channels };
}

export function layerNormAxes({ rows, cols }) {
  return axes(rows * cols, rows, cols, (i) => [Math.floor(i / cols), i % cols]);
}

export function rmsNormAxes({ rows, cols, statCols = cols }) {
  const counted = new Uint8Array(rows * cols).map((_, i) => Number(i % cols < statCols));
  return { ...layerNormAxes({ rows, cols }), counted };
}

export function groupNormAxes({ batch, channels, spatial, groups, channelsLast = false }) {
  const width = channels / groups;
  return axes(batch * channels * spatial, batch * groups, channels, (i) => {
    const n = Math.floor(i / (channels * spatial));
    const c = channelsLast ? i % channels : Math.floor(i / spatial) % channels;
    return [n * groups + Math.floor(c / width), c];
  });
}

export function batchNormAxes({ outer, channels, inner }) {
  return axes(outer * channels * inner, channels, channels, (i) => {
    const c = Math.floor(i / inner) % channels;
    return [c, c];
  });
}

/** The gain belongs to a filter, as the statistics do. */
export function weightStandardizeAxes({ filters, fanIn }) {
  return axes(filters * fanIn, filters, filters, (i) => {
    const f = Math.floor(i / fanIn);
    return [f, f];
  });
}

/** Below it a float32 has no 24 bits: that is what x counts as at least. */
const SMALLEST_NORMAL = 2 ** -126;

const inverseRoot = (v) => (v === 0 ? 0 : 1 / Math.sqrt(v));

/**
 * Statistics of every set. `center: false` is RMSNorm: mean 0, and the mean square as variance.
 * @param {Axes} a
 */
export function statistics(a, x, { eps, center = true }) {
  const count = new Float64Array(a.sets);
  const mean = new Float64Array(a.sets);
  const variance = new Float64Array(a.sets);
  const size = new Float64Array(a.sets); // root mean square
  const counts = (i) => !a.counted || a.counted[i] === 1;
  for (let i = 0; i < x.length; i++) {
    if (!counts(i)) continue;
    count[a.set[i]] += 1;
    mean[a.set[i]] += x[i];
    size[a.set[i]] += x[i] * x[i];
  }
  for (let s = 0; s < a.sets; s++) {
    mean[s] = center ? mean[s] / count[s] : 0;
    size[s] = Math.sqrt(size[s] / count[s]);
  }
  for (let i = 0; i < x.length; i++) {
    if (counts(i)) variance[a.set[i]] += (x[i] - mean[a.set[i]]) ** 2;
  }
  for (let s = 0; s < a.sets; s++) variance[s] /= count[s];
  return { count, mean, variance, size, rstd: variance.map((v) => inverseRoot(v + eps)) };
}

/** Constants in place of statistics: BatchNorm in inference. */
export function frozenStatistics({ runningMean, runningVar, eps }) {
  return {
    mean: Float64Array.from(runningMean),
    size: Float64Array.from(runningMean),
    rstd: Float64Array.from(runningVar, (v) => inverseRoot(v + eps)),
  };
}

/** At least `v`; a NaN stays. */
function raise(array, at, v) {
  array[at] = Math.max(array[at], Math.abs(v));
}

/** `perSet` for every value. */
function spread(a, perSet) {
  const values = new Float64Array(a.set.length);
  for (let i = 0; i < values.length; i++) values[i] = perSet[a.set[i]];
  return values;
}

/**
 * @param {Axes} a
 * @param {{ x: ArrayLike<number>, gamma?: ArrayLike<number>, beta?: ArrayLike<number> }} inputs
 * @param {{ mean: Float64Array, rstd: Float64Array, size: Float64Array }} stats
 * @returns y, mean and rstd, and the scale of each for ulp.js
 */
export function forward(a, { x, gamma, beta }, stats, { gammaOffset = 0 } = {}) {
  const y = new Float64Array(x.length);
  const largest = new Float64Array(a.sets);
  for (let i = 0; i < x.length; i++) {
    const s = a.set[i];
    const c = a.channel[i];
    const gain = stats.rstd[s] * (gamma ? gamma[c] + gammaOffset : 1);
    y[i] = (x[i] - stats.mean[s]) * gain + (beta ? beta[c] : 0);
    raise(largest, s, y[i]);
    raise(largest, s, (x[i] - stats.mean[s]) * gain);
    raise(largest, s, SMALLEST_NORMAL * gain);
  }
  const scale = { y: spread(a, largest), mean: stats.size, rstd: stats.rstd };
  return { y, mean: stats.mean, rstd: stats.rstd, scale };
}

/**
 * @param {Axes} a
 * @param {{ dy: ArrayLike<number>, x: ArrayLike<number>, gamma?: ArrayLike<number> }} inputs
 * @param {{ mean: Float64Array, rstd: Float64Array, count?: Float64Array }} stats  without count
 *   they are constants
 * @param {{ center?: boolean, gammaOffset?: number, before?: Record<string, ArrayLike<number>> }}
 *   [options]  before: what dgamma and dbeta are added to
 */
export function backward(a, { dy, x, gamma }, stats, options = {}) {
  const { center = true, gammaOffset = 0, before = {} } = options;
  const n = x.length;
  const g = new Float64Array(n);
  const xhat = new Float64Array(n);
  const sumG = new Float64Array(a.sets);
  const sumGX = new Float64Array(a.sets);
  const squaresG = new Float64Array(a.sets);
  const squaresGX = new Float64Array(a.sets);
  const largestXhat = stats.rstd.map((v) => SMALLEST_NORMAL * v);
  const dgamma = new Float64Array(a.channels);
  const dbeta = new Float64Array(a.channels);
  const dgammaSquares = new Float64Array(a.channels);
  const dbetaSquares = new Float64Array(a.channels);
  for (let i = 0; i < n; i++) {
    const s = a.set[i];
    const c = a.channel[i];
    g[i] = dy[i] * (gamma ? gamma[c] + gammaOffset : 1);
    xhat[i] = (x[i] - stats.mean[s]) * stats.rstd[s];
    raise(largestXhat, s, xhat[i]);
    sumG[s] += g[i];
    sumGX[s] += g[i] * xhat[i];
    squaresG[s] += g[i] ** 2;
    squaresGX[s] += (g[i] * xhat[i]) ** 2;
    dgamma[c] += dy[i] * xhat[i];
    dbeta[c] += dy[i];
    dbetaSquares[c] += dy[i] ** 2;
  }
  const dx = new Float64Array(n);
  const largest = new Float64Array(a.sets);
  for (let i = 0; i < n; i++) {
    const s = a.set[i];
    const m = stats.count?.[s];
    const byMean = m && center ? sumG[s] / m : 0;
    const byRstd = m && (!a.counted || a.counted[i]) ? (xhat[i] * sumGX[s]) / m : 0;
    dx[i] = stats.rstd[s] * (g[i] - byMean - byRstd);
    dgammaSquares[a.channel[i]] += (dy[i] * largestXhat[s]) ** 2;
    for (const term of [g[i], byMean, byRstd]) raise(largest, s, stats.rstd[s] * term);
    if (!m) continue;
    raise(largest, s, (stats.rstd[s] * Math.sqrt(squaresG[s])) / m);
    if (byRstd) raise(largest, s, (stats.rstd[s] * xhat[i] * Math.sqrt(squaresGX[s])) / m);
  }
  const sum = (name, terms, squares) => {
    const old = before[name];
    const scale = terms.map((v, c) => Math.max(Math.abs(v), Math.sqrt(squares[c])));
    if (old) for (let c = 0; c < a.channels; c++) scale[c] = Math.max(scale[c], Math.abs(old[c]));
    return [old ? terms.map((v, c) => old[c] + v) : terms, scale];
  };
  const [dgammaSum, dgammaScale] = sum('dgamma', dgamma, dgammaSquares);
  const [dbetaSum, dbetaScale] = sum('dbeta', dbeta, dbetaSquares);
  return {
    dx,
    dgamma: dgammaSum,
    dbeta: dbetaSum,
    scale: { dx: spread(a, largest), dgamma: dgammaScale, dbeta: dbetaScale },
  };
}

/**
 * BatchNorm's running statistics after one batch.
 * @returns runningMean, runningVar and the number of channels that were left alone
 */
export function running(stats, { runningMean, runningVar }, { momentum, biased = false }) {
  const after = {
    runningMean: Float64Array.from(runningMean),
    runningVar: Float64Array.from(runningVar),
  };
  const scale = {
    runningMean: after.runningMean.map((v, c) => Math.max(Math.abs(v), stats.size[c])),
    runningVar: after.runningVar.slice(),
  };
  let skipped = 0;
  for (let c = 0; c < stats.mean.length; c++) {
    const n = stats.count[c];
    const v = stats.variance[c] * (biased ? 1 : n / (n - 1));
    const newMean = (1 - momentum) * runningMean[c] + momentum * stats.mean[c];
    const newVar = (1 - momentum) * runningVar[c] + momentum * v;
    // not finite, as a float32
    if (![newMean, newVar].every((value) => Number.isFinite(Math.fround(value)))) {
      skipped++;
      continue;
    }
    after.runningMean[c] = newMean;
    after.runningVar[c] = newVar;
    raise(scale.runningVar, c, v);
  }
  return { ...after, skipped, scale };
}
