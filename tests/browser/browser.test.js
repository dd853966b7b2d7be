// In your browser: measuring runs, can be stopped, and says what it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENDERS, SHAPES } from '../../demo/figures/browser/model.js';
import { numberOf, testAppearance, visitFigure } from '../demo/figure-page.js';

const figure = await visitFigure('browser');
const { page, show, control, press, table, outcome } = figure;

const again = page.getByRole('button', { name: 'Measure again' });

/** Every shape and everyone has a median inside its quartiles. */
async function assertMeasured() {
  const rows = await table('Microseconds a call');
  assert.equal(rows.length, SHAPES.length);
  for (const row of rows) {
    assert.equal(row.length, Object.keys(CONTENDERS).length);
    for (const cell of row) assert.match(cell, /^[\d.]+ to [\d.]+$/);
  }
  const marks = page.locator('[data-figure] td small');
  assert.equal(await marks.count(), SHAPES.length * Object.keys(CONTENDERS).length);
  const all = await page
    .locator('[data-figure] td > span')
    .evaluateAll((cells) =>
      cells.map((cell) => [cell.firstChild.textContent, cell.querySelector('small').textContent]),
    );
  for (const [median, range] of all) {
    const [low, high] = range.split(' to ').map(numberOf);
    assert.ok(
      low > 0 && low <= numberOf(median) && numberOf(median) <= high,
      `${median}, ${range}`,
    );
  }
  assert.match(
    await outcome(),
    /^Here the loop takes [\d.]+( to [\d.]+)? times .* simd128\..* Both builds gave the same bits\.$/,
  );
}

test('nothing is measured before it is asked for', async () => {
  await show();
  assert.equal(await outcome(), 'Nothing is measured yet.');
});

test('measure by mouse', async () => {
  await page.getByRole('button', { name: 'Measure' }).click();
  await again.waitFor({ timeout: 60_000 });
  await assertMeasured();
});

test('stop, and another operation by keyboard', async () => {
  await control('operation', 'forward').focus();
  await press('ArrowRight');
  assert.equal(await outcome(), 'Nothing is measured yet.');
  await press('Tab', 'Enter');
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  await press('Enter');
  await again.waitFor();
  await control('operation', 'backward').focus();
  await press('ArrowLeft'); // what was measured is kept
  await assertMeasured();
});

testAppearance(figure, ['']);

test('the page had nothing to complain about', () => figure.end());
