/** LayerNorm in float64, row by row: what all results are compared with. */

const EPS = 1e-5;

const average = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * It yields after each row.
 *
 * @param {'forward' | 'backward'} operation
 * @returns {Generator<undefined, Record<string, Float64Array>>}
 */
export function* reference(operation, { x, dy, gamma, beta, rows, cols }) {
  const [y, dx] = [new Float64Array(x.length), new Float64Array(x.length)];
  const [mean, rstd] = [new Float64Array(rows), new Float64Array(rows)];
  const [dgamma, dbeta] = [new Float64Array(cols), new Float64Array(cols)];
  for (let r = 0; r < rows; r++) {
    const [at, end] = [r * cols, (r + 1) * cols];
    const row = Float64Array.from(x.subarray(at, end));
    mean[r] = average(row);
    rstd[r] = 1 / Math.sqrt(average(row.map((v) => (v - mean[r]) ** 2)) + EPS);
    const xhat = row.map((v) => (v - mean[r]) * rstd[r]);
    if (operation === 'forward') {
      y.set(
        xhat.map((v, c) => v * gamma[c] + beta[c]),
        at,
      );
    } else {
      const upstream = Float64Array.from(dy.subarray(at, end));
      const g = upstream.map((v, c) => v * gamma[c]);
      const [ofMean, ofRstd] = [average(g), average(g.map((v, c) => v * xhat[c]))];
      dx.set(
        g.map((v, c) => rstd[r] * (v - ofMean - xhat[c] * ofRstd)),
        at,
      );
      upstream.forEach((v, c) => {
        dgamma[c] += v * xhat[c];
        dbeta[c] += v;
      });
    }
    yield;
  }
  return operation === 'forward' ? { y, mean, rstd } : { dx, dgamma, dbeta };
}
