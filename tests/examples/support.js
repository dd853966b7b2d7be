/*
 * Blocks in float64, written from the formulas, and what compares a block of examples/blocks with
 * them: values with values, gradients with central differences.
 */
import assert from 'node:assert/strict';
import * as oracle from '../helpers/oracle.js';
import { random } from '../helpers/random.js';

const EPS = Math.fround(1e-5);

/** Of 2^-23 of the largest value. The worst here are 0.8 and 1.8. */
const VALUE_UNITS = 2;
const GRADIENT_UNITS = 4;

const STEP = 1e-5;

// Float64Arrays in, Float64Arrays out.

function normalize(axes, x, gamma, beta) {
  return oracle.forward(axes, { x, gamma, beta }, oracle.statistics(axes, x, { eps: EPS })).y;
}

export const layerNorm = (x, cols, gamma, beta) =>
  normalize(oracle.layerNormAxes({ rows: x.length / cols, cols }), x, gamma, beta);

export const groupNorm = (x, sizes, gamma, beta) =>
  normalize(oracle.groupNormAxes(sizes), x, gamma, beta);

export const batchNorm = (x, sizes, gamma, beta) =>
  normalize(oracle.batchNormAxes(sizes), x, gamma, beta);

export const weightStandardize = (w, sizes) => normalize(oracle.weightStandardizeAxes(sizes), w);

/** y[r][o] = sum over i of x[r][i] w[o][i], plus b[o]. */
export function linear(x, w, outputs, b = new Float64Array(outputs)) {
  const inputs = w.length / outputs;
  const rows = x.length / inputs;
  const y = new Float64Array(rows * outputs);
  for (let r = 0; r < rows; r++) {
    for (let o = 0; o < outputs; o++) {
      y[r * outputs + o] = b[o];
      for (let i = 0; i < inputs; i++) y[r * outputs + o] += x[r * inputs + i] * w[o * inputs + i];
    }
  }
  return y;
}

export const sum = (a, b) => a.map((v, i) => v + b[i]);
export const relu = (x) => x.map((v) => Math.max(v, 0));
export const silu = (x) => x.map((v) => v / (1 + Math.exp(-v)));
export const tanh = (x) => x.map(Math.tanh);

const largest = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);

/** @param {number} limit  in units of 2^-23 of the largest of `want` */
function near(got, want, limit, label) {
  assert.equal(got.length, want.length, `length of ${label}`);
  const unit = largest(want) * 2 ** -23;
  assert.ok(unit > 0, `${label} is not all zeros`);
  for (let i = 0; i < want.length; i++) {
    const units = Math.abs(got[i] - want[i]) / unit;
    assert.ok(units <= limit, `${label}[${i}]: expected ${want[i]}, got ${got[i]}: ${units} units`);
  }
}

/**
 * Sets all inputs and parameters to random numbers, and compares y and all gradients.
 *
 * @typedef {Record<string, Float64Array>} Values  by name, of inputs and parameters
 *
 * @param {object} block
 * @param {string} block.label
 * @param {Record<string, number>} block.inputs  lengths by name
 * @param {Record<string, object>} block.parameters  { value, gradient } by name
 * @param {(inputs: Record<string, Float32Array>) => Float32Array} block.forward
 * @param {(dy: Float32Array) => Record<string, Float32Array>} block.backward  by name of the input
 * @param {(values: Values) => Float64Array} block.reference
 */
export function compare({ label, inputs, parameters, forward, backward, reference }) {
  const next = random(label);
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, length]) => [
      name,
      Float32Array.from({ length }, () => 2 * next() + 0.3),
    ]),
  );
  const parameterValues = Object.fromEntries(
    Object.entries(parameters).map(([name, { value, gradient }]) => {
      value.data.set(value.data.map(() => next() + 0.2));
      gradient.data.fill(0);
      return [name, value.data];
    }),
  );
  /** @type {Values} */
  const values = Object.fromEntries(
    Object.entries({ ...given, ...parameterValues }).map(([name, array]) => [
      name,
      Float64Array.from(array),
    ]),
  );

  const y = forward(given);
  near(y, reference(values), VALUE_UNITS, `${label}: y`);

  const dy = y.map(next);
  const gradientsOf = (name) => parameters[name].gradient.data;
  const dinputs = backward(dy);
  const got = {
    ...dinputs,
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, gradientsOf(name).slice()])),
  };
  const loss = (moved) => reference(moved).reduce((total, v, i) => total + v * dy[i], 0);
  for (const [name, array] of Object.entries(values)) {
    const want = array.map((v, i) => {
      const at = (offset) => loss({ ...values, [name]: array.with(i, v + offset) });
      return (at(STEP) - at(-STEP)) / (2 * STEP);
    });
    near(got[name], want, GRADIENT_UNITS, `${label}: gradient of ${name}`);
  }

  // Once more: gradients of parameters add up, those of inputs do not.
  forward(given);
  for (const [name, gradient] of Object.entries(backward(dy))) {
    assert.deepEqual(gradient, dinputs[name], `${label}: gradient of ${name}, once more`);
  }
  for (const name of Object.keys(parameters)) {
    const twice = got[name].map((v) => 2 * v);
    near(gradientsOf(name), twice, 4, `${label}: gradient of ${name}, twice`);
  }
}
