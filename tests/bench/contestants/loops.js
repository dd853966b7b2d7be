/**
 * The norms as plain loops over typed arrays: what one would write without a library. Sums are
 * float64, as JavaScript's numbers are. plain.c has the same functions with the same arguments.
 */

export function layerNorm(y, x, gamma, beta, rows, cols, eps) {
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    let mean = 0;
    for (let c = 0; c < cols; c++) mean += x[at + c];
    mean /= cols;
    let variance = 0;
    for (let c = 0; c < cols; c++) {
      const d = x[at + c] - mean;
      variance += d * d;
    }
    const rstd = 1 / Math.sqrt(variance / cols + eps);
    for (let c = 0; c < cols; c++) y[at + c] = (x[at + c] - mean) * rstd * gamma[c] + beta[c];
  }
}

export function layerNormBackward(dx, dgamma, dbeta, dy, x, mean, rstd, gamma, rows, cols) {
  dgamma.fill(0);
  dbeta.fill(0);
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    const m = mean[r];
    const s = rstd[r];
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

export function rmsNorm(y, x, gamma, rows, cols, eps) {
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    let squares = 0;
    for (let c = 0; c < cols; c++) squares += x[at + c] * x[at + c];
    const rstd = 1 / Math.sqrt(squares / cols + eps);
    for (let c = 0; c < cols; c++) y[at + c] = x[at + c] * rstd * gamma[c];
  }
}

export function rmsNormBackward(dx, dgamma, dy, x, rstd, gamma, rows, cols) {
  dgamma.fill(0);
  for (let r = 0; r < rows; r++) {
    const at = r * cols;
    const s = rstd[r];
    let product = 0;
    for (let c = 0; c < cols; c++) {
      const xhat = x[at + c] * s;
      product += dy[at + c] * gamma[c] * xhat;
      dgamma[c] += dy[at + c] * xhat;
    }
    product /= cols;
    for (let c = 0; c < cols; c++) {
      dx[at + c] = s * (dy[at + c] * gamma[c] - x[at + c] * s * product);
    }
  }
}

export function groupNorm(y, x, gamma, beta, batch, channels, spatial, groups, eps) {
  const width = channels / groups;
  const n = width * spatial;
  for (let set = 0; set < batch * groups; set++) {
    const at = set * n;
    let mean = 0;
    for (let i = 0; i < n; i++) mean += x[at + i];
    mean /= n;
    let variance = 0;
    for (let i = 0; i < n; i++) {
      const d = x[at + i] - mean;
      variance += d * d;
    }
    const rstd = 1 / Math.sqrt(variance / n + eps);
    for (let k = 0; k < width; k++) {
      const c = (set % groups) * width + k;
      const start = at + k * spatial;
      const scale = rstd * gamma[c];
      for (let i = start; i < start + spatial; i++) y[i] = (x[i] - mean) * scale + beta[c];
    }
  }
}

export function groupNormBackward(
  dx,
  dgamma,
  dbeta,
  dy,
  x,
  mean,
  rstd,
  gamma,
  batch,
  channels,
  spatial,
  groups,
) {
  const width = channels / groups;
  const n = width * spatial;
  dgamma.fill(0);
  dbeta.fill(0);
  for (let set = 0; set < batch * groups; set++) {
    const at = set * n;
    const first = (set % groups) * width;
    const m = mean[set];
    const s = rstd[set];
    let sum = 0;
    let product = 0;
    for (let k = 0; k < width; k++) {
      const start = at + k * spatial;
      let own = 0;
      let ownProduct = 0;
      for (let i = start; i < start + spatial; i++) {
        own += dy[i];
        ownProduct += dy[i] * (x[i] - m) * s;
      }
      dbeta[first + k] += own;
      dgamma[first + k] += ownProduct;
      sum += gamma[first + k] * own;
      product += gamma[first + k] * ownProduct;
    }
    sum /= n;
    product /= n;
    for (let k = 0; k < width; k++) {
      const start = at + k * spatial;
      const g = gamma[first + k];
      for (let i = start; i < start + spatial; i++) {
        dx[i] = s * (dy[i] * g - sum - (x[i] - m) * s * product);
      }
    }
  }
}

export function batchNorm(y, x, runningMean, runningVar, gamma, beta, outer, channels, inner, eps) {
  for (let n = 0; n < outer; n++) {
    for (let c = 0; c < channels; c++) {
      const start = (n * channels + c) * inner;
      const scale = gamma[c] / Math.sqrt(runningVar[c] + eps);
      const mean = runningMean[c];
      for (let i = start; i < start + inner; i++) y[i] = (x[i] - mean) * scale + beta[c];
    }
  }
}

export function batchNormFrozenBackward(
  dx,
  dgamma,
  dbeta,
  dy,
  x,
  runningMean,
  runningVar,
  gamma,
  outer,
  channels,
  inner,
  eps,
) {
  for (let c = 0; c < channels; c++) {
    const m = runningMean[c];
    const s = 1 / Math.sqrt(runningVar[c] + eps);
    const scale = gamma[c] * s;
    let sum = 0;
    let product = 0;
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) {
        sum += dy[i];
        product += dy[i] * (x[i] - m) * s;
        dx[i] = dy[i] * scale;
      }
    }
    dbeta[c] = sum;
    dgamma[c] = product;
  }
}

export function batchNormForward(y, mean, rstd, x, gamma, beta, outer, channels, inner, eps) {
  const count = outer * inner;
  for (let c = 0; c < channels; c++) {
    let m = 0;
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) m += x[i];
    }
    m /= count;
    let variance = 0;
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) variance += (x[i] - m) * (x[i] - m);
    }
    const s = 1 / Math.sqrt(variance / count + eps);
    const scale = s * gamma[c];
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) y[i] = (x[i] - m) * scale + beta[c];
    }
    mean[c] = m;
    rstd[c] = s;
  }
}

export function batchNormBackward(
  dx,
  dgamma,
  dbeta,
  dy,
  x,
  mean,
  rstd,
  gamma,
  outer,
  channels,
  inner,
) {
  const count = outer * inner;
  for (let c = 0; c < channels; c++) {
    const m = mean[c];
    const s = rstd[c];
    let sum = 0;
    let product = 0;
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) {
        sum += dy[i];
        product += dy[i] * (x[i] - m) * s;
      }
    }
    dbeta[c] = sum;
    dgamma[c] = product;
    const scale = gamma[c] * s;
    const byMean = sum / count;
    const byRstd = product / count;
    for (let n = 0; n < outer; n++) {
      const start = (n * channels + c) * inner;
      for (let i = start; i < start + inner; i++) {
        dx[i] = scale * (dy[i] - byMean - (x[i] - m) * s * byRstd);
      }
    }
  }
}
