// Ten layers deep: what the model gives is shown, the page stays usable, every control works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLayers } from '../../demo/figures/depth/model.js';
import { load } from '../../js/index.js';
import { assertShows, testAppearance, visitFigure } from '../demo/figure-page.js';

const an = await load();
const figure = await visitFigure('depth');
const { page, root, show, control, press, table, outcome } = figure;

const ready = () => root.locator('.stage[aria-busy=false]').waitFor();

/** The table holds what the model computes here, which tests/demo compares with the oracle. */
async function assertLayers(state) {
  await ready();
  const work = runLayers(an, {
    width: 16,
    init: 'default',
    norm: 'none',
    place: 'before',
    ...state,
  });
  let step = work.next();
  while (!step.done) step = work.next();
  const { layers } = step.value;
  const rows = await table('Layer by layer');
  assert.equal(rows.length, layers.length);
  rows.forEach(([, mean, spread, gradient, weightGradient], i) => {
    const off = Math.abs(Number(mean.replaceAll('−', '-')) - layers[i].mean);
    assert.ok(off <= 0.006 * layers[i].spread, `mean ${i}: ${mean}`);
    assertShows(spread, layers[i].spread, `spread ${i}`);
    assertShows(gradient, layers[i].gradient, `gradient ${i}`);
    assertShows(weightGradient, layers[i].weightGradient, `weights' gradient ${i}`);
  });
  assert.match(await outcome(), /in layer 10; of a gradient of size 1 at the top/);
}

const NARROW = 'depth.width=16';

test('each control by mouse', async () => {
  await show(`#${NARROW}`);
  await assertLayers({});
  for (const norm of ['batch', 'layer', 'rms', 'group']) {
    await control('norm', norm).check();
    await assertLayers({ norm });
  }
  await control('place', 'after').check();
  await assertLayers({ norm: 'group', place: 'after' });
  await control('init', 'large').check();
  await assertLayers({ norm: 'group', place: 'after', init: 'large' });
  const { x, y, width, height } = await control('width').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await assertLayers({ norm: 'group', place: 'after', init: 'large', width: 64 });
  await figure.hash('#depth.init=large&depth.norm=group&depth.place=after');
});

test('each control by keyboard', async () => {
  await show(`#${NARROW}`);
  await ready();
  await control('norm', 'none').focus();
  await press('ArrowRight');
  await assertLayers({ norm: 'batch' });
  await press('Tab', 'ArrowRight');
  await assertLayers({ norm: 'batch', place: 'after' });
  await press('Tab', 'ArrowRight');
  await assertLayers({ norm: 'batch', place: 'after', init: 'he' });
  await press('Tab', 'ArrowRight');
  await assertLayers({ norm: 'batch', place: 'after', init: 'he', width: 32 });
});

test('what is overtaken is given up, and the last choice is shown', async () => {
  await show('#depth.width=256');
  await control('init', 'he').check();
  await control('init', 'large').check();
  await control('width').focus();
  await press('Home');
  await assertLayers({ init: 'large' });
});

test('no task takes 50 ms while the widest layers are computed', async () => {
  let tasks = [];
  for (let attempt = 0; attempt < 3 && !(tasks[0] < 50); attempt++) {
    await show('#depth.width=128'); // what was computed once is kept, so each attempt begins anew
    await ready();
    await control('width').focus();
    ({ tasks } = await figure.trace(async () => {
      await press('End');
      await ready();
      for (const norm of ['batch', 'layer', 'rms', 'group']) {
        await control('norm', norm).check();
        await ready();
      }
      await press('Tab', 'ArrowRight', 'Tab', 'ArrowRight');
      await ready();
    }));
  }
  assert.ok(tasks.length > 100, `${tasks.length} tasks`);
  assert.ok(tasks[0] < 50, `longest tasks: ${tasks.slice(0, 5)} ms`);
});

testAppearance(figure, [`#${NARROW}&depth.norm=layer`, `#${NARROW}&depth.init=large`], ready);

test('the page had nothing to complain about', () => figure.end());
