// Digits that get lost: which of the four ways is right, and which is said to be wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digitsCode } from '../../demo/figures/digits/code.js';
import { digits, OFFSETS, ROWS, worst } from '../../demo/figures/digits/model.js';
import { load } from '../../js/index.js';
import { runListing } from '../browser/listing.js';
import * as oracle from '../helpers/oracle.js';

const an = await load();
const eps = 1e-5;

const states = Object.keys(ROWS).flatMap((row) => OFFSETS.map((offset) => ({ row, offset })));
const byKey = (model) => Object.fromEntries(model.results.map((one) => [one.key, one]));

for (const state of states) {
  test(`${state.row} + ${state.offset}: the library and float64 agree with the oracle`, () => {
    const { x, results } = digits(an, state);
    const { library, float64 } = byKey({ results });
    // Offsets are exact in float64, so that the oracle of the shifted row can take them away.
    const shifted = Float64Array.from(x, (v) => v - x[0]);
    const axes = oracle.layerNormAxes({ rows: 1, cols: x.length });
    const stats = oracle.statistics(axes, shifted, { eps });
    const { y } = oracle.forward(axes, { x: shifted }, stats);
    assert.ok(worst(float64.y, y) < 1e-9, `float64: ${worst(float64.y, y)}`);
    assert.ok(worst(library.y, y) < 1e-6, `library: ${worst(library.y, y)}`);
    assert.ok(Math.abs(library.variance - stats.variance[0]) < 1e-6);
    assert.ok(Math.abs(float64.variance - stats.variance[0]) < 1e-12);
  });
}

test('the shortcut loses its digits where it is said to', () => {
  const at = (offset) => digits(an, { row: 'activations', offset });
  const variance = (offset) => byKey(at(offset)).shortcut.variance;
  assert.ok(Math.abs(variance(0) - 1.276) < 1e-3);
  assert.ok(Math.abs(variance(1e3) - 1.276) > 0.01);
  assert.equal(variance(1e4), -8);
  assert.equal(at(1e4).ailment, 'negative');
  assert.ok(byKey(at(1e4)).shortcut.y.every(Number.isNaN));
  assert.equal(at(3e4).ailment, 'zero');
  assert.ok(variance(1e6) > 1000);
  const { passes, library } = byKey(at(1e6));
  const { y } = byKey(at(0)).float64;
  assert.ok(worst(passes.y, y) > 0.01);
  assert.ok(worst(library.y, y) < 1e-6);
});

test('a constant row is exactly beta in the library, ±1 in two passes', () => {
  for (const offset of OFFSETS) {
    const { library } = byKey(digits(an, { row: 'constant', offset }));
    assert.ok(library.y.every((v) => v === 0));
    assert.equal(library.variance, 0);
  }
  const { passes } = byKey(digits(an, { row: 'constant', offset: 1e6 }));
  assert.ok(passes.y.every((v) => Math.abs(Math.abs(v) - 1) < 0.01));
});

test('the listing logs what the figure shows', async () => {
  for (const state of states) {
    const model = digits(an, state);
    const [shortcut, variance, y] = await runListing(digitsCode(model).js);
    const { shortcut: naive, library } = byKey(model);
    assert.equal(shortcut, naive.variance);
    assert.ok(Math.abs(variance - library.variance) < 1e-9);
    assert.deepEqual([...y], library.y);
  }
});
