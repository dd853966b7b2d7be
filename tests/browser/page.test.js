// The page as a whole: widths, colours, accessibility, links, trouble, and what it is made of.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { firstRender } from './first-render.js';
import { serveBuilt, serveSources } from './servers.js';
import { drawAll, openBrowser } from './support.js';

const { address, folder } = await serveBuilt();
const sources = await serveSources();
const newVisit = await openBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SCHEMES = ['light', 'dark'];

describe('all of it, on one visit', () => {
  let visit;
  let page;
  before(async () => {
    visit = await newVisit({ reducedMotion: 'reduce' });
    page = visit.page;
    await visit.show(address);
  });

  test('only the grid is fetched at first; others come as they come near', async () => {
    assert.equal(await page.locator('[data-figure=offset] .frame').count(), 0);
    await drawAll(page);
    const names = await page
      .locator('[data-figure]')
      .evaluateAll((boxes) => boxes.map((box) => box.dataset.figure));
    assert.deepEqual(names, [
      ...['grid', 'moves', 'stumbles', 'offset', 'groups'],
      ...['depth', 'race', 'why', 'batches', 'choose', 'digits', 'browser'],
    ]);
  });

  for (const colorScheme of SCHEMES) {
    test(`${colorScheme}: axe finds nothing`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const found = await window.axe.run(document, { resultTypes: ['violations'] });
        return found.violations.flatMap(({ id, nodes }) =>
          nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
        );
      });
      assert.deepEqual(violations, []);
    });
  }

  for (const width of [360, 768, 1440]) {
    test(`${width} px: nothing to scroll sideways`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const over = () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          const wide = [...document.querySelectorAll('body *')].find(
            (one) =>
              one.getBoundingClientRect().right > clientWidth + 1 &&
              !one.closest('.scroller, .strip, pre, .parameters, .unseen, [class*="scroll"]'),
          );
          return scrollWidth > clientWidth ? `${scrollWidth} px, ${wide?.outerHTML}` : '';
        });
      assert.equal(await over(), '');
      await page.locator('[data-figure=grid] input[value=group]').check();
      await page.getByRole('link', { name: 'Images', exact: true }).click();
      assert.equal(await over(), '', 'images');
      await page.locator('[data-figure=grid] td[data-index="3"]').first().hover();
      assert.equal(await over(), '', 'a cell is pointed at');
    });
  }

  test('pointing at cells moves nothing under the pointer', async () => {
    const top = () => page.locator('[data-figure=grid] .panels').evaluate((one) => one.offsetTop);
    const idle = await top();
    for (const i of [0, 9, 30]) {
      await page.locator(`[data-figure=grid] .after td[data-index="${i}"]`).hover();
      assert.equal(await top(), idle);
    }
  });

  test('targets are 44 px', async () => {
    const small = await page.evaluate(() => {
      const own = ['grid', 'moves', 'offset', 'groups'].map((n) => `[data-figure=${n}]`).join();
      return [...document.querySelectorAll(own)].flatMap((figure) =>
        [...figure.querySelectorAll('button, .preset, .options label, .slider input, summary')]
          .filter((one) => one.offsetParent && !one.closest('[hidden]'))
          .filter((one) => one.getBoundingClientRect().height < 43.9)
          .map((one) => one.outerHTML),
      );
    });
    assert.deepEqual(small, []);
  });

  test('a link sets its figure, leaves the others, and can be taken back', async () => {
    await page.goto(address);
    await page.locator('[data-ready]').first().waitFor();
    await page.locator('[data-figure=grid] input[value=rms]').check();
    await page.waitForTimeout(300);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '#moves.norm=layer&moves.answer=skip';
      link.textContent = 'over there';
      document.querySelector('main').prepend(link);
    });
    await page.getByText('over there').click();
    const moves = page.locator('[data-figure=moves]');
    await moves.locator('input[value=layer]:checked').waitFor({ state: 'attached' });
    await page.waitForTimeout(100);
    const { y } = await moves.boundingBox();
    assert.ok(y > -50 && y < 400, `at ${y}`);
    assert.ok(await moves.evaluate((one) => one.contains(document.activeElement)), 'focus');
    const params = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.deepEqual(Object.fromEntries(params), {
      'grid.norm': 'rms',
      'moves.norm': 'layer',
      'moves.answer': 'skip',
    });
    await page.goBack();
    await moves.locator('input[value=batch]:checked').waitFor({ state: 'attached' });
    assert.ok(await page.locator('[data-figure=grid] input[value=rms]').isChecked());
  });

  test('the contents lead to sections and leave figures as they are', async () => {
    await page.goto('about:blank');
    await page.goto(`${address}#grid.norm=rms`);
    const rms = page.locator('[data-figure=grid] input[value=rms]');
    await rms.and(page.locator(':checked')).waitFor({ state: 'attached' });
    await page.locator('.contents a[href="#groupnorm"]').click();
    await page.waitForFunction(() => location.hash === '#groupnorm');
    await page.waitForTimeout(300);
    assert.ok(await rms.isChecked());
    const { y } = await page.locator('#groupnorm').boundingBox();
    assert.ok(Math.abs(y) < 100, `at ${y}`);
    await page.locator('[data-figure=grid] input[value=layer]').check();
    await page.waitForFunction(() => location.hash === '#grid.norm=layer');
  });

  test('a shared link brings its figure into view; what does not exist is left out', async () => {
    await page.goto('about:blank');
    await page.goto(`${address}#groups.groups=6&groups.norm=none&other=1`);
    const groups = page.locator('[data-figure=groups]');
    await groups.locator('.frame').waitFor();
    await page.waitForTimeout(200);
    const { y } = await groups.boundingBox();
    assert.ok(Math.abs(y) < 500, `at ${y}`);
    assert.ok(await groups.locator('input[value=group]').isChecked());
    assert.equal(await groups.locator('output').first().textContent(), '6: Instance');
  });

  test('every section has at most 120 words, and no exclamation mark', async () => {
    const words = await page.evaluate(() =>
      [...document.querySelectorAll('section')].map((section) => {
        const texts = [...section.querySelectorAll(':scope > p, :scope > ul')];
        return [section.id, texts.map((one) => one.textContent).join(' ')];
      }),
    );
    for (const [id, text] of words) {
      assert.ok(text.split(/\s+/).length <= 120, `${id}: ${text.split(/\s+/).length} words`);
      assert.doesNotMatch(text, /!|simply/i);
    }
  });

  test('nothing to complain about', () => visit.end());
});

