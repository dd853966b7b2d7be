// Where BatchNorm stumbles: its numbers against the oracle, its controls by mouse and keyboard.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BLOCKS } from '../../demo/figures/stumbles/batch-model.js';
import { batchCode } from '../../demo/figures/stumbles/code.js';
import { FEATURES, featuresOf, SENTENCES } from '../../demo/figures/stumbles/padding-model.js';
import { BATCH_SIZE, batchesUpTo } from '../../demo/figures/stumbles/running-model.js';
import { assertShows, testAppearance, visitFigure } from '../demo/figure-page.js';
import * as oracle from '../helpers/oracle.js';

const figure = await visitFigure('stumbles');
const { page, root, show, control, press, table, outcome } = figure;
const SKIP = 'stumbles.answer=skip';

const statistics = (x, outer, channels) =>
  oracle.statistics(
    oracle.batchNormAxes({ outer, channels, inner: x.length / outer / channels }),
    x,
    {
      eps: 1e-5,
    },
  );

/** The statistics on the page are those of the first examples. */
async function assertBatch(block, size) {
  const { all, channels, shape } = BLOCKS[block];
  const x = all.subarray(
    0,
    shape(size).reduce((a, b) => a * b),
  );
  const [own, whole] = [
    statistics(x, size, channels.length),
    statistics(all, 150, channels.length),
  ];
  const rows = await table('Mean and variance');
  assert.equal(rows.length, channels.length);
  rows.forEach(([mean, meanOfAll, variance, varianceOfAll], c) => {
    assertShows(mean, own.mean[c], 'mean');
    assertShows(variance, own.variance[c], 'variance');
    assertShows(meanOfAll, whole.mean[c], 'mean of all');
    assertShows(varianceOfAll, whole.variance[c], 'variance of all');
  });
}

describe('the question', () => {
  test('nothing is shown before a guess; a guess shows the image that was asked about', async () => {
    await show();
    assert.equal(await root.locator('table:visible').count(), 0);
    await page.getByRole('button', { name: 'No, one example has no variance' }).click();
    assert.match(await root.locator('.verdict').textContent(), /It is: Yes\./);
    assert.match(await outcome(), /each channel has 1 × 3 × 3 = 9 values/);
    await assertBatch('image', 1);
  });

  test('Escape tells the answer; it is not asked about other parts', async () => {
    await show();
    await control('size').focus();
    await press('Escape');
    assert.equal(await root.locator('.verdict').textContent(), '');
    await page.getByRole('button', { name: 'Yes' }).focus();
    await press('Escape');
    const verdict = root.locator('.verdict');
    assert.match(await verdict.textContent(), /^It is: Yes\. What counts is/);
    assert.ok(await verdict.evaluate((one) => one === document.activeElement));
    await assertBatch('image', 1);
    await page.getByRole('link', { name: 'One row' }).click();
    assert.match(await outcome(), /^BatchNorm refuses to train/);
    assert.equal(await root.locator('.question').isVisible(), false);
    await show('#stumbles.part=padding');
    assert.equal(await root.locator('.question').isVisible(), false);
    assert.ok(await root.locator('.sentences').isVisible());
  });
});

describe('batch size', () => {
  test('slider and blocks by keyboard, down to one', async () => {
    await show(`#${SKIP}`);
    await control('size').focus();
    await press('ArrowLeft', 'ArrowLeft');
    await assertBatch('table', 6);
    await press('Home');
    assert.match(await outcome(), /x: expected more than 1 value per channel when training/);
    assert.equal((await table('What becomes')).length, 4);
    for (const [, batchNorm, layerNorm] of await table('What becomes')) {
      assert.equal(batchNorm, 'refused');
      assert.match(layerNorm, /^−?\d\.\d+$/);
    }
    await control('block', 'table').focus();
    await press('ArrowRight');
    await assertBatch('image', 1);
    await figure.hash(`#stumbles.block=image&stumbles.size=1&${SKIP}`);
  });

  test('and by mouse; a preset is a link', async () => {
    await show(`#${SKIP}`);
    const { x, y, width, height } = await control('size').boundingBox();
    await page.mouse.click(x + width - 2, y + height / 2);
    await assertBatch('table', 16);
    await control('block', 'image').check();
    await assertBatch('image', 16);
    await page.getByRole('link', { name: 'Two rows' }).click();
    assert.match(await outcome(), /one becomes \+1 and one −1/);
    await assertBatch('table', 2);
  });

  test('the listing is that of the state', async () => {
    await show(`#${SKIP}&stumbles.size=3`);
    await page.getByRole('tab', { name: 'Code' }).click();
    assert.equal(await figure.listing(), batchCode({ block: 'table', size: 3 }).js);
  });
});

