// The benchmark in Chromium: it gets its files and a fine clock, and its results are right.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPlain } from './build-plain.js';
import { measureInChromium } from './environments/chromium.js';

buildPlain();

test('a case and a tiny call are measured in a page', async () => {
  // Samples much longer than the clock's steps, even for a copy of 3 KB.
  const settings = { rounds: 1, sampleMs: 1, warmUpMs: 5, warmUpCalls: 1, tries: 1 };
  const plan = { filter: '^layerNorm 1×(4|768)$', withPeers: false, settings };
  const lines = [];
  const { results, engine } = await measureInChromium(
    { ...plan, kinds: ['cases', 'calls'] },
    (line) => lines.push(line),
  );
  assert.match(engine.version, /^Chromium \d+/);
  const [row] = results.cases;
  assert.deepEqual(row.refused, {});
  const everyone = ['tensors', 'arrays', 'scalar', 'copy', 'loop', 'plainC'];
  assert.deepEqual(Object.keys(row.times), everyone);
  for (const [id, [time]] of Object.entries(row.times)) assert.ok(time > 0, id);
  assert.deepEqual(Object.keys(results.calls.beyond[0].times), ['tensors', 'kernel']);
  assert.ok(lines.some((line) => line.startsWith('layerNorm 1×768, ns/element: tensors ')));
});
