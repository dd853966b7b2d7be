// The race in a real browser: from Start to the end, with the numbers that the same code gives here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { raceCode } from '../../demo/figures/race/code.js';
import { FIELDS } from '../../demo/figures/race/fields.js';
import { namesOf } from '../../demo/figures/race/lanes.js';
import { DEFAULTS, lane, PRESETS } from '../../demo/figures/race/presets.js';
import { seedsOf } from '../../demo/figures/race/race.js';
import { laneRun } from '../../demo/figures/race/run.js';
import { CHANCE } from '../../demo/figures/race/story.js';
import { initialState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';
import { numberOf, testAppearance, visitFigure } from '../demo/figure-page.js';

const t = await load();
const figure = await visitFigure('race');
const { page, root, show, control, press, table, outcome, workers } = figure;

/** A race of a second. */
const SHORT = 'race.depth=2&race.width=16&race.steps=30&race.answer=skip';
/** One that does not end while a test looks. */
const LONG = 'race.depth=4&race.steps=2000&race.answer=skip';

const button = (name) => root.getByRole('button', { name, exact: true });
const status = () => root.locator('.status').textContent();
const over = (timeout = 30_000) => button('Start again').waitFor({ timeout });
/** Waits until every lane has made a step. */
const begun = () =>
  page.waitForFunction(() => {
    const texts = [...document.querySelectorAll('.lane:not([hidden]) .lane-state')];
    return texts.every((one) => /^step [1-9]/.test(one.textContent));
  });
const stepsMade = () =>
  root
    .locator('.lane:not([hidden]) .lane-state')
    .evaluateAll((all) => all.map((one) => Number(one.textContent.replace('step ', ''))));

/** What the button saves: rows of texts, without the titles. */
async function savedRows() {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Download CSV').click(),
  ]);
  assert.equal(download.suggestedFilename(), 'race.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  assert.equal(lines.shift(), 'model,seed,step,loss,accuracy,rate,gradient_norm');
  return lines.map((line) => line.split(/,(?! )/));
}

/** The same race, here: rows as they are saved. */
function raceHere(settings) {
  const state = { ...initialState(FIELDS), ...settings };
  const names = namesOf(state.lanes);
  const seeds = seedsOf(state);
  return state.lanes.flatMap((own, i) => {
    const run = laneRun(t, { ...state, lane: own, seeds });
    const bySeed = seeds.map(() => []);
    while (run.step < state.steps) {
      if (!run.advance()) continue;
      const [rate, ...numbers] = run.row;
      for (const [k, seed] of seeds.entries()) {
        const [loss, accuracy, norm] = numbers.slice(3 * k);
        bySeed[k].push([names[i], seed, run.step, loss, accuracy, rate, norm].map(String));
      }
    }
    run.dispose();
    return bySeed.flat();
  });
}

describe('the first race', () => {
  test('a guess waits for its answer; Post-LN stays at chance, Pre-LN learns', async () => {
    await show();
    await button('Pre-LN').waitFor();
    await root.getByRole('button', { name: 'Both' }).click();
    const verdict = root.locator('.verdict');
    assert.equal(await verdict.textContent(), 'You said: Both. Press Start to see.');
    await button('Start').click();
    await begun();
    assert.equal(
      await root.locator('.verdict').textContent(),
      'You said: Both. Press Start to see.',
    );
    await over(120_000);
    assert.match(await verdict.textContent(), /^You said: Both\. It is: Pre-LN\. /);

    const rows = await table('The newest 20 steps');
    const [post, pre] = rows.map((row) => row.map(numberOf));
    assert.ok(post[0] >= 0.9 * CHANCE && post[2] >= 0.9 * CHANCE, `Post-LN: ${rows[0]}`);
    assert.ok(pre[0] < 0.15 && pre[2] < 0.15, `Pre-LN: ${rows[1]}`);
    assert.match(await outcome(), /Post-LN is still guessing.*Pre-LN has learned it/);
    assert.equal(await status(), `Done, ${DEFAULTS.steps} steps.`);
    await workers(0);
  });

  test('its numbers are those of the same code in Node, bit for bit', async () => {
    const { steps } = DEFAULTS;
    const first = 200; // where these agree, all do: each follows from the one before
    const here = raceHere({ steps: first });
    const saved = await savedRows();
    assert.equal(saved.length, 2 * steps);
    const rows = [0, steps].flatMap((from) => saved.slice(from, from + first));
    assert.deepEqual(rows, here);
  });
});

