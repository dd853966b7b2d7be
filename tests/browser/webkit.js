/** WebKitGTK, driven by its WebDriver in a display that nobody sees. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Builder, By, Key } from 'selenium-webdriver';
import { DriverService } from 'selenium-webdriver/remote/index.js';

/** Starts a display that ends with this process, however that ends; gives its name. */
async function startDisplay() {
  const number = 3; // the file descriptor that it writes the number of the display to
  const args = ['-displayfd', String(number), '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  process.once('exit', () => server.kill());
  const [text] = await Promise.race([
    once(server.stdio[number], 'data'),
    once(server, 'exit').then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}`))),
  ]);
  // Neither keeps this process from ending.
  server.unref();
  server.stdio[number].unref();
  return `:${String(text).trim()}`;
}

/** WebDriver's key for a name such as ArrowDown; a character is its own. */
const keyOf = (name) =>
  name.length === 1 ? name : Key[name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()];

/** @returns {Promise<import('./firefox.js').Engine>} */
export async function openWebKit() {
  const DISPLAY = await startDisplay();
  const service = new DriverService.Builder('WebKitWebDriver')
    .setLoopback(true)
    .setEnvironment({ ...process.env, DISPLAY })
    .build();
  const driver = await new Builder()
    .usingServer(await service.start())
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build();
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 840 });
  return {
    open: (url) => driver.get(url),
    evaluate: (what, ...given) => driver.executeScript(what, ...given),
    async click(selector) {
      const origin = await driver.findElement(By.css(selector));
      await driver.executeScript((one) => one.scrollIntoView({ block: 'center' }), origin);
      await driver.actions().move({ origin }).click().perform();
    },
    press: (...keys) =>
      driver
        .actions()
        .sendKeys(...keys.map(keyOf))
        .perform(),
    async close() {
      await driver.quit();
      await service.kill();
    },
  };
}
