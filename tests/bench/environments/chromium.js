/** Measures in Chromium, on a page of its own. */
import { chromium } from 'playwright-core';
import { launchOptions } from '../../browser/launch.js';
import { serve } from './server.js';

/** Runs page.js in the page. */
const inPage = async (plan) => {
  const { measureInPage } = await import('/tests/bench/environments/page.js');
  return measureInPage(plan);
};

/**
 * @param {import('../measure.js').Plan} plan
 * @param {(line: string) => void} say
 */
export async function measureInChromium(plan, say) {
  const { address, close } = await serve();
  try {
    const browser = await chromium.launch(launchOptions());
    try {
      const page = await browser.newPage();
      page.on('console', (message) => say(message.text()));
      await page.goto(address);
      const results = await page.evaluate(inPage, plan);
      const version = `Chromium ${browser.version()}`;
      return { results, engine: { id: 'Chromium', version, clock: 'time that passed' } };
    } finally {
      await browser.close();
    }
  } finally {
    close();
  }
}
