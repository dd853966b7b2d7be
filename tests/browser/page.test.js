// The page as a whole: widths, colours, accessibility, links, trouble, and the built page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build, preview } from 'vite';
import { configFile, openBrowser, serveDemo, temporaryFolder } from './support.js';

const address = await serveDemo();
const newVisit = await openBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SCHEMES = ['light', 'dark'];

/** Brings every figure near, one after the other, so that all are drawn. */
async function drawAll(page) {
  for (const box of await page.locator('[data-figure]').all()) {
    await box.scrollIntoViewIfNeeded();
    await box.evaluate(
      (one) =>
        new Promise((resolve, reject) => {
          const look = () => {
            if ('ready' in one.dataset) resolve();
            else if (one.classList.contains('trouble')) reject(new Error(one.textContent));
            else setTimeout(look, 20);
          };
          look();
        }),
    );
  }
}

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
      ...['depth', 'choose', 'digits', 'browser'],
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

/** Relative luminance (WCAG 2) of a colour such as #12ab9f. */
function luminance(hex) {
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

test('the first figure nudges a cell until it is taken over', async () => {
  const { page, show, end } = await newVisit();
  await show(`${address}figures/grid/`);
  await page.locator('.after td.changed').first().waitFor();
  assert.equal(await page.locator('.after td.changed').count(), 12);
  assert.equal(new URL(page.url()).hash, '');
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByRole('tab', { name: 'Figure' }).click();
  assert.equal(await page.locator('.after td.changed').count(), 0);
  assert.equal(await page.locator('.before td[data-index="9"] .value').textContent(), '3.20');
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
    await page.route('**/wasm/simd128.js*', (route) => route.abort());
    await page.goto(address);
    const trouble = page.getByRole('alert');
    await trouble.waitFor();
    assert.match(await trouble.textContent(), /^The page could not start: /);
    await page.close();
  });

  test('without JavaScript the page says so', async () => {
    const { page, end } = await newVisit({ javaScriptEnabled: false });
    await page.goto(address);
    const { height } = await page.locator('noscript p').boundingBox();
    assert.ok(height > 10);
    await end();
  });
});

describe('the built page', () => {
  const outDir = temporaryFolder('build');
  let server;
  before(async () => {
    await build({ configFile, logLevel: 'warn', build: { outDir } });
    // A folder below the root of its host, as project pages have it.
    server = await preview({
      configFile,
      base: '/some/folder/',
      logLevel: 'warn',
      build: { outDir },
      preview: { port: 0 },
    });
  });
  after(() => server?.close());

  test('it works in any folder of a host and loads one build of the kernels', async () => {
    const { page, show, end } = await newVisit();
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await show(server.resolvedUrls.local[0]);
    await page.locator('[data-figure=grid] input[value=layer]').check();
    assert.equal(await page.locator('.after td .value').first().textContent(), '1.35');

    const kernels = readdirSync(`${outDir}/assets`).filter((name) =>
      /^(simd128|scalar)-/.test(name),
    );
    assert.equal(kernels.length, 2);
    const used = kernels.filter((name) => loaded.includes(`/some/folder/assets/${name}`));
    assert.deepEqual(
      used.map((name) => name.split('-')[0]),
      ['simd128'],
    );
    for (const figure of ['grid', 'moves', 'groups', 'offset']) {
      await show(`${server.resolvedUrls.local[0]}figures/${figure}/`);
    }
    await end();
  });

  test('JavaScript and CSS are below 150 KB, compressed', () => {
    const files = readdirSync(`${outDir}/assets`).filter((name) => /\.(js|css)$/.test(name));
    const sizes = files.map((name) => gzipSync(readFileSync(`${outDir}/assets/${name}`)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total < 150 * 1024, `${total} bytes`);
  });
});
