// A training step allocates nothing: no wasm memory, and no objects that would have to be collected.
import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { builds } from './support.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const STEPS = 8000;
/**
 * Rounds of so many steps. In the first ones, code is interpreted, which boxes numbers, and
 * compiled, which takes memory, too. What a step itself allocates would be in every round.
 */
const ROUNDS = 20;
/** Less than the smallest object has, a boxed number. */
const BYTES_PER_STEP = 4;

/** Settings that take every way through a step. */
const RUNS = {
  'Adam, a constant rate': { task: 'reverse' },
  'Adam, clipped, warm-up and decay': { task: 'copy', clip: 0.1, warmup: 9, decay: 'inverseSqrt' },
  'Adam, in warm-up': { task: 'reverse', warmup: 1e9 },
  'SGD, sorting': { task: 'sort', optimizer: 'sgd', rate: 0.01, momentum: 0.9 },
};

/** Bytes that fn allocates on the heap of JavaScript, and how often garbage was collected. */
async function allocatedBy(fn) {
  const collections = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  collectGarbage();
  await setTimeout(10);
  collections.length = 0;
  const before = getHeapStatistics().used_heap_size;
  fn();
  const bytes = getHeapStatistics().used_heap_size - before;
  await setTimeout(10);
  observer.disconnect();
  return { bytes, collections: collections.length };
}

test('the measure sees small objects', async () => {
  const kept = new Array(1000);
  const { bytes } = await allocatedBy(() => {
    for (let i = 0; i < 1000; i++) kept[i] = { i };
  });
  assert.ok(bytes >= 16_000, `${bytes}`);
});

for (const [name, training] of Object.entries(RUNS)) {
  test(`${name}: a step allocates nothing`, async () => {
    const [, t] = builds;
    const size = { symbols: 4, length: 3 };
    const { sizes } = t.task(size);
    const model = t.transformer({ depth: 2, width: 8, heads: 2, batch: 2, ...sizes });
    const trainer = t.trainer(model, { ...size, ...training });
    const usage = t.memoryUsage();
    const found = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { bytes, collections } = await allocatedBy(() => {
        for (let i = 0; i < STEPS; i++) trainer.step();
      });
      found.push(collections > 0 ? Infinity : bytes / STEPS);
      if (found.at(-1) < BYTES_PER_STEP) break;
    }
    assert.ok(found.at(-1) < BYTES_PER_STEP, `bytes a step, by round: ${found.join(' ')}`);
    assert.deepEqual(t.memoryUsage(), usage);
    model.dispose();
  });
}
