// A Cloudflare Worker, bundled and run by wrangler in workerd, Cloudflare's own runtime.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { NORMS } from './harness/lines.js';
import { freePort } from './harness/run.js';

const project = await consumer('cloudflare');
// wrangler needs a newer Node than axisnorm does.
const wrangler = ['node_modules/node24/bin/node', 'node_modules/wrangler/bin/wrangler.js'];

const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const options = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'];
await project.serve(`${address}/`, ...wrangler, 'dev', ...options);

for (const [path, line] of [
  [
    '/without', // before anything else, as one instance serves all requests
    "load: expected a Content Security Policy with 'wasm-unsafe-eval' in script-src, got one that forbids WebAssembly",
  ],
  ['/slim', NORMS],
  ['/whole', NORMS],
  ['/layers', 'layers right, simd128'],
  ['/training', 'training right, simd128'],
]) {
  test(path, async () => {
    const response = await fetch(address + path);
    assert.equal(await response.text(), line);
  });
}
