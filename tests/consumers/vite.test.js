// Vite: the development server with its dependency optimizer, and the built page, in Chromium.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { openEngine } from './harness/engines.js';
import { ALL, NORMS } from './harness/lines.js';
import { freePort } from './harness/run.js';

const project = await consumer('vite');
const vite = project.bin('vite');
const reportIn = await openEngine();

/** Starts a server of Vite; gives its address. */
async function serve(...command) {
  const port = await freePort();
  const options = ['--host', '127.0.0.1', '--port', String(port), '--strictPort'];
  return project.serve(`http://127.0.0.1:${port}/`, vite, ...command, ...options);
}

test('the development server, optimizing dependencies', async () => {
  assert.equal(await reportIn(await serve('dev')), `${ALL}; worker ${NORMS}`);
  const optimized = join(project.folder, 'node_modules/.vite/deps/axisnorm.js');
  assert.ok(existsSync(optimized), 'axisnorm was not optimized');
});

test('build and preview', async () => {
  await project.run(vite, 'build', '--logLevel', 'warn');
  assert.equal(await reportIn(await serve('preview')), `${ALL}; worker ${NORMS}`);
});