describe('controls', () => {
  test('pause, step, and back to step 0', async () => {
    await show(`#${LONG}`);
    assert.equal(await status(), 'Nothing is trained yet.');
    await button('Step').click();
    await begun();
    assert.deepEqual(await stepsMade(), [1, 1]);
    await button('Continue').click();
    await page.waitForFunction(() =>
      /^Step [1-9]\d/.test(document.querySelector('.status').textContent),
    );
    await button('Pause').click();
    await page.waitForTimeout(250);
    const made = await stepsMade();
    await page.waitForTimeout(400);
    assert.deepEqual(await stepsMade(), made);
    await button('Step').click();
    await page.waitForTimeout(400);
    assert.deepEqual(
      await stepsMade(),
      made.map((n) => n + 1),
    );
    await workers(2);
    await button('Back to step 0').click();
    assert.equal(await status(), 'Nothing is trained yet.');
    await workers(0);
  });

  test('a pause takes less than 100 ms', async () => {
    await show(`#${LONG}`);
    await button('Start').click();
    await begun();
    const { at, later } = await page.evaluate(async () => {
      const made = () =>
        [...document.querySelectorAll('.lane:not([hidden]) .lane-state')].map(
          (one) => one.textContent,
        );
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const go = document.querySelector('.go');
      go.click();
      if (go.textContent !== 'Continue') throw new Error(go.textContent);
      await wait(100);
      await wait(120); // until what has been reported by then is drawn
      const at = made();
      await wait(500);
      return { at, later: made() };
    });
    assert.deepEqual(later, at);
  });

  test('by keyboard alone', async () => {
    await show(`#${LONG}`);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    for (let i = 0; i < 40 && (await focused()) !== 'Start'; i++) await press('Tab');
    await press('Enter');
    await begun();
    assert.equal(await focused(), 'Pause');
    await press('Space');
    assert.equal(await focused(), 'Continue');
    await page.waitForTimeout(250);
    const made = await stepsMade();
    await press('Tab', 'Enter');
    await page.waitForTimeout(400);
    assert.deepEqual(
      await stepsMade(),
      made.map((n) => n + 1),
    );
    await press('Tab', 'Enter');
    assert.equal(await status(), 'Nothing is trained yet.');
    await control('lane0-placement').focus();
    await press('s');
    await control('lane1-warmup').focus();
    await press('Space');
    await control('depth').focus();
    await press('Home');
    await figure.hash(
      '#race.answer=skip&race.depth=1&race.steps=2000&race.lanes=sandwich_pre.warm',
    );
  });

  test('models come and go, two to four', async () => {
    await show(`#${SHORT}`);
    await root.getByRole('button', { name: 'Add a model' }).click();
    await root.getByRole('button', { name: 'Add a model' }).click();
    assert.equal(await button('Add a model').count(), 0);
    await figure.hash(`#${SHORT}&race.lanes=post_pre_post_pre`);
    await control('lane2-norm').selectOption('rms');
    await control('lane2-final').check();
    assert.equal(await control('lane3-placement').inputValue(), 'pre');
    await button('Start').click();
    await over();
    assert.equal((await table('The newest 20 steps')).length, 4);
    await root.getByRole('button', { name: 'Remove Post-LN', exact: true }).click();
    assert.deepEqual(await stepsMade(), [0, 0, 0], 'another race');
    await root.getByRole('button', { name: 'Remove Pre-LN', exact: true }).click();
    await figure.hash(`#${SHORT}&race.lanes=post.rms.final_pre`);
    assert.equal(await root.getByRole('button', { name: /^Remove/ }).count(), 0);
  });

  test('other settings end a race; another speed does not', async () => {
    await show(`#${LONG}`);
    await button('Start').click();
    await begun();
    await control('pace', '4').check();
    await page.waitForTimeout(1000);
    const start = performance.now();
    const [before] = await stepsMade();
    await page.waitForTimeout(2000);
    const [after] = await stepsMade();
    const seconds = (performance.now() - start) / 1000; // more than two on a busy machine
    const made = after - before;
    // Some more than 4 a second: what a busy page shows late was made before.
    assert.ok(made >= 3 && made <= 4 * seconds + 8, `${made} steps in ${seconds} s`);
    await control('depth').focus();
    await press('ArrowRight');
    assert.equal(await status(), 'Nothing is trained yet.');
    await workers(0);
  });

  test('presets are links to states', async () => {
    await show();
    await button('Both').click();
    for (const { label, lanes } of PRESETS.slice(1)) {
      const link = root.getByRole('link', { name: label, exact: true });
      await link.click();
      assert.equal(await link.getAttribute('aria-current'), 'true', label);
      const names = await root.locator('.lane:not([hidden]) legend').allTextContents();
      assert.deepEqual(names, namesOf(lanes));
    }
    assert.equal(await root.locator('.question').isVisible(), false);
  });

  test('Reset asks again', async () => {
    await show(`#${SHORT}&race.seed=4`);
    await button('Step').click();
    await begun();
    await button('Reset').click();
    assert.equal(await status(), 'Nothing is trained yet.');
    assert.ok(await root.locator('.question .ask').isVisible());
    await workers(0);
  });
});

