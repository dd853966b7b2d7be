// Pages from a plain server, without a bundler, in Chromium, Firefox and WebKitGTK.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { ENGINE_NAMES, openEngine } from './harness/engines.js';
import { ALL, NORMS } from './harness/lines.js';
import { serveFolder } from './harness/serve.js';

const { folder } = await consumer('browsers');
const address = await serveFolder(folder, {
  allowing: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  forbidding: "default-src 'none'; script-src 'self'",
});

const NO_IMPORT =
  'source: expected a module in a service worker or worklet, which cannot import that of the package, got undefined';

const PAGES = {
  'import-map.html': ALL,
  'worker.html': NORMS,
  'service-worker.html': `${NORMS}; slim ${NORMS}; without: ${NO_IMPORT}`,
  'worklet.html': `${NORMS}; without: ${NO_IMPORT}`,
  'allowing/policy.html': NORMS,
  'forbidding/policy.html':
    "failed: load: expected a Content Security Policy with 'wasm-unsafe-eval' in script-src, got one that forbids WebAssembly",
};

// All before the first test: what node:test runs after a file, it runs when a test waits for none.
const engines = await Promise.all(ENGINE_NAMES.map(openEngine));

for (const [i, name] of ENGINE_NAMES.entries()) {
  const reportIn = engines[i];
  describe(name, () => {
    for (const [page, line] of Object.entries(PAGES)) {
      test(page, async () => assert.equal(await reportIn(address + page), line));
    }
  });
}