describe('training and inference', () => {
  /** Running statistics after some batches, by the formulas. */
  function expected(momentum, count) {
    const x = batchesUpTo(count);
    return [
      { weight: momentum, scale: BATCH_SIZE / (BATCH_SIZE - 1) },
      { weight: 1 - momentum, scale: 1 },
    ].map(({ weight, scale }) => {
      let [mean, variance] = [0, 1];
      for (let i = 0; i < count; i++) {
        const stats = statistics(x.subarray(i * BATCH_SIZE, (i + 1) * BATCH_SIZE), BATCH_SIZE, 1);
        mean += weight * (stats.mean[0] - mean);
        variance += weight * (stats.variance[0] * scale - variance);
      }
      return { mean, variance };
    });
  }

  async function assertRunning(momentum, count) {
    const rows = await table('The same m');
    expected(momentum, count).forEach(({ mean, variance }, k) => {
      assertShows(rows[k][1], mean, 'running mean');
      assertShows(rows[k][2], variance, 'running variance');
    });
    return rows;
  }

  test('batches come one by one, by mouse and keyboard, or by themselves', async () => {
    await show('#stumbles.part=inference');
    const next = page.getByRole('button', { name: 'Next batch' });
    await next.click();
    await assertRunning(0.1, 1);
    await press('Enter', 'Space');
    const rows = await assertRunning(0.1, 3);
    assert.ok(rows.every((row) => row[3] === '0.00 ± 1.00'));
    await control('momentum').focus();
    await press('ArrowRight');
    await assertRunning(0.2, 3);

    await page.getByRole('button', { name: 'Play' }).click();
    await root.locator('.outcome', { hasText: /^Batch ([5-9]|\d\d) of 40/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const stopped = await outcome();
    await page.waitForTimeout(500);
    assert.equal(await outcome(), stopped);
    await page.getByRole('button', { name: 'From the start' }).click();
    await assertRunning(0.2, 0);
  });

  test('inference keeps the running statistics and uses them', async () => {
    await show('#stumbles.part=inference&stumbles.trained=5');
    await control('mode', 'training').focus();
    await press('ArrowRight');
    const before = await assertRunning(0.1, 5);
    const [{ mean, variance }] = expected(0.1, 5);
    const x = batchesUpTo(6).subarray(5 * BATCH_SIZE);
    const average = x.reduce((a, b) => a + b) / x.length;
    const y = (average - mean) / Math.sqrt(variance + 1e-5);
    assertShows(before[0][3].split(' ± ')[0], y, 'y of the next batch');
    await page.getByRole('button', { name: 'Next batch' }).click();
    const after = await assertRunning(0.1, 5);
    assert.notEqual(after[0][3], before[0][3]);
  });
});

test('padding: statistics with it and without, with a mask, LayerNorm untouched', async () => {
  await show('#stumbles.part=padding');
  await control('length').focus();
  await press('End');
  assert.match(await outcome(), /padding, 54 of 54 .* BatchNorm .* 0 of 54 out of LayerNorm/);
  const words = SENTENCES.flat().flatMap(featuresOf);
  const padded = new Float32Array(SENTENCES.length * 24 * FEATURES);
  padded.set(words); // where the zeros stand does not matter
  const [dirty, clean] = [padded, Float32Array.from(words)].map((x) =>
    statistics(x, x.length / FEATURES, FEATURES),
  );
  (await table('BatchNorm’s statistics')).forEach((row, c) => {
    const want = [dirty.mean[c], clean.mean[c], dirty.variance[c], clean.variance[c]];
    want.forEach((value, k) => {
      assertShows(row[k], value, `feature ${c}, column ${k}`);
    });
  });
  for (const [, dirtyY, cleanY, padY, aloneY] of await table('What becomes of “cat”')) {
    assert.notEqual(dirtyY, cleanY);
    assert.equal(padY, aloneY);
  }
  assert.equal(await root.locator('.pad').count(), 24 * 4 - words.length / FEATURES);

  await press('Tab', 'Space');
  assert.ok(await control('mask').isChecked());
  await figure.hash('#stumbles.part=padding&stumbles.length=24&stumbles.mask=1');
  assert.match(await outcome(), /mask, 0 of 54 .* BatchNorm .* 0 of 54 out of LayerNorm/);
  for (const [mean, cleanMean, variance, cleanVariance] of await table('BatchNorm’s statistics')) {
    assert.deepEqual([mean, variance], [cleanMean, cleanVariance]);
  }
  for (const [, maskedY, cleanY] of await table('What becomes of “cat”')) {
    assert.equal(maskedY, cleanY);
  }
  await root.locator('label', { hasText: 'Mask' }).click();
  assert.match(await outcome(), /padding, 54 of 54/);
});

testAppearance(figure, [
  '',
  `#${SKIP}&stumbles.size=1`,
  '#stumbles.part=inference&stumbles.trained=40',
  '#stumbles.part=padding&stumbles.length=24&stumbles.mask=1',
]);

test('the page had nothing to complain about', () => figure.end());
