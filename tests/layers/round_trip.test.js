// What is saved is restored bit for bit, and goes through JSON where numbers do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BatchNorm, LayerNorm } from '../../js/layers/index.js';
import { sizeOf } from '../../js/shape.js';
import { sameBits } from '../helpers/bits.js';
import { property } from '../properties/property.js';
import { builds, fill, inputs, VARIANTS } from './support.js';

const [an] = builds;

/** Zeros of both signs, subnormals, the ends of the range, what is not finite. */
const SPECIAL = [
  ...[0, -0, 2 ** -149, -(2 ** -149), 2 ** -127, 2 ** -126],
  ...[3.4028234663852886e38, -3.4028234663852886e38, Infinity, -Infinity, NaN, 0.1],
];

function expectSameState(got, want) {
  assert.deepEqual(Object.keys(got), Object.keys(want));
  for (const [key, value] of Object.entries(want)) {
    if (typeof value === 'number') {
      assert.equal(got[key], value);
    } else {
      assert.deepEqual(got[key].shape, value.shape);
      sameBits(got[key].data, value.data, key);
    }
  }
}

test('special values keep their bits, from one build to the other', () => {
  const layers = builds.map((build) => new BatchNorm(build, SPECIAL.length));
  const [from, to] = layers;
  const tensors = [from.weight.value, from.bias.value, from.runningMean, from.runningVar];
  for (const [turn, tensor] of tensors.entries()) {
    tensor.set(Float32Array.from(SPECIAL, (_, i) => SPECIAL[(i + turn) % SPECIAL.length]));
  }
  from.numBatchesTracked = 2 ** 40;
  to.loadStateDict(from.stateDict('a.'), 'a.');
  expectSameState(to.stateDict(), from.stateDict());
  for (const layer of layers) layer.dispose();
});

/** The shape of JSON: lists in place of arrays. */
const toJson = (dict) =>
  JSON.stringify(dict, (_, value) => (value instanceof Float32Array ? [...value] : value));
const fromJson = (json) =>
  JSON.parse(json, (key, value) => (key === 'data' ? Float32Array.from(value) : value));

for (const [name, one] of Object.entries(VARIANTS)) {
  test(`${name}: the layer of the loaded state does the same, through JSON, too`, () => {
    const [shape] = one.shapes;
    const { x, dy } = inputs('state', shape);
    const from = fill(one.make(an), 'from');
    from.forward(x, { shape });
    for (const way of [(dict) => dict, (dict) => fromJson(toJson(dict))]) {
      const to = fill(one.make(an), 'to');
      to.loadStateDict(way(from.stateDict('n.')), 'n.');
      expectSameState(to.stateDict(), from.stateDict());
      for (const training of [false, true]) {
        const [want, got] = [from, to].map((layer) => {
          const y = layer.train(training).forward(x, { shape });
          return [y, layer.backward(dy)];
        });
        sameBits(got[0], want[0], 'y');
        sameBits(got[1], want[1], 'dx');
      }
      expectSameState(to.stateDict(), from.stateDict());
      to.dispose();
    }
    from.dispose();
  });
}

const float = fc.float({ noNaN: true });

property(
  'of any size and values',
  100,
  fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    values: fc.array(float, { minLength: 1, maxLength: 50 }),
    count: fc.maxSafeNat(),
    prefix: fc.string(),
  }),
  ({ shape, values, count, prefix }) => {
    const rows = () => new LayerNorm(an, shape);
    const channels = () => new BatchNorm(an, sizeOf(shape));
    for (const make of [rows, channels]) {
      const [from, to] = [make(), make()];
      for (const { value } of from.parameters()) {
        value.set(Float32Array.from({ length: value.length }, (_, i) => values[i % values.length]));
      }
      if (make === channels) from.numBatchesTracked = count;
      to.loadStateDict(from.stateDict(prefix), prefix);
      expectSameState(to.stateDict(), from.stateDict());
      from.dispose();
      to.dispose();
    }
  },
);
