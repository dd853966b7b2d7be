// A page that Parcel builds, in Chromium. Parcel is told to read the exports of packages.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { openEngine } from './harness/engines.js';
import { ALL } from './harness/lines.js';
import { serveFolder } from './harness/serve.js';

const project = await consumer('parcel');
const address = await serveFolder(join(project.folder, 'dist'));
const reportIn = await openEngine();

test('parcel build', async () => {
  await project.run(project.bin('parcel'), 'build', 'index.html', '--public-url', './');
  assert.equal(await reportIn(`${address}index.html`), ALL);
});
