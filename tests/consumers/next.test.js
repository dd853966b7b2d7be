// Next.js, built and served: a server component, and a page that computes in Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { openEngine } from './harness/engines.js';
import { ALL, NORMS } from './harness/lines.js';
import { freePort } from './harness/run.js';

const project = await consumer('next');
const next = project.bin('next');
const reportIn = await openEngine();

await project.run(next, 'build');
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const options = ['--hostname', '127.0.0.1', '--port', String(port)];
await project.serve(`${address}/client`, next, 'start', ...options);

test('a server component', async () => {
  const html = await (await fetch(address)).text();
  const [, line] = html.match(/<p>(.*?)<\/p>/);
  assert.equal(line, `${NORMS}; layers right, simd128; training right, simd128`);
});

test('a client page, in Chromium', async () => {
  assert.equal(await reportIn(`${address}/client`), ALL);
});
