/** The page in a real browser: pages that tolerate no error. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { launchOptions } from './launch.js';

/** The category of Chromium's trace that has its tasks. */
const TASKS = 'disabled-by-default-devtools.timeline';

/** What goes wrong in a page, as text. */
function listen(page) {
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure();
    // What is still on its way when the page is left was not needed.
    if (errorText !== 'net::ERR_ABORTED') problems.push(`${errorText}: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return problems;
}

/** Brings every figure near, one after the other, so that all are drawn. */
export async function drawAll(page) {
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

/**
 * Starts a browser for the tests of a file; gives a function that begins a visit.
 *
 * @returns {Promise<(options?: object) => Promise<Visit>>}
 */
export async function openBrowser() {
  const browser = await chromium.launch(launchOptions());
  after(() => browser.close());

  return async (options = {}) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
    const problems = listen(page);
    return {
      page,
      /** Goes to an address and waits until the figure is there. */
      async show(url) {
        await page.goto('about:blank'); // another hash alone would not load the page again
        await page.goto(url);
        await page.locator('[data-ready]').first().waitFor();
      },
      /**
       * What the page's main thread does meanwhile: how long its tasks take, in milliseconds of its
       * own time, so that a busy machine does not count; the longest first.
       */
      async trace(use) {
        await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', TASKS] });
        await use();
        const { traceEvents } = JSON.parse(await browser.stopTracing());
        const main = traceEvents.filter(
          ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
        );
        const isMain = ({ pid, tid }) => main.some((one) => one.pid === pid && one.tid === tid);
        const tasks = traceEvents
          .filter((event) => /RunTask$/.test(event.name) && event.tdur && isMain(event))
          .map(({ tdur }) => tdur / 1000);
        return { tasks: tasks.sort((a, b) => b - a) };
      },
      /** Ends the visit; the page must not have had anything to complain about. */
      async end() {
        await page.close();
        assert.deepEqual(problems, []);
      },
    };
  };
}

/** @typedef {{ page: import('playwright-core').Page, show: (url: string) => Promise<void>, end: () => Promise<void> }} Visit */
