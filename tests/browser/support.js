/** The page in a real browser: a server, a browser, and pages that tolerate no error. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

export const configFile = fileURLToPath(new URL('../../demo/vite.config.js', import.meta.url));

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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

/** A folder that goes when the tests of a file end. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `axisnorm-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the development server for the tests of a file; gives its address. */
export async function serveDemo() {
  const server = await createServer({
    configFile,
    cacheDir: temporaryFolder('vite'),
    logLevel: 'warn',
    server: { port: 0, hmr: false },
  });
  after(() => server.close());
  await server.listen();
  return server.resolvedUrls.local[0];
}

/**
 * Starts a browser for the tests of a file; gives a function that begins a visit.
 *
 * @returns {Promise<(options?: object) => Promise<Visit>>}
 */
export async function openBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS });
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