/** Relative luminance (WCAG 2) of a colour such as #12ab9f or #fff. */
function luminance(text) {
  const hex = text.length === 4 ? text.replace(/[\da-f]/gi, '$&$&') : text;
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('colours: text and outlines stand out, in light and dark', async () => {
  const { page, show, end } = await newVisit();
  await show(`${address}figures/groups/`);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const hues = [0, 1, 2, 3];
    const all = [
      ...['paper', 'raised', 'ink', 'quiet', 'control', 'accent', 'on-accent', 'trouble'],
      ...['zero', 'cold', 'warm', 'tint0'],
      ...['line', 'lit'].flatMap((name) => hues.map((hue) => name + hue)),
    ];
    const colours = await page.evaluate((wanted) => {
      const style = getComputedStyle(document.documentElement);
      return Object.fromEntries(wanted.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
    }, all);
    assert.equal(luminance(colours.paper) > 0.5, colorScheme === 'light');
    for (const [front, backs, least] of [
      ['ink', ['paper', 'raised', 'zero', 'cold', 'warm', ...hues.map((hue) => `lit${hue}`)], 4.5],
      ['quiet', ['paper', 'raised', 'tint0'], 4.5],
      ['trouble', ['paper', 'raised'], 4.5],
      ['on-accent', ['accent'], 4.5],
      ['accent', ['paper', 'raised'], 4.5],
      ['control', ['paper', 'raised'], 3],
      ...hues.map((hue) => [`line${hue}`, ['raised', 'zero'], 3]),
    ]) {
      for (const back of backs) {
        const ratio = contrast(colours[front], colours[back]);
        assert.ok(ratio >= least, `${colorScheme}: ${front} on ${back}: ${ratio.toFixed(2)}`);
      }
    }
  }
  await end();
});

test('touch: a cell is dragged, the rest scrolls', async () => {
  const options = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const { page, show, end } = await newVisit(options);
  await show(`${address}figures/grid/`);
  const touched = await page.evaluate(() => {
    const action = (one) => getComputedStyle(document.querySelector(one)).touchAction;
    return [action('.before td[data-index]'), action('.after td[data-index]'), action('.about')];
  });
  assert.deepEqual(touched, ['none', 'auto', 'auto']);
  const at = page.locator('.before td[data-index="5"]');
  await at.scrollIntoViewIfNeeded();
  const box = await at.boundingBox();
  assert.ok(box.height >= 43.9 && box.width >= 43.9, `${box.width} × ${box.height}`);
  const client = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type, ...touchPoints) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const scrolled = await page.evaluate(() => scrollY);
  await touch('touchStart', { x, y });
  for (const way of [10, 20, 40]) await touch('touchMove', { x, y: y - way });
  await touch('touchEnd');
  await page.waitForTimeout(60);
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  assert.notEqual(await at.locator('.value').textContent(), '3.00');
  await end();
});

