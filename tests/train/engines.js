/*
 * What a small network is made of, twice: float64 from the formulas, and the kernels of the wasm
 * module. Matrices are flat and row-major; nothing is changed in place but by descend().
 */
import assert from 'node:assert/strict';

const EPS = Math.fround(1e-5);

const table = (rows, cols, value) =>
  Array.from({ length: rows * cols }, (_, i) => value(Math.floor(i / cols), i % cols));

function product(m, n, k, term) {
  return table(m, n, (i, j) => {
    let total = 0;
    for (let l = 0; l < k; l++) total += term(i, j, l);
    return total;
  });
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

export const float64 = {
  /** Sums over l: a[i][l] b[l][j], a[i][l] b[j][l] and a[l][i] b[l][j]; the result is [m][n]. */
  nn: (a, b, m, n, k) => product(m, n, k, (i, j, l) => a[i * k + l] * b[l * n + j]),
  nt: (a, b, m, n, k) => product(m, n, k, (i, j, l) => a[i * k + l] * b[j * k + l]),
  tn: (a, b, m, n, k) => product(m, n, k, (i, j, l) => a[l * m + i] * b[l * n + j]),
  add: (x, f) => x.map((v, i) => v + f[i]),
  /** LayerNorm of one row, and the way back. */
  layerNorm(x) {
    const mu = mean(x);
    const rstd = 1 / Math.sqrt(mean(x.map((v) => (v - mu) ** 2)) + EPS);
    const y = x.map((v) => (v - mu) * rstd);
    const back = (dy) => {
      const along = mean(dy.map((g, i) => g * y[i]));
      return dy.map((g, i) => rstd * (g - mean(dy) - y[i] * along));
    };
    return { y, back };
  },
  descend(values, gradient, rate) {
    for (const [i, g] of gradient.entries()) values[i] -= rate * g;
  },
};

/** @param {import('../helpers/builds.js').Build} build  of the train module */
export function kernelsOf(build) {
  const { exports } = build;
  const copyIn = (values) => {
    const ptr = build.alloc(4 * values.length);
    build.floats(ptr, values.length).set(values);
    return ptr;
  };
  /** Calls a function of wasm memory with an array for its result, which is then copied out. */
  const call = (name, length, ...args) => {
    const y = build.alloc(4 * length);
    const ptrs = args.map((arg) => (typeof arg === 'number' ? arg : copyIn(arg)));
    assert.equal(exports[name](y, ...ptrs), 0, name);
    return [...build.floats(y, length)];
  };
  return {
    nn: (a, b, m, n, k) => call('an_matmul_nn', m * n, a, b, m, n, k, 0),
    nt: (a, b, m, n, k) => call('an_matmul_nt', m * n, a, b, m, n, k, 0),
    tn: (a, b, m, n, k) => call('an_matmul_tn', m * n, a, b, m, n, k, 0),
    add: (x, f) => call('an_residual', x.length, x, f, x.length, 1),
    layerNorm(x) {
      const n = x.length;
      const [mean, rstd] = [build.alloc(4), build.alloc(4)];
      const workspace = build.alloc(exports.an_workspace_size(n));
      const y = call('an_layer_norm_forward', n, mean, rstd, x, 0, 0, 1, n, EPS, 0);
      const back = (dy) =>
        call('an_layer_norm_backward', n, 0, 0, dy, x, mean, rstd, 0, workspace, 1, n, EPS, 0);
      return { y, back };
    },
    descend(values, gradient, rate) {
      const ptr = copyIn(values);
      assert.equal(exports.an_sgd_step(ptr, 0, copyIn(gradient), values.length, rate, 0), 0);
      for (const [i, v] of build.floats(ptr, values.length).entries()) values[i] = v;
    },
  };
}
