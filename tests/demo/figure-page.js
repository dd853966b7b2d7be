/** A figure on its own page in a real browser: what the tests of several figures do with it. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { serveBuilt } from '../browser/servers.js';
import { openBrowser } from '../browser/support.js';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The number that a text of the page stands for; marks beside it are left out. */
export const numberOf = (text) =>
  Number(
    text
      .replace(/[^\d.e−+∞]/g, '')
      .replaceAll('−', '-')
      .replaceAll('∞', 'Infinity'),
  );

/** The text is the number, to three digits. */
export function assertShows(text, value, label = '') {
  const off = Math.abs(numberOf(text) - value);
  const limit = 0.0051 * Math.abs(value) + 1e-9;
  assert.ok(off <= limit, `${label}: expected ${value}, got ${text}`);
}

/**
 * A visit of a figure's own page, and steps that tests take there.
 *
 * @param {string} name
 */
export async function visitFigure(name) {
  const { address } = await serveBuilt();
  const newVisit = await openBrowser();
  const visit = await newVisit();
  const { page } = visit;
  const root = page.locator(`[data-figure=${name}]`);

  return {
    page,
    root,
    end: visit.end,
    trace: visit.trace,
    show: (hash = '') => visit.show(`${address}figures/${name}/index.html${hash}`),
    control: (field, value) =>
      page.locator(
        value === undefined
          ? `[name=${name}-${field}]`
          : `input[name=${name}-${field}][value="${value}"]`,
      ),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    /** The table whose caption begins so: its rows without their titles, as texts. */
    async table(caption) {
      const rows = root.locator('table').filter({ hasText: caption }).locator('tbody tr');
      return rows.evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      );
    },
    /** Waits until so many workers are left; to end one takes a moment. */
    async workers(wanted) {
      for (let tries = 0; page.workers().length !== wanted && tries < 100; tries++)
        await page.waitForTimeout(20);
      assert.equal(page.workers().length, wanted, 'workers');
    },
    outcome: () => root.locator('.outcome:visible').first().textContent(),
    /** The hash, which is written with a delay. */
    hash: (wanted) =>
      page.waitForFunction((text) => {
        const sorted = (hash) => hash.slice(1).split('&').sort().join('&');
        return sorted(location.hash) === sorted(text);
      }, wanted),
    listing: () => root.locator('.panel-code code').first().textContent(),
  };
}

const WIDTHS = [360, 768, 1440];
const SCHEMES = ['light', 'dark'];

/**
 * At all widths nothing sticks out, in both schemes axe finds nothing.
 *
 * @param {Awaited<ReturnType<typeof visitFigure>>} figure
 * @param {string[]} hashes  states to look at
 * @param {() => Promise<unknown>} [ready]  waits until the figure has drawn
 */
export function testAppearance({ page, root, show }, hashes, ready = async () => {}) {
  for (const hash of hashes) {
    test(`widths and accessibility: ${hash || 'as it is at first'}`, async () => {
      await show(hash);
      await ready();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(over <= 0, `${width} px: ${over} px too wide`);
      }
      await page.addScriptTag({ path: axePath });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const found = await page.evaluate(async (isDark) => {
          // Figures begin with an h3: in the whole page a section's h2 stands above. In the dark
          // only colours differ.
          const rules = { 'heading-order': { enabled: false } };
          const options = isDark ? { runOnly: ['color-contrast'] } : { rules };
          const { violations } = await globalThis.axe.run('[data-figure]', options);
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join('\n')}`);
        }, colorScheme === 'dark');
        assert.deepEqual(found, [], colorScheme);
      }
      await page.emulateMedia({ colorScheme: null });
      assert.ok(await root.isVisible());
    });
  }
}
