// What a user's program does: normalizes a row, takes the gradient and looks at the numbers.
import assert from 'node:assert/strict';
import { load } from 'axisnorm';

const an = await load();

const x = Float32Array.of(1, 2, 3, 6);
const gamma = Float32Array.of(1, 2, 0.5, -1);
const beta = Float32Array.of(0, 1, 0, 1);
const dy = Float32Array.of(1, -1, 2, 0.5);
const options = { normalizedShape: 4, gamma, beta };

// The same in float64, by the textbook.
const mean = 3;
const rstd = 1 / Math.sqrt(3.5 + 1e-5);
const xhat = Array.from(x, (v) => (v - mean) * rstd);
const g = Array.from(dy, (v, i) => v * gamma[i]);
const average = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
const gx = average(g.map((v, i) => v * xhat[i]));

function assertClose(actual, expected, name) {
  assert.equal(actual.length, expected.length, name);
  expected.forEach((value, i) => {
    const error = Math.abs(actual[i] - value);
    assert.ok(error < 1e-6, `${name}[${i}]: ${actual[i]} instead of ${value}`);
  });
}

const y = xhat.map((v, i) => v * gamma[i] + beta[i]);
assertClose(an.layerNorm(x, options), y, 'y');

const f = an.layerNorm.forward(x, options);
assertClose(f.y, y, 'y of forward');
const { dx, dgamma, dbeta } = an.layerNorm.backward(dy, { ...f, x, gamma });
assertClose(
  dx,
  g.map((v, i) => rstd * (v - average(g) - xhat[i] * gx)),
  'dx',
);
assertClose(
  dgamma,
  xhat.map((v, i) => v * dy[i]),
  'dgamma',
);
assertClose(dbeta, Array.from(dy), 'dbeta');

console.log(`axisnorm works, ${an.build}`);
