// The heap, and memory that runs out or must not grow.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { axisnorm } from '../../js/axisnorm.js';
import { Heap } from '../../js/heap.js';
import { load } from '../../js/index.js';
import { Runtime } from '../../js/runtime.js';
import * as scalar from '../../js/wasm/scalar.js';
import { bytesOf } from '../../tools/packaged.mjs';
import { random } from '../helpers/random.js';
import { allBits, everyCall } from './support.js';

const PAGE = 65536;
const NO_MEMORY = { name: 'RangeError', message: /^memory: expected \d+ more bytes, got no more/ };

let an;
before(async () => {
  an = await load();
});

describe('heap', () => {
  const make = (initial = 2, maximum = 400) =>
    new Heap(new WebAssembly.Memory({ initial, maximum }), 1000);

  test('blocks are aligned, above the base, and apart from each other', () => {
    const heap = make();
    const next = random('heap');
    const live = new Map();
    let steps = 0;
    for (let i = 0; i < 3000; i += 1) {
      if (next() < 0.1 || live.size === 0) {
        const bytes = Math.floor(Math.abs(next()) ** 4 * 60000);
        const address = heap.alloc(bytes);
        assert.equal(address % 64, 0);
        assert.ok(address >= 1000 && address + bytes <= heap.total);
        for (const [other, size] of live) {
          assert.ok(address + bytes <= other || other + size <= address, `${address} ${other}`);
          steps += 1;
        }
        live.set(address, Math.max(bytes, 1));
      } else {
        const [address] = [...live.keys()].slice(Math.floor(Math.abs(next()) * live.size));
        live.delete(address);
        heap.free(address);
      }
    }
    assert.ok(steps > 1000);
    for (const address of live.keys()) heap.free(address);
    assert.equal(heap.used, 0);
    // Every hole has merged with its neighbours: one block takes it all.
    const { total } = heap;
    heap.alloc(total - 1024 - 512);
    assert.equal(heap.total, total);
  });

  test('big blocks of equal size start at different places of a page', () => {
    const heap = make();
    const starts = Array.from({ length: 9 }, () => heap.alloc(8192) % 4096);
    assert.equal(new Set(starts).size, 9);
  });

  test('views are renewed by growth', () => {
    const heap = make();
    const { floats } = heap;
    const small = heap.alloc(4);
    heap.floats[small / 4] = 42;
    heap.alloc(3 * PAGE);
    assert.equal(floats.length, 0);
    assert.equal(heap.floats[small / 4], 42);
    assert.equal(heap.words.length * 4, heap.total);
  });

  test('growth takes the exact amount where more is not to be had', () => {
    const heap = make(10, 11);
    const rest = 11 * PAGE - 1024 - 512;
    assert.ok(heap.alloc(rest) > 0);
    assert.equal(heap.total, 11 * PAGE);
  });

  test('a refusal leaves everything as it was', () => {
    const heap = make();
    const kept = heap.alloc(100);
    const { used, total } = heap;
    for (const bytes of [400 * PAGE, 2 ** 32, 2 ** 40]) {
      assert.throws(() => heap.alloc(bytes), NO_MEMORY);
    }
    assert.deepEqual([heap.used, heap.total], [used, total]);
    heap.free(kept);
    assert.ok(heap.alloc(100) > 0);
  });
});

describe('memory that runs out', () => {
  /** An instance of its own whose memory ends after a number of pages. */
  async function cappedInstance(pages) {
    const module = await WebAssembly.compile(bytesOf(scalar));
    const { exports } = await WebAssembly.instantiate(module, {});
    const memory = {
      get buffer() {
        return exports.memory.buffer;
      },
      grow(delta) {
        if (exports.memory.buffer.byteLength / PAGE + delta > pages) throw new RangeError('cap');
        return exports.memory.grow(delta);
      },
    };
    return axisnorm(new Runtime('scalar', { ...exports, memory }));
  }

  test('an absurd tensor is refused and the next one is not', () => {
    const { used } = an.memoryUsage();
    assert.throws(() => an.tensor([2 ** 30]), NO_MEMORY);
    an.scope((s) => assert.throws(() => s.tensor([2 ** 30]), NO_MEMORY));
    assert.equal(an.memoryUsage().used, used);
    an.tensor([4]).dispose();
  });

  for (const { label, again } of everyCall()) {
    test(`${label}: fails without a trace, and works the next time`, async () => {
      const capped = await cappedInstance(8);
      const want = again();
      const bits = allBits(want, want.invoke(an));
      const big = again(20000);
      big.invoke(an); // a call that is right but for its size

      const before = capped.memoryUsage().used;
      assert.throws(() => big.invoke(capped), NO_MEMORY);
      assert.equal(capped.memoryUsage().used, before);
      const call = again();
      assert.deepEqual(allBits(call, call.invoke(capped)), bits);
    });
  }

  test('tensors that a call had made before the memory ran out are freed', async () => {
    const capped = await cappedInstance(16);
    const values = 5 * (PAGE / 4);
    const x = capped.tensor([values, 1]);
    const { used } = capped.memoryUsage();
    // There is room for y, and for one of mean and rstd, which are as long, but not for both.
    assert.throws(() => capped.layerNorm.forward(x), NO_MEMORY);
    assert.equal(capped.memoryUsage().used, used);
    assert.equal(capped.layerNorm(x).length, values);
  });
});

test('a call on plain arrays leaves nothing allocated, whatever its size', async () => {
  const { instance } = await WebAssembly.instantiate(bytesOf(scalar), {});
  const fresh = axisnorm(new Runtime('scalar', instance.exports));
  for (const length of [1, 3000, 100, 100000, 7, 1000000, 50000]) {
    const x = new Float32Array(length);
    fresh.layerNorm(x, { normalizedShape: length });
    assert.equal(fresh.memoryUsage().used, 0, `${length} values`);
    fresh.instanceNorm(x, { shape: [1, 1, length], lengths: [length >> 1] });
    assert.equal(fresh.memoryUsage().used, 0, `${length} values, half of them padding`);
  }
});

test('ten thousand calls of all kinds do not grow memory', () => {
  const next = random('mixed calls');
  const calls = everyCall().flatMap(({ again }) => [2, 3, 40, 700].map((width) => again(width)));
  const mixed = () => calls[Math.floor(Math.abs(next()) * calls.length)];
  const step = () => {
    const call = mixed();
    const kind = next();
    if (kind < -0.3) return call.invoke(an);
    if (kind < 0) {
      return assert.throws(() => call.function(an)(call.input, { ...call.options, eps: -1 }));
    }
    return an.scope((s) => {
      const { input } = call;
      const x = s.tensor(call.options.shape, input);
      return call.function(an)(x, call.options) && undefined;
    });
  };
  for (let i = 0; i < 500; i += 1) step();
  const before = an.memoryUsage();
  for (let i = 0; i < 10000; i += 1) step();
  assert.deepEqual(an.memoryUsage(), before);
});