describe('what is shown', () => {
  test('several seeds: median, range, and all of them in the file', async () => {
    await show(`#${SHORT}&race.runs=3&race.lanes=pre_pre.rms`);
    await button('Start').click();
    await over();
    assert.match(await root.locator('.loss .remark').textContent(), /^Line: median of 3 seeds/);
    assert.equal(await root.locator('.loss polygon.band').count(), 2);
    const lanes = [lane('pre'), lane('pre', { norm: 'rms' })];
    const here = raceHere({ lanes, depth: 2, width: 16, steps: 30, runs: 3 });
    const rows = await savedRows();
    assert.equal(rows.length, 2 * 3 * 30);
    const plain = rows.map(([name, ...others]) => [name.replaceAll('"', ''), ...others]);
    assert.deepEqual(plain, here);
  });

  test('a model that diverges stops, and the step is said', async () => {
    const wild = { depth: 24, rate: 0.05, steps: 10 };
    await show('#race.lanes=none_pre&race.depth=24&race.rate=0.05&race.steps=10&race.scale=log');
    await button('Start').click();
    await over();
    const run = laneRun(t, { ...DEFAULTS, ...wild, lane: lane('none'), seeds: [1] });
    while (run.alive) run.advance();
    const [step] = run.divergedAt;
    run.dispose();
    assert.ok((await outcome()).startsWith(`No norm diverged at step ${step}, `), await outcome());
    const [fallen] = await root.locator('.lane:not([hidden]) .lane-state').allTextContents();
    assert.equal(fallen, `diverged at step ${step}`);
    const rows = await savedRows();
    assert.equal(rows.filter(([name]) => name === 'No norm').length, step);
    const [none] = await table('The newest 20 steps');
    assert.equal(none[2], 'NaN');
    const drawn = await root
      .locator('.chart')
      .evaluateAll((all) => all.map((one) => one.innerHTML));
    assert.doesNotMatch(drawn.join(''), /="[^"]*(NaN|Infinity)[^"]*"/);
  });

  test('screen readers hear of the start and the end', async () => {
    await show(`#${SHORT}`);
    const said = root.locator('.unseen[role=status]');
    await button('Start').click();
    await over();
    const end = await outcome();
    await page.waitForFunction((text) => {
      const regions = [...document.querySelectorAll('.unseen[role=status]')];
      return regions.some((one) => one.textContent === text);
    }, end);
    assert.equal(await said.count(), 1);
    const label = await root.locator('.loss svg[role=img]').getAttribute('aria-label');
    assert.match(label, /^Loss: Post-LN [\d.]+, Pre-LN [\d.]+; guessing: ln 8 = 2\.08\.$/);
  });

  test('the listing is that of the state', async () => {
    await show('#race.tab=code&race.depth=4&race.runs=3');
    const state = { ...initialState(FIELDS), depth: 4, runs: 3 };
    assert.equal(await figure.listing(), raceCode(state).js);
  });
});

