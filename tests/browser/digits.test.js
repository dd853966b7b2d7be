// Digits that get lost: its numbers, its controls by mouse and keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OFFSETS, ROWS } from '../../demo/figures/digits/model.js';
import { assertShows, testAppearance, visitFigure } from '../demo/figure-page.js';
import * as oracle from '../helpers/oracle.js';

const figure = await visitFigure('digits');
const { page, root, show, control, press, table, outcome } = figure;
const SKIP = 'digits.answer=skip';

/** What is right, for the library's and the float64 columns. */
async function assertRight(row, offset) {
  const x = Float32Array.from(ROWS[row].values, (v) => v + offset);
  const shifted = Float64Array.from(x, (v) => v - x[0]);
  const axes = oracle.layerNormAxes({ rows: 1, cols: x.length });
  const stats = oracle.statistics(axes, shifted, { eps: 1e-5 });
  const { y } = oracle.forward(axes, { x: shifted }, stats);
  const ways = await table('One row, four ways');
  for (const way of ways.slice(2)) {
    assertShows(way[0], stats.variance[0], 'variance');
    assert.doesNotMatch(way.join(), /✗/);
  }
  (await table('The normalized values')).forEach((cells, i) => {
    for (const cell of cells.slice(2)) assertShows(cell, y[i], `y[${i}]`);
  });
  return ways;
}

test('a guess shows what was asked about', async () => {
  await show();
  assert.equal(await root.locator('table:visible').count(), 0);
  await page.getByRole('button', { name: 'a negative number' }).click();
  assert.match(await root.locator('.verdict').textContent(), /^Yes\./);
  const [shortcut] = await assertRight('activations', 1e4);
  assert.match(shortcut[0], /−8\.00000/);
  assert.match(await outcome(), /negative variance has no square root/);
  for (const [first] of await table('The normalized values')) assert.match(first, /NaN/);
});

test('the slider goes through all offsets by keyboard', async () => {
  await show(`#${SKIP}`);
  await control('offset').focus();
  for (const offset of OFFSETS) {
    await assertRight('activations', offset);
    await press('ArrowRight');
  }
  await figure.hash(`#digits.offset=1000000&${SKIP}`);
  const [shortcut, passes] = await assertRight('activations', 1e6);
  assert.match(shortcut[0], /✗/);
  assert.match(passes[1], /✗/);
});

test('the constant row by mouse and by keyboard', async () => {
  await show(`#${SKIP}&digits.offset=1000000`);
  await control('row', 'constant').check();
  await assertRight('constant', 1e6);
  for (const [, passes, library] of await table('The normalized values')) {
    assert.match(passes, /✗\s?(0\.99|1\.00)/);
    assert.equal(library, '0');
  }
  await press('ArrowLeft');
  await assertRight('activations', 1e6);
  const { x, y, height } = await control('offset').boundingBox();
  await page.mouse.click(x + 2, y + height / 2);
  await assertRight('activations', 0);
});

testAppearance(figure, ['', `#${SKIP}&digits.offset=1000000`]);

test('the page had nothing to complain about', () => figure.end());
