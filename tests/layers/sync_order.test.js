// SyncBatchNorm while it waits for other workers: calls that overlap, modes that change, arrays that
// are transferred, and what is refused before anyone else is asked.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { allGather, serveAllGather } from '../../examples/all_gather.js';
import { load } from '../../js/index.js';
import { BatchNorm, Moments, SyncBatchNorm } from '../../js/layers/index.js';

const shape = [4, 2];
const x = Float32Array.of(1, 2, 4, 8, 16, 32, 64, 128);
const alone = async (own) => [own];

let an;
before(async () => {
  an = await load();
});

/** A gather that waits until `go` is called. */
function held() {
  let go;
  const waiting = new Promise((resolve) => {
    go = resolve;
  });
  return { go, gather: (own) => waiting.then(() => [own]) };
}

test('a call while another waits is refused, and changes nothing', async () => {
  const layer = new BatchNorm(an, 2);
  const { go, gather } = held();
  const sync = new SyncBatchNorm(layer, gather);
  const first = sync.forward(x, { shape });
  for (const second of [() => sync.forward(x, { shape }), () => sync.backward(x)]) {
    await assert.rejects(second(), {
      message: 'SyncBatchNorm: expected one call after the other, got one while another waits',
    });
  }
  go();
  const want = an.batchNorm.forward(x, { shape }).y;
  const y = await first;
  assert.ok(y.every((value, i) => Math.abs(value - want[i]) < 1e-6));
  assert.equal(layer.numBatchesTracked, 1);
  await sync.backward(x);
  layer.dispose();
});

test('eval() while forward waits counts from the next call on', async () => {
  const layer = new BatchNorm(an, 2);
  const { go, gather } = held();
  const forward = new SyncBatchNorm(layer, gather).forward(x, { shape });
  layer.eval();
  go();
  await forward;
  assert.equal(layer.numBatchesTracked, 1);
  layer.dispose();
});

test('a gather may transfer what it sends', async () => {
  const layer = new BatchNorm(an, 2);
  const transfer = async (own) => [structuredClone(own, { transfer: [own.buffer] })];
  const sync = new SyncBatchNorm(layer, transfer);
  await sync.forward(x, { shape });
  await sync.backward(x);
  layer.dispose();
});

test('an out that does not fit is refused before others are asked, and adds to no gradient', async () => {
  const layer = new BatchNorm(an, 2);
  let asked = 0;
  const sync = new SyncBatchNorm(layer, (own) => {
    asked += 1;
    return alone(own);
  });
  const out = new Float32Array(5);
  const error = { name: 'RangeError', message: 'out: expected length 8, got 5' };
  await assert.rejects(sync.forward(x, { shape, out }), error);
  assert.equal(asked, 0);
  await sync.forward(x, { shape });
  await assert.rejects(sync.backward(x, { out }), error);
  assert.equal(asked, 1);
  assert.deepEqual([...layer.bias.gradient.data], [0, 0]);
  layer.dispose();
});

test('moments of very many channels are sent', () => {
  const channels = 200_000;
  const moments = Moments.of(new Float32Array(2 * channels).fill(3), { shape: [2, channels] });
  assert.deepEqual(Moments.fromArray(moments.toArray()), moments);
});

test('moments with a negative sum of squares are refused', () => {
  assert.throws(() => Moments.fromArray(Float64Array.of(2, 0, -1)), {
    name: 'RangeError',
    message: 'm2[0]: expected a sum of squares, got -1',
  });
});

describe('momentum', () => {
  for (const [value, name, got] of [
    [5, 'RangeError', '5'],
    [-1, 'RangeError', '-1'],
    [NaN, 'RangeError', 'NaN'],
    ['0.5', 'TypeError', "'0.5'"],
  ]) {
    test(`${got} is refused when it is set`, () => {
      const layer = new BatchNorm(an, 2);
      const set = () => {
        layer.momentum = value;
      };
      assert.throws(set, {
        name,
        message: `momentum: expected a number from 0 to 1, or null, got ${got}`,
      });
      assert.equal(layer.momentum, 0.1);
      layer.momentum = null;
      assert.equal(layer.momentum, null);
      layer.dispose();
    });
  }
});

test('layers in parallel share one all-gather of the example', async () => {
  const channels = [new MessageChannel(), new MessageChannel()];
  serveAllGather(channels.map(({ port1 }) => port1));
  const gathers = channels.map(({ port2 }) => allGather(port2));
  const got = await Promise.all(
    gathers.flatMap((gather, rank) => [1, 2].map((layer) => gather(Float64Array.of(rank, layer)))),
  );
  const lists = got.map((arrays) => arrays.map((array) => [...array]));
  const of = (layer) => [0, 1].map((rank) => [rank, layer]);
  assert.deepEqual(lists, [of(1), of(2), of(1), of(2)]);
  for (const { port1, port2 } of channels) {
    port1.close();
    port2.close();
  }
});
