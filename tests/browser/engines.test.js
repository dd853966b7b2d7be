// The built page in engines other than Chromium: it draws, computes, and answers mouse and keys.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openFirefox } from './firefox.js';
import { assertNumbers, expected, PRESETS } from './grid-oracle.js';
import { serveBuilt } from './servers.js';
import { watchedCopy } from './watched.js';
import { openWebKit } from './webkit.js';

const { address, folder } = await serveBuilt();
const page = `${address}${watchedCopy(folder)}`;

const PATIENCE = 20_000;

/** All numbers of the grid, as texts. Runs in the page. */
function readGrid() {
  const grid = document.querySelector('[data-figure=grid]');
  const cells = (table) =>
    [...grid.querySelectorAll(`.${table} td[data-index]`)]
      .sort((a, b) => a.dataset.index - b.dataset.index)
      .map((td) => td.querySelector('.value').textContent);
  const shared = [...grid.querySelectorAll('.shared tbody tr')].map((row) =>
    [...row.querySelectorAll('.value')].map((value) => value.textContent),
  );
  return { before: cells('before'), after: cells('after'), shared };
}

for (const [name, openEngine] of Object.entries({ Firefox: openFirefox, WebKitGTK: openWebKit })) {
  describe(name, { timeout: 120_000 }, () => {
    /** @type {import('./firefox.js').Engine} */
    let engine;
    before(async () => {
      engine = await openEngine();
      await engine.open(page);
    });
    afterEach(async () => assert.deepEqual(await engine.evaluate(() => window.problems), []));
    after(() => engine?.close());

    /** Waits until something is true in the page. */
    async function until(what, ...given) {
      const end = performance.now() + PATIENCE;
      while (!(await engine.evaluate(what, ...given))) {
        if (performance.now() > end) throw new Error(`waited in vain for ${what}, ${given}`);
        await pause(50);
      }
    }

    const isDrawn = (figure) =>
      document.querySelector(`[data-figure=${figure}][data-ready] .frame`) !== null;
    const parameters = () =>
      engine.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

    async function assertGrid(state) {
      assertNumbers(await engine.evaluate(readGrid), state.table, expected(state));
    }

    test('every figure is drawn when it comes near', async () => {
      const figures = await engine.evaluate(() =>
        [...document.querySelectorAll('[data-figure]')].map((box) => box.dataset.figure),
      );
      assert.ok(figures.length >= 9, `${figures}`);
      for (const figure of figures) {
        await engine.evaluate((one) => {
          document.querySelector(`[data-figure=${one}]`).scrollIntoView();
        }, figure);
        await until(isDrawn, figure);
      }
    });

    test('a norm is chosen by mouse', async () => {
      for (const norm of ['layer', 'rms', 'batch']) {
        await engine.click(`[data-figure=grid] input[value=${norm}]`);
        await assertGrid({ table: PRESETS.iris, norm });
      }
    });

    test('a cell is changed by keyboard', async () => {
      await engine.evaluate(() => {
        document.querySelector('[data-figure=grid] .before td[data-index="0"]').focus();
      });
      await engine.press('ArrowDown', '7', '.', '5', 'Enter');
      const x = PRESETS.iris.x.slice();
      x[4] = 7.5;
      await assertGrid({ table: { ...PRESETS.iris, x }, norm: 'batch' });
      const marked = () => document.querySelectorAll('[data-figure=grid] .after .changed').length;
      assert.equal(await engine.evaluate(marked), 12);
      await until(() => location.hash === '#grid.data=e4_7.5');
    });

    test('links set figures, and can be taken back', async () => {
      await engine.click('[data-figure=grid] .preset[href*="preset=image"]');
      await assertGrid({ table: PRESETS.image, norm: 'batch' });
      assert.deepEqual(await parameters(), { 'grid.preset': 'image' });
      await engine.evaluate(() => history.back());
      await until(() => location.hash === '#grid.data=e4_7.5');
      await engine.click('section a[href^="#stumbles.part=padding"]');
      await until(() => {
        const { top } = document.querySelector('[data-figure=stumbles]').getBoundingClientRect();
        return Math.abs(top) < 100;
      });
      assert.deepEqual(await parameters(), {
        'grid.data': 'e4_7.5',
        'stumbles.part': 'padding',
        'stumbles.answer': 'skip',
      });
    });

    test('a shared link brings its figure into view, as it was', async () => {
      await engine.open('about:blank');
      await engine.open(`${page}#groups.groups=6`);
      await until(isDrawn, 'groups');
      const seen = await engine.evaluate(() => {
        const box = document.querySelector('[data-figure=groups]');
        const { textContent } = box.querySelector('.slider output');
        return [box.getBoundingClientRect().top, textContent];
      });
      assert.ok(Math.abs(seen[0]) < 500, `at ${seen[0]}`);
      assert.equal(seen[1], '6: Instance');
    });
  });
}