describe('on a busy page', () => {
  test('no task of the page takes more than 50 ms', async () => {
    const { trace } = figure;
    let tasks = [];
    for (let attempt = 0; attempt < 3 && !(tasks[0] <= 50); attempt++) {
      await show(`#race.answer=skip&race.steps=120&race.depth=2`);
      ({ tasks } = await trace(async () => {
        await button('Start').click();
        await over();
        await savedRows();
      }));
    }
    assert.ok(tasks.length > 20);
    assert.ok(tasks[0] <= 50, `${tasks.slice(0, 3)} ms`);
  });

  test('while nobody looks, training goes on, and one drawing makes up for it', async () => {
    await page.addInitScript(() => {
      const draw = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.held = [];
      globalThis.isHidden = false;
      globalThis.requestAnimationFrame = (run) =>
        globalThis.isHidden ? globalThis.held.push(run) : draw(run);
    });
    await show(`#${LONG}`);
    await button('Start').click();
    await begun();
    await page.evaluate(() => {
      globalThis.isHidden = true;
    });
    await page.waitForTimeout(200);
    const before = Math.max(...(await stepsMade()));
    await page.waitForTimeout(1500);
    assert.equal(Math.max(...(await stepsMade())), before, 'nothing is drawn');
    const drawings = await page.evaluate(() => {
      globalThis.isHidden = false;
      const { length } = globalThis.held;
      for (const run of globalThis.held.splice(0)) run(performance.now());
      return length;
    });
    // The figure itself and its three charts wait, once each.
    assert.ok(drawings <= 4, `${drawings} drawings were waiting`);
    assert.ok(Math.max(...(await stepsMade())) > before + 5, 'training went on');
    await button('Back to step 0').click();
  });
});

describe('trouble', () => {
  /** A page on which a file does not arrive. */
  async function without(pattern, use) {
    const other = await page.context().browser().newPage();
    await other.route(pattern, (route) => route.abort());
    await other.goto(page.url().replace(/#.*/, `#${SHORT}`));
    await other.locator('[data-ready]').waitFor();
    await other.getByRole('button', { name: 'Start', exact: true }).click();
    const alert = other.locator('[data-figure] [role=alert]');
    await alert.waitFor();
    await use(await alert.textContent(), other);
    await other.close();
  }

  test('kernels that do not arrive are reported', () =>
    without('**/train-*.js', async (text, other) => {
      assert.match(text, /^Post-LN could not be trained: .+Pre-LN could not be trained: /);
      const go = other.getByRole('button', { name: 'Start again' });
      assert.ok(await go.isVisible());
      await other.unroute('**/train-*.js');
      await go.click();
      await other.getByText('Done, 30 steps.').waitFor();
      assert.equal(await other.locator('[data-figure] [role=alert]').isVisible(), false);
    }));

  test('a worker that does not arrive is reported', () =>
    without('**/worker-*.js', async (text) => {
      assert.match(text, /the program that trains could not be loaded/);
    }));
});

testAppearance(figure, ['', `#${SHORT}&race.lanes=post_pre.rms_deepnorm.warm_none&race.scale=log`]);

test('the page had nothing to complain about', () => figure.end());
