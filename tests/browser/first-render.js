/** How long it takes from the navigation until a visitor sees text and the first figure works. */

/** Runs in the page, before anything else: notes when the first figure is ready. */
function watch() {
  new MutationObserver((_, observer) => {
    if (document.querySelector('[data-ready]') === null) return;
    observer.disconnect();
    performance.mark('ready');
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

/**
 * @param {() => Promise<import('./support.js').Visit>} newVisit  each begins with an empty cache
 * @param {string} address
 * @returns {Promise<{ paint: number, ready: number }>} milliseconds
 */
export async function firstRender(newVisit, address) {
  const { page, show, end } = await newVisit();
  await page.addInitScript(watch);
  await show(address);
  const times = await page.evaluate(async () => {
    const at = (type, wanted) =>
      new Promise((resolve) => {
        const look = (list) => {
          const [entry] = list.getEntriesByName(wanted);
          if (entry) resolve(entry.startTime);
        };
        new PerformanceObserver(look).observe({ type, buffered: true });
      });
    return {
      paint: await at('paint', 'first-contentful-paint'),
      ready: await at('mark', 'ready'),
    };
  });
  await end();
  return times;
}
