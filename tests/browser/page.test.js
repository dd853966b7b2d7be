// The page as a whole: widths, colours, browsers without WebAssembly, and the built page.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { build, preview } from 'vite';
import { configFile, openBrowser, serveDemo, temporaryFolder } from './support.js';

const address = await serveDemo();
const newVisit = await openBrowser();

/** A visit from beginning to end. */
async function visit(url, options, use) {
  const one = await newVisit(options);
  await one.show(url);
  await use(one.page);
  await one.end();
}

const NORMS = ['batch', 'layer', 'rms', 'group', 'instance'];
const SCHEMES = ['light', 'dark'];

/** By how much the page or a box in it is too wide, and where the tables begin. */
const measure = (page) =>
  page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('.scroller')];
    const over = boxes.map((box) => box.scrollWidth - box.clientWidth);
    const { top } = document.querySelector('.panels').getBoundingClientRect();
    return { over: Math.max(...over), top: top + scrollY };
  });

for (const width of [360, 768, 1440]) {
  test(`${width} px: nothing to scroll sideways, nothing jumps, light and dark`, () =>
    visit(address, { viewport: { width, height: 800 } }, async (page) => {
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        for (const norm of NORMS) {
          await page.locator(`input[value=${norm}]`).check();
          const idle = await measure(page);
          assert.ok(idle.over <= 0, `${norm}: ${idle.over} px`);
          await page.locator('.before td').nth(21).hover();
          assert.deepEqual(await measure(page), idle, `${norm}: a cell is pointed at`);
          await page.locator('h1').hover();
        }
      }
    }));
}

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

describe('colours', () => {
  for (const colorScheme of SCHEMES) {
    test(`${colorScheme}: text and outlines stand out`, () =>
      visit(address, { colorScheme }, async (page) => {
        const hues = [0, 1, 2, 3];
        const names = [
          'paper',
          'raised',
          'ink',
          'quiet',
          'control',
          'accent',
          'on-accent',
          'trouble',
        ];
        const all = [...names, ...['line', 'tint', 'lit'].flatMap((n) => hues.map((h) => n + h))];
        const colours = await page.evaluate((wanted) => {
          const style = getComputedStyle(document.documentElement);
          return Object.fromEntries(
            wanted.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]),
          );
        }, all);
        assert.equal(luminance(colours.paper) > 0.5, colorScheme === 'light');
        const tints = hues.map((hue) => `tint${hue}`);
        for (const [front, backs, least] of [
          ['ink', ['paper', 'raised', ...tints, ...hues.map((hue) => `lit${hue}`)], 7],
          ['quiet', ['paper', 'raised', ...tints], 4.5],
          ['trouble', ['paper'], 4.5],
          ['on-accent', ['accent'], 4.5],
          ['accent', ['paper', 'raised', ...tints], 3],
          ['control', ['paper', 'raised'], 3],
          ...hues.map((hue) => [`line${hue}`, ['raised', `tint${hue}`], 3]),
        ]) {
          for (const back of backs) {
            const ratio = contrast(colours[front], colours[back]);
            assert.ok(ratio >= least, `${front} on ${back}: ${ratio.toFixed(2)}`);
          }
        }
      }));
  }
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
    await page.locator('input[value=layer]').check();
    assert.equal(await page.locator('.after td').count(), 600);
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
    await end();
  });
});
