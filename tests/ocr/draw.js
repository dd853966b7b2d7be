/*
 * Draws the line of text, black on white, as high as the network wants it. Run by hand after a
 * change of TEXT (`node tests/ocr/draw.js`): the picture is in the repository, so that the tests
 * depend neither on a browser nor on the fonts of a machine.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { launchOptions } from '../browser/launch.js';
import { PICTURE, TEXT } from './line.js';

const HEIGHT = 48;
const STYLE = `margin: 0; padding: 0 12px; width: max-content; background: white; color: black;
  font: 28px/${HEIGHT}px "DejaVu Sans", sans-serif; font-variant-ligatures: none; white-space: pre`;

const browser = await chromium.launch(launchOptions());
try {
  const page = await browser.newPage();
  await page.setContent(`<body style="margin: 0"><p style='${STYLE}'>${TEXT}</p>`);
  await page.locator('p').screenshot({ path: fileURLToPath(PICTURE) });
} finally {
  await browser.close();
}