describe('trouble', () => {
  test('without WebAssembly the page says so', async () => {
    const { page, end } = await newVisit();
    await page.addInitScript('delete globalThis.WebAssembly');
    await page.goto(address);
    const trouble = page.getByRole('alert');
    await trouble.waitFor();
    assert.match(await trouble.textContent(), /WebAssembly/);
    assert.equal(await page.locator('table').count(), 0);
    await end();
  });

  test('a library that does not arrive is reported', async () => {
    const { page } = await newVisit();
    await page.route('**/simd128-*.js', (route) => route.abort());
    await page.goto(address);
    const trouble = page.getByRole('alert');
    await trouble.waitFor();
    assert.match(await trouble.textContent(), /^The page could not start: /);
    await page.close();
  });

  test('without JavaScript the page says so', async () => {
    const { page } = await newVisit({ javaScriptEnabled: false });
    await page.goto(address);
    const { height } = await page.locator('noscript p').boundingBox();
    assert.ok(height > 10);
    await page.close();
  });
});

describe('what a host has to send', () => {
  /** Bytes of files in the folder of the built page, as they are sent. */
  const compressed = (names) =>
    names
      .filter((name) => /\.(js|css)$/.test(name))
      .reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}/assets/${name}`)).length, 0);

  test('first one build of the kernels, and less than 100 KB in all', async () => {
    const { page, show, end } = await newVisit();
    const loaded = new Set();
    page.on('request', (request) => {
      const [, name] = new URL(request.url()).pathname.split('/some/folder/assets/');
      if (name) loaded.add(name);
    });
    await show(address);
    const used = [...loaded].filter((name) => /^(simd128|scalar)-/.test(name));
    assert.deepEqual(
      used.map((name) => name.split('-')[0]),
      ['simd128'],
    );
    assert.ok(![...loaded].some((name) => name.startsWith('inflate-')), 'the browser inflates');
    const first = compressed([...loaded]);
    assert.ok(first < 100 * 1024, `the first figure needs ${first} bytes`);
    await end();
  });

  test('text and the first figure are there within 1.5 s', async (t) => {
    const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    let last = Infinity;
    // A machine with other work to do gets three attempts.
    for (let attempt = 0; attempt < 3 && !(last < 1500); attempt++) {
      const visits = [];
      for (let i = 0; i < 5; i++) visits.push(await firstRender(newVisit, address));
      const [paint, ready] = ['paint', 'ready'].map((key) => median(visits.map((one) => one[key])));
      t.diagnostic(`text after ${paint.toFixed()} ms, figure after ${ready.toFixed()} ms`);
      last = Math.max(paint, ready);
    }
    assert.ok(last < 1500, `${last} ms`);
  });

  test('JavaScript and CSS without what trains are below 150 KB, compressed', () => {
    const files = readdirSync(`${folder}/assets`);
    assert.equal(files.filter((name) => /^(train-)?(simd128|scalar)-/.test(name)).length, 4);
    // What trains is fetched where models train.
    const training = files.filter((name) => /^(train|worker)-/.test(name));
    const total = compressed(files.filter((name) => !training.includes(name)));
    assert.ok(total < 150 * 1024, `${total} bytes`);
    assert.ok(compressed(training) < 160 * 1024, `${compressed(training)} bytes for training`);
  });
});

describe('the sources as they are, as npm start serves them', () => {
  test('every figure is drawn', async () => {
    const { page, show, end } = await newVisit();
    await show(sources);
    await drawAll(page);
    await page.locator('[data-figure=grid] input[value=layer]').check();
    assert.equal(await page.locator('.after td .value').first().textContent(), '1.35');
    await end();
  });

  test('workers train', async () => {
    const { page, show, end } = await newVisit();
    const hash = '#race.depth=1&race.width=16&race.steps=5&race.answer=skip';
    await show(`${sources}figures/race/${hash}`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Done, 5 steps.').waitFor();
    await end();
  });
});
