/** Real engines, and what a page of a consumer reports in them. */
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { openFirefox } from '../../browser/firefox.js';
import { launchOptions } from '../../browser/launch.js';
import { openWebKit } from '../../browser/webkit.js';

const PATIENCE = 30_000;

/** @returns {Promise<import('../../browser/firefox.js').Engine & { problems: string[] }>} */
async function launchChromium() {
  const browser = await chromium.launch(launchOptions());
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
  page.on('console', (message) => problems.push(message.text()));
  return {
    problems,
    open: (url) => page.goto(url),
    evaluate: (what, ...given) => page.evaluate(what, ...given),
    close: () => browser.close(),
  };
}

const ENGINES = { Chromium: launchChromium, Firefox: openFirefox, WebKitGTK: openWebKit };

export const ENGINE_NAMES = Object.keys(ENGINES);

/**
 * Starts an engine for the tests of a file or suite.
 *
 * @param {string} [name]
 * @returns {Promise<(url: string) => Promise<string>>} gives what a page reports
 */
export async function openEngine(name = 'Chromium') {
  const engine = await ENGINES[name]();
  after(() => engine.close());
  return (url) => reportIn(engine, url);
}

/** Waits for what the page writes to `data-report` of its root element: see sources/report.js. */
async function reportIn(engine, url) {
  await engine.open(url);
  const end = performance.now() + PATIENCE;
  for (;;) {
    const report = await engine.evaluate(() => document.documentElement.dataset.report);
    if (report) return report;
    if (performance.now() > end) {
      throw new Error(`${url} reports nothing\n${engine.problems?.join('\n') ?? ''}`);
    }
    await pause(50);
  }
}
