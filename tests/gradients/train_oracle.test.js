/*
 * The gradients of the training oracle against central differences of its forward functions, in
 * float64. What the kernels are compared with is right only if this holds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../helpers/random.js';
import * as oracle from '../helpers/train/oracle.js';

const STEP = 1e-5;

const weighted = (y, dy) => y.reduce((sum, v, i) => sum + v * dy[i], 0);

/**
 * Compares gradients with differences.
 * @param {Record<string, Float64Array>} inputs  what is moved, by name
 * @param {(inputs: object) => number} loss
 * @param {Record<string, Float64Array>} gradients  by the names of the inputs
 */
function compare(inputs, loss, gradients) {
  for (const [name, gradient] of Object.entries(gradients)) {
    assert.equal(gradient.length, inputs[name].length, `length of the gradient of ${name}`);
    const largest = gradient.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    assert.ok(largest > 0, `the gradient of ${name} is not all zeros`);
    for (let i = 0; i < gradient.length; i++) {
      const at = (offset) => {
        const moved = inputs[name].slice();
        moved[i] += offset;
        return loss({ ...inputs, [name]: moved });
      };
      const want = (at(STEP) - at(-STEP)) / (2 * STEP);
      const error = Math.abs(gradient[i] - want);
      const message = `${name}[${i}]: differences say ${want}, the formula ${gradient[i]}`;
      assert.ok(error <= 1e-7 * largest + 1e-9, message);
    }
  }
}

/** Draws arrays of numbers for a test. */
function drawing(label) {
  const next = random(label);
  return (length, map = (u) => u) => Float64Array.from({ length }, () => map(next()));
}

test('matrix product', () => {
  const draw = drawing('product');
  const [m, n, k] = [3, 4, 5];
  const inputs = { a: draw(m * k), b: draw(k * n) };
  const dc = draw(m * n);
  const { c: da } = oracle.matmulNT({ m, n: k, k: n, a: dc, b: inputs.b });
  const { c: db } = oracle.matmulTN({ m: k, n, k: m, a: inputs.a, b: dc });
  const loss = ({ a, b }) => weighted(oracle.matmulNN({ m, n, k, a, b }).c, dc);
  compare(inputs, loss, { a: da, b: db });
});

test('bias', () => {
  const draw = drawing('bias');
  const cols = 3;
  const inputs = { x: draw(12), bias: draw(cols) };
  const dy = draw(12);
  const loss = ({ x, bias }) => weighted(oracle.biasForward({ x, bias, cols }).y, dy);
  compare(inputs, loss, { x: dy, bias: oracle.biasBackward({ dy, cols }).dbias });
});

for (const [name, forward, backward] of [
  ['relu', oracle.reluForward, oracle.reluBackward],
  ['gelu', oracle.geluForward, oracle.geluBackward],
]) {
  test(name, () => {
    const draw = drawing(name);
    const x = draw(200, (u) => 5 * u);
    const dy = draw(200);
    const { dx } = backward({ dy, x, y: forward({ x }).y });
    compare({ x }, (inputs) => weighted(forward(inputs).y, dy), { x: dx });
  });
}

test('gelu of numbers that are known', () => {
  // 2 Phi(2), -2 Phi(-2) and -10 Phi(-10) from tables of the normal distribution
  const { y } = oracle.geluForward({ x: Float64Array.of(2, -2, 0, -10) });
  const known = [2 * 0.9772498680518208, -2 * 0.0227501319481792, 0, -7.61985302416e-23];
  for (const [i, want] of known.entries()) {
    assert.ok(Math.abs(y[i] - want) <= 1e-12 * Math.abs(want), `${y[i]}, ${want}`);
  }
});

test('attention', () => {
  const draw = drawing('attention');
  const sizes = { batch: 2, tokens: 4, heads: 2, headWidth: 3 };
  const qkv = draw(2 * 4 * 3 * 6, (u) => 2 * u);
  const dy = draw(2 * 4 * 6);
  const { probs } = oracle.attentionForward({ ...sizes, qkv });
  const { dqkv } = oracle.attentionBackward({ ...sizes, qkv, dy, probs });
  const loss = (inputs) => weighted(oracle.attentionForward({ ...sizes, ...inputs }).y, dy);
  compare({ qkv }, loss, { qkv: dqkv });
});

test('embedding', () => {
  const draw = drawing('embedding');
  const sizes = { rows: 6, tokens: 3, vocabulary: 4, width: 2 };
  const ids = Uint32Array.of(0, 3, 3, 1, 0, 3);
  const inputs = { table: draw(8), positions: draw(6) };
  const dy = draw(12);
  const { dtable, dpositions } = oracle.embeddingBackward({ ...sizes, ids, dy });
  const loss = (values) => weighted(oracle.embeddingForward({ ...sizes, ids, ...values }).y, dy);
  compare(inputs, loss, { table: dtable, positions: dpositions });
});

test('cross-entropy', () => {
  const draw = drawing('cross-entropy');
  const targets = Int32Array.of(2, -1, 0, 4);
  const inputs = { logits: draw(4 * 5, (u) => 3 * u) };
  const at = ({ logits }) => oracle.crossEntropy({ logits, targets, classes: 5 });
  compare(inputs, (moved) => at(moved).loss, { logits: at(inputs).dlogits });
});

test('unfold', () => {
  const draw = drawing('unfold');
  const sizes = { batch: 2, height: 3, width: 4, channels: 2 };
  const x = draw(48);
  const dy = draw(9 * 48);
  const { dx } = oracle.unfoldBackward({ ...sizes, dy });
  compare({ x }, (inputs) => weighted(oracle.unfoldForward({ ...sizes, ...inputs }).y, dy), {
    x: dx,
  });
});

test('pool', () => {
  const draw = drawing('pool');
  const sizes = { batch: 2, height: 4, width: 6, channels: 3 };
  const x = draw(144);
  const dy = draw(36);
  const { dx } = oracle.poolBackward({ ...sizes, dy });
  compare({ x }, (inputs) => weighted(oracle.poolForward({ ...sizes, ...inputs }).y, dy), {
    x: dx,
  });
});
