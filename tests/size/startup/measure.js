/** How long it takes from navigation to the first result in Chromium, and what is transferred. */
import { chromium } from 'playwright-core';
import { layerNorm } from '../../bench/contestants/loops.js';
import { launchOptions } from '../../browser/launch.js';
import { beta, COLS, EPS, gamma, ROWS, x } from './pages/problem.js';
import { serve } from './site.js';

/**
 * @typedef {object} Start
 * @property {string} title
 * @property {number[]} times  milliseconds, of each round
 * @property {number} sent  bytes
 */

const TOLERANCE = 1e-4;
const TIMEOUT = 60_000;

const expected = new Float32Array(x.length);
layerNorm(expected, x, gamma, beta, ROWS, COLS, EPS);

/** Runs in the page. */
const resultOf = () => ({ ms: globalThis.result.ms, y: Array.from(globalThis.result.y) });

function expectRight(title, y) {
  const isRight = (value, i) => Math.abs(value - expected[i]) < TOLERANCE;
  if (y.length !== x.length || !y.every(isRight)) throw new Error(`${title}: the result is wrong`);
}

async function resultIn(page, address) {
  const isDone = () => globalThis.result !== undefined;
  await page.goto(address);
  await page.waitForFunction(isDone, null, { polling: 50, timeout: TIMEOUT });
}

/** A visit by someone who has never been there. */
async function visit(browser, address, title) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const failed = new Promise((_, reject) => page.once('pageerror', reject));
    await Promise.race([resultIn(page, address), failed]);
    const { ms, y } = await page.evaluate(resultOf);
    expectRight(title, y);
    return ms;
  } finally {
    await context.close();
  }
}

/**
 * @param {import('./contestants.js').Contestant[]} contestants
 * @param {number} rounds
 * @returns {Promise<{ starts: Start[], version: string }>}
 */
export async function measureStartup(contestants, rounds) {
  const site = await serve(contestants);
  const browser = await chromium.launch(launchOptions());
  const starts = contestants.map(({ title }) => ({ title, times: [], sent: 0 }));
  try {
    // The first round is the browser's own start.
    for (let round = -1; round < rounds; round++) {
      for (let i = 0; i < contestants.length; i++) {
        const turn = (round + 1 + i) % contestants.length; // nobody is always first
        const { title } = contestants[turn];
        const ms = await visit(browser, site.address(contestants[turn]), title);
        starts[turn].sent = site.takeSent();
        if (round >= 0) starts[turn].times.push(ms);
      }
    }
    return { starts, version: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    site.close();
  }
}
