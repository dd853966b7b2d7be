// Training a small network through batchNorm: node examples/training_step.js
//
//   x [n][2] -> linear -> h [n][WIDTH] -> batchNorm -> ReLU -> linear -> guess [n][1]
//
// It learns which points lie inside a circle, by squared error and plain gradient descent.
import { load } from 'axisnorm';

const an = await load();
const [N, WIDTH, RATE] = [200, 16, 0.2];

// A generator with a seed, so that every run prints the same.
let seed = 1;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}
const uniform = (length, size) => Float32Array.from({ length }, () => (2 * random() - 1) * size);

/** a [n][k] times b [k][m]. */
function product(a, b, n, k, m) {
  const c = new Float32Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      for (let l = 0; l < k; l++) c[i * m + j] += a[i * k + l] * b[l * m + j];
    }
  }
  return c;
}
const transpose = (a, rows, cols) => a.map((_, i) => a[(i % rows) * cols + Math.floor(i / rows)]);
const relu = (a) => a.map((v) => Math.max(v, 0));

const x = uniform(2 * N, 1);
const isInside = (_, i) => Number(Math.hypot(x[2 * i], x[2 * i + 1]) < 0.7);
const target = Float32Array.from({ length: N }, isInside);

// The first linear layer has no bias: batchNorm would subtract it with the mean.
const w1 = uniform(2 * WIDTH, 1);
const gamma = new Float32Array(WIDTH).fill(1);
const beta = uniform(WIDTH, 1);
const w2 = uniform(WIDTH, 0.5);
// What inference will normalize with; forward updates both in place.
const runningMean = new Float32Array(WIDTH);
const runningVar = new Float32Array(WIDTH).fill(1);
const shared = { gamma, beta, runningMean, runningVar };

/** w -= RATE * dw */
const descend = (w, dw) => w.set(w.map((v, i) => v - RATE * dw[i]));

for (let step = 0; step <= 400; step++) {
  const h = product(x, w1, N, 2, WIDTH);
  const norm = an.batchNorm.forward(h, { shape: [N, WIDTH], ...shared });
  const a = relu(norm.y);
  const error = product(a, w2, N, WIDTH, 1).map((guess, i) => guess - target[i]);
  const loss = error.reduce((sum, e) => sum + e * e, 0) / N;
  if (step % 50 === 0) console.log(`step ${String(step).padStart(3)}  loss ${loss.toFixed(4)}`);

  // Backward, from the loss down. `...norm` hands over all that forward has saved.
  const dguess = error.map((e) => (2 * e) / N);
  const dw2 = product(transpose(a, N, WIDTH), dguess, WIDTH, N, 1);
  const dy = product(dguess, w2, N, 1, WIDTH).map((d, i) => (a[i] > 0 ? d : 0));
  const { dx: dh, dgamma, dbeta } = an.batchNorm.backward(dy, { ...norm, x: h, gamma });
  const dw1 = product(transpose(x, N, 2), dh, 2, N, WIDTH);

  descend(w1, dw1);
  descend(gamma, dgamma);
  descend(beta, dbeta);
  descend(w2, dw2);
}

// Inference: a point alone has no variance, so the running statistics stand in for the batch's.
for (const radius of [0, 0.4, 0.6, 0.8, 1]) {
  const h = product([radius, 0], w1, 1, 2, WIDTH);
  const y = an.batchNorm(h, { shape: [1, WIDTH], ...shared });
  const [guess] = product(relu(y), w2, 1, WIDTH, 1);
  console.log(`(${radius}, 0) lies ${guess > 0.5 ? 'inside' : 'outside'}  ${guess.toFixed(2)}`);
}
