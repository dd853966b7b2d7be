// Small batches: a run to its end gives the numbers that the same code gives in Node; stopping,
// settings, trouble, and a page that stays usable meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NORMS, runAll } from '../../demo/figures/batches/run.js';
import { percent } from '../../demo/figures/batches/story.js';
import { standardize } from '../../demo/handwriting/digits.js';
import { readDigits } from '../../demo/handwriting/extract.js';
import { load } from '../../js/train/index.js';
import { testAppearance, visitFigure } from '../demo/figure-page.js';
import { serveSources } from './servers.js';

const t = await load();
const images = standardize(readDigits());
const figure = await visitFigure('batches');
const { page, root, show, control, press, table, outcome } = figure;

const button = (name) => root.getByRole('button', { name, exact: true });
const status = () => root.locator('.status').textContent();
const question = root.locator('.question');

const TIMEOUT = { timeout: 60_000 };

/** A sweep of a few seconds, its question skipped. */
const SHORT = 'batches.answer=skip&batches.seen=6400&batches.seeds=1';

/** Both tables hold what is computed here. */
async function assertErrors(sizes, { seen = 6400, seeds = [1], update = 'whole' } = {}) {
  for (const [kind, caption] of [
    ['inference', 'Inference: error'],
    ['training', 'While training: error'],
  ]) {
    const rows = await table(caption);
    assert.equal(rows.length, sizes.length);
    sizes.forEach((size, i) => {
      Object.keys(NORMS).forEach((norm, k) => {
        const values = seeds.map(
          (seed) => runAll(t, images, { norm, size, seed, seen, update })[kind],
        );
        const mean = percent(values.reduce((a, b) => a + b, 0) / values.length);
        const [low, high] = [Math.min(...values), Math.max(...values)].map(percent);
        const want = seeds.length > 1 ? `${mean}${low}–${high}` : mean;
        assert.equal(rows[i][k], want, `${kind}, ${norm}, ${size}`);
      });
    });
  }
}

test('nothing is trained, or shown, before it is asked for', async () => {
  await show();
  assert.equal(await status(), 'Nothing is trained yet.');
  assert.equal(page.workers().length, 0);
  assert.equal(await root.locator('.outcome').isVisible(), false);
  assert.equal(await root.locator('.line-chart').first().isVisible(), false);
  const published = await table('ImageNet, as published');
  assert.deepEqual(published.at(-1), ['34.7', '24.1']);
});

test('a guess, a run to its end by mouse, and the numbers of Node', async () => {
  await show('#batches.size=2&batches.seen=6400&batches.seeds=1');
  await question.getByRole('button', { name: 'larger' }).click();
  assert.match(await question.textContent(), /You said: larger\. Train with 2 images a batch/);
  await button('Train').click();
  await button('Train again').waitFor(TIMEOUT);
  await figure.workers(0);
  assert.equal(await status(), 'Done, 4 networks.');
  assert.match(await question.textContent(), /You said: larger\. It is: smaller\./);
  assert.match(await outcome(), /^With 2 images a batch, the error in inference is: BatchNorm /);
  await assertErrors([2]);
  const digits = root.getByRole('img', { name: /^Handwritten digits/ });
  assert.equal(await digits.isVisible(), true);
  await figure.hash('#batches.size=2&batches.seen=6400&batches.seeds=1&batches.answer=0');
});

test('what is known is kept, several seeds have a range, and each batch can update', async () => {
  await control('seeds', '3').check();
  assert.equal(await status(), 'Stopped: 4 of 12 networks are trained.');
  await button('Go on').click();
  await button('Train again').waitFor(TIMEOUT);
  await assertErrors([2], { seeds: [1, 2, 3] });
  await control('update', 'each').check();
  await control('seeds', '1').check();
  await button('Train').click();
  await button('Train again').waitFor(TIMEOUT);
  await assertErrors([2], { update: 'each' });
});

