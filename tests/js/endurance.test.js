// A long mixed run on one instance: memory stops growing, what was kept stays, failures leave no trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisnorm } from '../../js/axisnorm.js';
import { Runtime } from '../../js/runtime.js';
import * as simd128 from '../../js/wasm/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';
import { random } from '../helpers/random.js';
import { allBits, bitsOf, everyCall } from './support.js';

const CALLS = 10_000;
const SHAPES = 8;

/** An instance of its own, whose memory has not grown yet. */
async function freshInstance() {
  const { instance } = await WebAssembly.instantiate(bytesOf(simd128), {});
  return axisnorm(new Runtime('simd128', instance.exports));
}

/** The call with tensors of a scope for all of its arrays. */
function onTensors(an, s, { input, options, function: operation }) {
  const tensorOf = (value) =>
    value instanceof Float32Array ? s.tensor(value.length, value) : value;
  const tensors = Object.entries(options).map(([name, value]) => [name, tensorOf(value)]);
  return operation(an)(s.tensor(options.shape, input), Object.fromEntries(tensors));
}

test('ten thousand calls of random kinds and shapes, on arrays, on tensors, and refused', async () => {
  const an = await freshInstance();
  const next = random('endurance');
  const uniform = () => Math.abs(next());
  const pick = (values) => values[Math.floor(uniform() * values.length)];
  /** Small widths as often as large ones, which sees them all: from 2 to 3000. */
  const width = () => Math.floor(2 * 1500 ** uniform());
  const calls = everyCall().flatMap(({ again }) =>
    Array.from({ length: SHAPES }, () => again(width())),
  );

  const start = an.memoryUsage().total;
  const kept = everyCall().map((call) => ({ call, result: call.invoke(an) }));
  const bits = kept.map(({ call, result }) => allBits(call, result));
  const tensor = an.layerNorm(an.tensor([2, 4], Float32Array.of(1, 2, 3, 6, 5, 4, 0, 9)));
  const tensorBits = bitsOf(tensor);
  const { used } = an.memoryUsage();

  const steps = [
    (call) => call.invoke(an),
    (call) => an.scope((s) => void onTensors(an, s, call)),
    (call) =>
      an.scope((s) => {
        // What was allocated before the failure goes with the scope, and the next call works.
        onTensors(an, s, call);
        assert.throws(() => s.tensor([2 ** 30]), { name: 'RangeError' });
        call.invoke(an);
      }),
  ];
  const totals = [];
  for (let i = 0; i < CALLS; i += 1) {
    pick(steps)(pick(calls));
    totals.push(an.memoryUsage().total);
    assert.equal(an.memoryUsage().used, used);
  }

  assert.ok(totals.at(-1) > start, 'the memory did not grow');
  assert.equal(totals.at(-1), totals[CALLS / 2], 'the memory still grows');
  assert.deepEqual(
    kept.map(({ call, result }) => allBits(call, result)),
    bits,
    'a result from before the growth',
  );
  assert.deepEqual(bitsOf(tensor), tensorBits);
});
