/** Firefox, driven by WebDriver BiDi, which it speaks without a driver. */
import puppeteer from 'puppeteer-core';

/**
 * What drivers of all engines can do.
 *
 * @typedef {object} Engine
 * @property {(url: string) => Promise<unknown>} open
 * @property {(what: (...given: any[]) => any, ...given: any[]) => Promise<any>} evaluate  in the page
 * @property {(selector: string) => Promise<unknown>} click  with the mouse
 * @property {(...keys: string[]) => Promise<unknown>} press  one after the other
 * @property {() => Promise<unknown>} close
 */

/** @returns {Promise<Engine>} */
export async function openFirefox() {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    defaultViewport: { width: 1280, height: 800 },
  });
  const page = await browser.newPage();
  return {
    open: (url) => page.goto(url),
    evaluate: (what, ...given) => page.evaluate(what, ...given),
    click: (selector) => page.click(selector),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    close: () => browser.close(),
  };
}
