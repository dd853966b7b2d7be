/** LayerNorm as a plain loop: what one would write without a library. Sums are float64. */

const EPS = 1e-5;

/** y = (x − mean)·rstd·gamma + beta, over rows. */
export function forward({ y, mean, rstd }, { x, gamma, beta, rows, cols }) {
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    let sum = 0;
    for (let c = 0; c < cols; c++) sum += x[at + c];
    const m = sum / cols;
    let squares = 0;
    for (let c = 0; c < cols; c++) {
      const d = x[at + c] - m;
      squares += d * d;
    }
    const s = 1 / Math.sqrt(squares / cols + EPS);
    for (let c = 0; c < cols; c++) y[at + c] = (x[at + c] - m) * s * gamma[c] + beta[c];
    mean[r] = m;
    rstd[r] = s;
  }
}

/** dx, dgamma and dbeta of the same. */
export function backward({ dx, dgamma, dbeta }, { dy, x, gamma, mean, rstd, rows, cols }) {
  dgamma.fill(0);
  dbeta.fill(0);
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    const [m, s] = [mean[r], rstd[r]];
    let sum = 0;
    let product = 0;
    for (let c = 0; c < cols; c++) {
      const xhat = (x[at + c] - m) * s;
      const g = dy[at + c] * gamma[c];
      sum += g;
      product += g * xhat;
      dgamma[c] += dy[at + c] * xhat;
      dbeta[c] += dy[at + c];
    }
    sum /= cols;
    product /= cols;
    for (let c = 0; c < cols; c++) {
      const xhat = (x[at + c] - m) * s;
      dx[at + c] = s * (dy[at + c] * gamma[c] - sum - xhat * product);
    }
  }
}
