// Memory above 2 GiB, where addresses are negative as 32-bit integers: the same bits as below.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisnorm } from '../../js/axisnorm.js';
import { Runtime } from '../../js/runtime.js';
import * as scalar from '../../js/wasm/scalar.js';
import * as simd128 from '../../js/wasm/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';
import { randomArray } from '../helpers/random.js';

const GIB = 2 ** 30;
const SHAPE = [3, 8, 40];
const LENGTH = 960;

/** Results of calls on tensors, forward and backward. */
function compute(an, x, dy) {
  return an.scope((s) => {
    const [tx, tdy] = [s.tensor(SHAPE, x), s.tensor(SHAPE, dy)];
    const gamma = s.tensor([8], x.subarray(0, 8));
    const row = an.layerNorm.forward(tx, { axis: -1 });
    const group = an.groupNorm.forward(tx, { groups: 2, gamma });
    const batch = an.batchNorm.forward(tx, { gamma });
    const results = [
      ...[row.y, group.y, batch.y],
      ...Object.values(an.layerNorm.backward(tdy, { ...row, x: tx })),
      ...Object.values(an.groupNorm.backward(tdy, { ...group, x: tx, gamma })),
      ...Object.values(an.batchNorm.backward(tdy, { ...batch, x: tx, gamma })),
    ];
    return { address: tx.ptr, values: results.map((tensor) => tensor.slice()) };
  });
}

/** A fresh instance. Its heap gives memory that nobody fills with zeros. */
async function start(build, packaged) {
  const { instance } = await WebAssembly.instantiate(bytesOf(packaged));
  const runtime = new Runtime(build, instance.exports);
  return { an: axisnorm(runtime), heap: runtime.heap };
}

/** Takes all memory below 2 GiB. */
function fill(heap) {
  heap.alloc(GIB);
  heap.alloc(GIB);
  while (heap.alloc(64) < 2 * GIB);
}

for (const [build, packaged] of Object.entries({ scalar, simd128 })) {
  test(`${build}: tensors and arrays behind 2 GiB`, async () => {
    const { an, heap } = await start(build, packaged);
    const [x, dy] = [randomArray('large x', LENGTH), randomArray('large dy', LENGTH)];
    const low = compute(an, x, dy);
    const arrays = an.layerNorm(x, { shape: SHAPE, axis: -1 });
    fill(heap);
    const high = compute(an, x, dy);
    assert.ok(low.address < GIB && high.address > 2 * GIB, `${low.address}, ${high.address}`);
    assert.deepEqual(high.values, low.values);
    assert.deepEqual(an.layerNorm(x, { shape: SHAPE, axis: -1 }), arrays);
  });
}

test('what no memory can hold is refused, and the next call works', async () => {
  const { an, heap } = await start('simd128', simd128);
  assert.throws(
    () => {
      for (;;) heap.alloc(GIB);
    },
    { name: 'RangeError', message: /^memory: expected \d+ more bytes, got no more than the \d+/ },
  );
  const y = an.layerNorm(Float32Array.of(1, 3), { normalizedShape: 2, eps: 0 });
  assert.deepEqual([...y], [-1, 1]);
});
