// Why, in a real browser: what is shown is what t.probe() gives in Node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS, namesOf } from '../../demo/figures/race/lanes.js';
import { lossText } from '../../demo/figures/race/story.js';
import { whyCode } from '../../demo/figures/why/code.js';
import { FIELDS } from '../../demo/figures/why/fields.js';
import {
  DEPTHS,
  measureStart,
  PLACEMENTS,
  SEEDS,
  STEPS,
  spread,
  TRAINED,
  trainAndProbe,
} from '../../demo/figures/why/model.js';
import { NAMES } from '../../demo/figures/why/story.js';
import { short } from '../../demo/numbers.js';
import { initialState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';
import { testAppearance, visitFigure } from '../demo/figure-page.js';

const t = await load();
const figure = await visitFigure('why');
const { page, root, show, control, press, table, outcome, workers } = figure;

const status = () => root.locator('.status').textContent();
const labels = () =>
  root
    .locator('.why-part:not([hidden]) svg[role=img]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));

/** All models are measured. */
const measured = () => root.getByText(/^Mean of \d seeds/).waitFor({ timeout: 60_000 });
/** The chosen depth has been measured with one seed. */
const begun = () =>
  page.waitForFunction(() => !/^Measuring/.test(document.querySelector('.outcome').textContent));

/** Means over the seeds as they are written, by placement. */
const here = (depth, name) =>
  Object.fromEntries(
    PLACEMENTS.map((placement) => {
      const probes = SEEDS.map((seed) => measureStart(t, { placement, depth, seed }));
      return [placement, spread(probes, name).map(({ mean }) => short(mean))];
    }),
  );

test('as models start: the numbers are those of t.probe() in Node', async () => {
  await show('#why.depth=2');
  await begun();
  await measured();
  await workers(0);
  const rows = await table('Gradient of the last block');
  assert.equal(rows.length, DEPTHS.length);
  const gradients = here(2, 'gradientNorms');
  const streams = here(2, 'streamNorms');
  const [post, pre] = rows[DEPTHS.indexOf(2)];
  assert.deepEqual([post, pre], [gradients.post.at(-1), gradients.pre.at(-1)]);
  const [, byBlock, stream] = await labels();
  for (const placement of PLACEMENTS) {
    const name = NAMES[placement];
    assert.ok(byBlock.includes(`${name} ${gradients[placement].join(', ')}`), byBlock);
    assert.ok(stream.includes(`${name} ${streams[placement].join(', ')}`), stream);
  }
  assert.match(stream, /Pre-LN’s bounds at the last: 2 and 4\.$/);
  assert.match(
    await outcome(),
    /^Deeper: Post-LN’s line stays flat, .+ ×1\.02 in Post-LN .+ ×0\.48 in Pre-LN .+With 2 blocks, /,
  );
});

test('what is known is shown at once, and by keyboard', async () => {
  await control('depth').focus();
  await press('End');
  assert.match(await outcome(), /^Deeper: .+ With 24 blocks, /);
  assert.match(await status(), /^Mean of 6 seeds/);
  await figure.hash('#why.depth=24');
  await control('mode', 'start').focus();
  await press('ArrowRight');
  await press('Tab', 'Home');
  await figure.hash('#why.depth=1&why.mode=training');
  assert.equal(await status(), 'Nothing is trained yet.');
});

test('while training: the same numbers as in Node, at every step', async () => {
  const depth = 2;
  await show(`#why.mode=training&why.depth=${depth}`);
  await root.getByRole('button', { name: 'Train', exact: true }).click();
  await root.getByRole('button', { name: 'Train again' }).waitFor({ timeout: 60_000 });
  assert.equal(await status(), `Done, ${STEPS} steps.`);
  await workers(0);
  const found = [...trainAndProbe(t, depth)].filter(Boolean);
  for (const step of [STEPS, 0]) {
    await control('step').focus();
    await press(step === 0 ? 'Home' : 'End');
    const rows = await table(`After ${step} steps`);
    const want = TRAINED.map((_, i) => {
      const { loss, probe } = found.find((one) => one.lane === i && one.step === step);
      const { gradientNorms, streamNorms } = probe;
      const numbers = [gradientNorms[0], gradientNorms.at(-1), streamNorms.at(-1)];
      return [lossText(loss), ...numbers.map(short)];
    });
    assert.deepEqual(rows, want);
  }
  await figure.hash(`#why.mode=training&why.depth=${depth}&why.step=0`);
});

test('Stop stops, and another depth begins anew', async () => {
  await show('#why.mode=training&why.depth=16');
  await root.getByRole('button', { name: 'Train', exact: true }).click();
  await page.waitForFunction(() => /^Step \d/.test(document.querySelector('.status').textContent));
  await root.getByRole('button', { name: 'Stop', exact: true }).click();
  await workers(0);
  const at = await status();
  assert.match(at, /^Stopped at step \d+\.$/);
  await page.waitForTimeout(300);
  assert.equal(await status(), at);
  await control('depth').focus();
  await press('Home');
  assert.equal(await status(), 'Nothing is trained yet.');
});

test('what nobody looks at is not measured', async () => {
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.addInitScript(() => {
    if (location.hash !== '#far') return;
    addEventListener('DOMContentLoaded', () => {
      document.body.style.paddingTop = '2000px';
    });
  });
  await show('#far');
  await page.waitForTimeout(500);
  await workers(0);
  await root.scrollIntoViewIfNeeded();
  await begun();
  await workers(1);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('two codes for each model, and a listing for each state', async () => {
  for (const kind of ['hue', 'dash', 'shape'])
    assert.equal(new Set(TRAINED.map((_, i) => LOOKS[i][kind])).size, TRAINED.length);
  assert.equal(new Set(namesOf(TRAINED)).size, TRAINED.length);
  for (const mode of ['start', 'training']) {
    await show(`#why.tab=code&why.mode=${mode}&why.step=10`);
    const state = { ...initialState(FIELDS), mode, step: 10 };
    assert.equal(await figure.listing(), whyCode(state).js);
  }
});

test('trouble is said', async () => {
  const other = await page.context().browser().newPage();
  await other.route('**/train-*.js', (route) => route.abort());
  await other.goto(page.url().replace(/#.*/, ''));
  const alert = other.locator('[data-figure] [role=alert]');
  await alert.waitFor();
  assert.match(await alert.textContent(), /^This could not be measured: /);
  await other.close();
});

testAppearance(figure, ['#why.depth=2', '#why.mode=training'], begunIfStart);

async function begunIfStart() {
  if (await root.getByText('of 96 models measured').isVisible()) await begun();
}

test('the page had nothing to complain about', () => figure.end());