test('by keyboard: settings, start and stop', async () => {
  await show(`#${SHORT}`);
  await control('size').focus();
  await press('ArrowRight', 'ArrowRight');
  await figure.hash(`#${SHORT}&batches.size=32`);
  await press('Tab', 'ArrowRight');
  await figure.hash('#batches.answer=skip&batches.seeds=1&batches.size=32');
  await press('Tab', 'ArrowRight');
  await figure.hash('#batches.answer=skip&batches.seeds=1&batches.size=32&batches.update=each');
  await press('Tab', 'ArrowRight');
  await figure.hash('#batches.answer=skip&batches.size=32&batches.update=each');
  await press('Tab', 'Enter');
  await button('Stop').waitFor();
  await press('Enter');
  await button('Train').or(button('Go on')).waitFor();
  await figure.workers(0);
});

test('progress is visible, and stop reacts within 100 ms', async () => {
  await show(`#${SHORT}`);
  await button('Train').click();
  const bar = root.locator('progress');
  await page.waitForFunction(() => document.querySelector('progress').value > 0.02);
  await page.waitForFunction(() =>
    /^[1-9]\d* of 24/.test(document.querySelector('.status').textContent),
  );
  const before = await bar.evaluate((one) => one.value);
  assert.ok(before > 0 && before < 1, `${before}`);
  const milliseconds = await button('Stop').evaluate(async (stop) => {
    const start = performance.now();
    stop.click();
    while (stop.textContent === 'Stop') await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
  assert.ok(milliseconds < 100, `${milliseconds} ms`);
  await figure.workers(0);
  await button('Go on').click();
  await button('Train again').waitFor(TIMEOUT);
  assert.equal(await status(), 'Done, 24 networks.');
  await assertErrors([64, 32, 16, 8, 4, 2]);
  assert.match(await outcome(), /^From 64 images a batch to 2, the error in inference goes:/);
});

test('other settings stop what is running', async () => {
  await show(`#${SHORT}`);
  await button('Train').click();
  await button('Stop').waitFor();
  await control('seeds', '5').check();
  await button('Train').or(button('Go on')).waitFor();
  await figure.workers(0);
});

test('no task of the page takes more than 50 ms', async () => {
  let tasks = [];
  for (let attempt = 0; attempt < 3 && !(tasks[0] < 50); attempt++) {
    await show(`#${SHORT}&batches.size=4`);
    ({ tasks } = await figure.trace(async () => {
      await button('Train').click();
      await button('Train again').waitFor(TIMEOUT);
    }));
  }
  assert.ok(tasks[0] < 50, `${tasks.slice(0, 3)} ms`);
});

test('digits that do not come are told of', async () => {
  await page.route('**/handwritten-digits*.bin', (route) => route.fulfill({ body: 'nothing' }));
  await show(`#${SHORT}`);
  await button('Train').click();
  await root.getByRole('alert').filter({ hasText: 'This could not be trained' }).waitFor();
  await figure.workers(0);
  await page.unroute('**/handwritten-digits*.bin');
  await button('Train').click();
  await root.getByRole('alert').waitFor({ state: 'hidden' });
  await button('Stop').click();
});

test('the sources train as well, as npm start serves them', async () => {
  const sources = await serveSources();
  await page.goto(`${sources}figures/batches/#${SHORT}&batches.size=64`);
  await button('Train').click(TIMEOUT);
  await button('Train again').waitFor(TIMEOUT);
  await assertErrors([64]);
});

test('the listing is that of the state', async () => {
  await show(`#${SHORT}&batches.size=4&batches.tab=code`);
  assert.match(await figure.listing(), /for \(const batch of \[4\]\)/);
});

/** Trained, so that there is something to look at. */
const trained = async () => {
  await button('Train').click();
  await button('Train again').waitFor(TIMEOUT);
};
testAppearance(figure, ['#batches.answer=skip&batches.seen=6400&batches.size=8'], trained);
testAppearance(figure, ['']);

test('the page had nothing to complain about', () => figure.end());
