// Motion: none where less is asked for; else short, and none by itself once the visitor takes over.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serveBuilt } from './servers.js';
import { drawAll, openBrowser } from './support.js';

const { address } = await serveBuilt();
const newVisit = await openBrowser();

/** The longest that a transition may take, in seconds. */
const SHORT = 0.25;

/** A visit of the grid at a clock that the test moves. */
async function visitGrid(options) {
  const visit = await newVisit(options);
  const { page } = visit;
  await page.clock.install();
  await visit.show(`${address}figures/grid/`);
  await page.evaluate(() => {
    window.changes = 0;
    const count = (records) => {
      window.changes += records.length;
    };
    const everything = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(count).observe(document.querySelector('.stage'), everything);
  });
  return {
    ...visit,
    /** How much changes in the figure in so many milliseconds. */
    changesIn: async (time) => {
      await page.evaluate(() => {
        window.changes = 0;
      });
      await page.clock.runFor(time);
      return page.evaluate(() => window.changes);
    },
    changed: () => page.locator('.after td.changed').count(),
    nudged: () => page.locator('.before td[data-index="9"] .value').textContent(),
  };
}

/** Of all elements and what is before and after them, the longest transition, in seconds. */
const longestTransition = (page) =>
  page.evaluate(() => {
    const names = ['transitionDuration', 'transitionDelay', 'animationDuration', 'animationDelay'];
    const seconds = [...document.querySelectorAll('*')].flatMap((one) =>
      [undefined, '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(one, part);
        return names.flatMap((name) => style[name].split(',').map(Number.parseFloat));
      }),
    );
    return Math.max(...seconds);
  });

/** Until what a frame begins has begun. */
const nextFrame = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );

/** Chooses another number of groups and gives how long what then moves takes, in ms. */
async function moveSlider(page) {
  // In one go, and paused at once: a busy machine may be late for what takes a quarter of a second.
  return page.evaluate(async () => {
    const slider = document.querySelector('[name=groups-groups]');
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return document.getAnimations().map((animation) => {
      animation.pause();
      return animation.effect.getComputedTiming().endTime;
    });
  });
}

describe('where less motion is asked for', () => {
  test('nothing in the opening moves', async () => {
    const { changesIn, end } = await visitGrid({ reducedMotion: 'reduce' });
    assert.equal(await changesIn(10_000), 0);
    await end();
  });

  test('no element has a transition, and links arrive at once', async () => {
    const { page, show, end } = await newVisit({ reducedMotion: 'reduce' });
    await show(address);
    await drawAll(page);
    assert.equal(await longestTransition(page), 0);
    assert.deepEqual(await moveSlider(page), []);
    const top = await page.evaluate(() => {
      document.querySelector('a[href^="#stumbles"]').click();
      return document.querySelector('[data-figure=stumbles]').getBoundingClientRect().top;
    });
    assert.ok(Math.abs(top) < 100, `at ${top}`);
    assert.deepEqual(await page.evaluate(() => document.getAnimations().length), 0);
    await end();
  });
});

describe('where nothing is asked for', () => {
  test('the opening nudges a cell, its block answers, and all is as before', async () => {
    const { page, changesIn, changed, nudged, end } = await visitGrid();
    await changesIn(2400); // a quarter of a wave after it has begun
    assert.equal(await changed(), 12);
    assert.notEqual(await nudged(), '3.20');
    await changesIn(4000);
    assert.equal(await changed(), 0);
    assert.equal(await nudged(), '3.20');
    assert.equal(new URL(page.url()).hash, '');
    assert.equal(await changesIn(10_000), 0);
    await end();
  });

  const takeOver = {
    'a click': (page) => page.getByRole('tab', { name: 'Figure' }).click(),
    'a key': (page) => page.keyboard.press('Tab'),
    'a link': (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            addEventListener('hashchange', resolve, { once: true });
            location.hash = '#grid.eps=0.1';
          }),
      ),
  };
  for (const [name, act] of Object.entries(takeOver)) {
    test(`the opening ends with ${name}, at once and for good`, async () => {
      const { page, changesIn, changed, nudged, end } = await visitGrid();
      await changesIn(2400);
      assert.notEqual(await changed(), 0);
      await act(page);
      assert.equal(await changed(), 0);
      assert.equal(await nudged(), '3.20');
      assert.equal(await changesIn(10_000), 0);
      await end();
    });
  }

  test('it does not begin where the visitor came first', async () => {
    const { page, changesIn, changed, end } = await visitGrid();
    await takeOver['a click'](page);
    assert.equal(await changesIn(10_000), 0);
    assert.equal(await changed(), 0);
    await end();
  });

  test('transitions are short', async () => {
    const { page, show, end } = await newVisit();
    await show(address);
    await drawAll(page);
    const longest = await longestTransition(page);
    assert.ok(longest <= SHORT, `${longest} s`);
    await end();
  });

  test('outlines merge and split where the number of groups changes', async () => {
    const { page, show, end } = await newVisit();
    await show(`${address}figures/groups/`);
    const times = await moveSlider(page);
    // Three groups of each of three examples become one, before the norm and after.
    assert.equal(times.length, 2 * 3 * 3);
    for (const time of times) assert.ok(time <= 1000 * SHORT, `${time} ms`);

    // At their end outlines are where the cells of their new blocks are.
    const ends = await page.evaluate(() => {
      for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = animation.effect.getComputedTiming().endTime - 0.001;
      }
      const cells = [...document.querySelectorAll('.after td[data-index]')];
      const outlines = [...document.querySelectorAll('.after .morph div')];
      const around = (boxes) =>
        ['left', 'top', 'right', 'bottom'].map((side, i) =>
          Math[i < 2 ? 'min' : 'max'](...boxes.map((box) => box[side])),
        );
      const boxes = outlines.map((one) => one.getBoundingClientRect());
      const all = cells.map((one) => one.getBoundingClientRect());
      return [around(boxes), around(all), boxes.map(({ width }) => width)];
    });
    const [outlines, cells, widths] = ends;
    outlines.forEach((side, i) => {
      assert.ok(Math.abs(side - cells[i]) < 4, `${outlines}, ${cells}`);
    });
    for (const width of widths) assert.ok(Math.abs(width - (cells[2] - cells[0])) < 6);

    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await page.locator('.morph').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.morphing').count(), 0);
    await end();
  });

  test('no task takes 50 ms while outlines merge and split', async () => {
    const { page, show, trace, end } = await newVisit();
    await show(`${address}figures/groups/`);
    await page.locator('[name=groups-groups]').focus();
    const settled = () => page.waitForFunction(() => document.getAnimations().length === 0);
    let tasks = [];
    for (let attempt = 0; attempt < 3 && !(tasks[0] < 50); attempt++) {
      ({ tasks } = await trace(async () => {
        for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Home']) {
          await page.keyboard.press(key);
          await nextFrame(page);
          await settled();
        }
      }));
    }
    assert.ok(tasks.length > 20, `${tasks.length} tasks`);
    assert.ok(tasks[0] < 50, `longest tasks: ${tasks.slice(0, 5)} ms`);
    await end();
  });
});
