// Moments of parts are those of the whole, in any order and split.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Moments } from '../../js/layers/index.js';
import { statistics } from '../accuracy/reference.js';
import { property } from '../properties/property.js';
import { batches, batchOf } from './batches.js';
import { builds } from './support.js';

/** Half a unit of float64. */
const U = 2 ** -53;

/**
 * What float64 allows: a mean is off by a few roundings of the largest value for each part, and m2 by
 * what such an error makes of it, and by the roundings of its sum.
 */
function expectMoments(got, { whole, axes, label }, parts) {
  const { count, mean, variance } = statistics(axes, whole.x, { eps: 0 });
  const largest = whole.x.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  assert.equal(got.mean.length, axes.channels);
  for (let c = 0; c < axes.channels; c += 1) {
    const n = count[c];
    const m2 = n * variance[c];
    assert.equal(got.n, n, `${label}: n`);
    const off = 4 * (parts + 1) * U * largest;
    const error = Math.abs(got.mean[c] - mean[c]);
    assert.ok(error <= off, `${label}: mean[${c}]: expected ${mean[c]}, got ${got.mean[c]}`);
    const allowed =
      4 * (parts + 1 + Math.sqrt(n)) * U * m2 + 2 * off * Math.sqrt(n * m2) + n * off ** 2;
    const rest = Math.abs(got.m2[c] - m2);
    assert.ok(rest <= allowed, `${label}: m2[${c}]: expected ${m2} ± ${allowed}, got ${got.m2[c]}`);
  }
}

const partsOf = ({ chunks, where }) =>
  chunks.map(({ x, shape }) => Moments.of(x, { shape, ...where }));

/** A random order of merging: two of the list at a time, until one is left. */
function mergeByTurns(parts, turns) {
  const left = parts.slice();
  for (let turn = 0; left.length > 1; turn += 1) {
    const take = () => left.splice(turns[turn % turns.length] % left.length, 1)[0];
    left.push(take().merge(take()));
  }
  return left[0];
}

const manyBatches = batches({ most: 12, least: 1 });

property('of one chunk', 200, manyBatches, (drawn) => {
  const batch = batchOf(drawn);
  const { x, shape } = batch.whole;
  expectMoments(Moments.of(x, { shape, ...batch.where }), batch, 0);
});

property(
  'of any split, in any order',
  300,
  fc.record({
    drawn: manyBatches,
    turns: fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }),
  }),
  ({ drawn, turns }) => {
    const batch = batchOf(drawn);
    const parts = partsOf(batch);
    expectMoments(Moments.merge(parts), batch, parts.length);
    expectMoments(Moments.merge(parts.toReversed()), batch, parts.length);
    expectMoments(mergeByTurns(parts, turns), batch, parts.length);
  },
);

property('of single values', 60, batches({ most: 3, least: 1 }), (drawn) => {
  const batch = batchOf(drawn);
  const { whole, channels, axes } = batch;
  const n = whole.x.length / channels;
  const values = Array.from({ length: channels }, (_, c) =>
    whole.x.filter((_, i) => axes.channel[i] === c),
  );
  const parts = Array.from({ length: n }, (_, i) =>
    Moments.of(
      Float32Array.from(values, (own) => own[i]),
      { shape: [1, channels] },
    ),
  );
  expectMoments(Moments.merge(parts), batch, n);
});

property('as an array, and back', 60, batches(), (drawn) => {
  const batch = batchOf(drawn);
  for (const part of partsOf(batch)) {
    const array = part.toArray();
    assert.equal(array.length, 1 + 2 * batch.channels);
    const copy = Moments.fromArray(structuredClone(array));
    assert.deepEqual(copy, part);
    array.fill(9);
    assert.deepEqual(copy, part, 'nothing is shared');
  }
});

describe('parts', () => {
  const some = Moments.of(Float32Array.of(1, 5, 3, 9), { shape: [2, 2] });
  const none = Moments.of(new Float32Array(0), { shape: [0, 2] });

  test('that are empty', () => {
    assert.deepEqual(none, new Moments(0, new Float64Array(2), new Float64Array(2)));
    for (const merged of [some.merge(none), none.merge(some), Moments.merge([none, some, none])]) {
      assert.deepEqual(merged, some);
    }
    assert.deepEqual(Moments.merge([none, none]), none);
  });

  test('of one value have no variance, and an equal one adds none', () => {
    const one = Moments.of(Float32Array.of(0.1, 1e6), { shape: [1, 2] });
    assert.deepEqual([one.n, ...one.m2], [1, 0, 0]);
    const three = Moments.merge([one, one, one]);
    assert.deepEqual(three.mean, one.mean);
    assert.deepEqual([three.n, ...three.m2], [3, 0, 0]);
  });

  test('1e6 - 1, 1e6 and 1e6 + 1 have a variance of 2 / 3', () => {
    const parts = [-1, 0, 1].map((d) => Moments.of(Float32Array.of(1e6 + d), { shape: [1, 1] }));
    const { n, mean, m2 } = Moments.merge(parts);
    assert.deepEqual([n, mean[0], m2[0]], [3, 1e6, 2]);
  });

  test('variance, biased and not', () => {
    assert.deepEqual([...some.mean, ...some.m2], [2, 7, 2, 8]);
    assert.deepEqual([...some.variance()], [1, 4]);
    assert.deepEqual([...some.variance('biased')], [1, 4]);
    assert.deepEqual([...some.variance('unbiased')], [2, 8]);
  });

  test('that are not finite spoil their channel alone', () => {
    for (const value of [NaN, Infinity]) {
      const spoilt = Moments.of(Float32Array.of(value, 7), { shape: [1, 2] });
      for (const merged of [some.merge(spoilt), spoilt.merge(some)]) {
        assert.equal(merged.n, 3);
        assert.ok(Number.isNaN(merged.m2[0]));
        assert.deepEqual([merged.mean[1], merged.m2[1]], [7, 8]);
      }
    }
  });

  test('of tensors and of objects with a shape', () => {
    const x = Float32Array.of(1, 5, 3, 9);
    const tensor = builds[0].tensor([2, 2], x);
    for (const form of [tensor, { data: x, shape: [2, 2] }, { data: x, dims: [2, 2] }]) {
      assert.deepEqual(Moments.of(form), some);
    }
    tensor.dispose();
  });
});

describe('refused', () => {
  const two = Moments.of(new Float32Array(4), { shape: [2, 2] });
  const three = Moments.of(new Float32Array(3), { shape: [1, 3] });
  const f64 = (length) => new Float64Array(length);
  const of = (x, options) => () => Moments.of(x, options);

  for (const [call, type, message] of [
    [of([1], { shape: [1, 1] }), 'TypeError', /^x: expected Float32Array, .* got Array$/],
    [of(new Float32Array(4)), 'TypeError', 'shape: expected the shape of x, got undefined'],
    [
      of(new Float32Array(4), { shape: [3, 2] }),
      'RangeError',
      'x: expected length 6 for shape [3, 2], got 4',
    ],
    [
      of(new Float32Array(4), { shape: [4] }),
      'RangeError',
      'x: expected a batch axis and a channel axis, got shape [4]',
    ],
    [
      of({ data: new Float32Array(6), shape: [2, 3] }, { shape: [3, 2] }),
      'RangeError',
      'shape: expected [2, 3] as x has, got [3, 2]',
    ],
    [
      of(new Float32Array(4), { shape: [2, 2], eps: 1 }),
      'TypeError',
      "Moments.of: unknown option 'eps'",
    ],
    [of(new Float32Array(4), { shape: [2, 2], layout: 'NCL' }), 'RangeError', /^layout: /],
    [() => two.merge(three), 'RangeError', 'merge: expected 2 channels, got 3'],
    [() => two.merge({ n: 1 }), 'TypeError', 'merge: expected Moments, got Object'],
    [() => Moments.merge([{ n: 1 }]), 'TypeError', 'merge: expected Moments, got Object'],
    [() => Moments.merge([two, 1]), 'TypeError', 'merge: expected Moments, got 1'],
    [
      () => Moments.merge([]),
      'TypeError',
      'Moments.merge: expected a list of at least one Moments, got Array',
    ],
    [() => Moments.merge(two), 'TypeError', /got Moments$/],
    [() => two.variance('n'), 'RangeError', "estimate: expected 'biased' or 'unbiased', got 'n'"],
    [
      () => Moments.fromArray(f64(4)),
      'TypeError',
      'fromArray: expected a Float64Array of 1 + 2 channels values, got Float64Array',
    ],
    [() => Moments.fromArray([1, 2, 3]), 'TypeError', /^fromArray: .* got Array$/],
    [
      () => Moments.fromArray(Float64Array.of(-1, 0, 0)),
      'RangeError',
      'n: expected a whole number >= 0, got -1',
    ],
    [
      () => new Moments(1.5, f64(1), f64(1)),
      'RangeError',
      'n: expected a whole number >= 0, got 1.5',
    ],
    [() => new Moments(1, [0], f64(1)), 'TypeError', 'mean: expected a Float64Array, got Array'],
    [() => new Moments(1, f64(1), [0]), 'TypeError', 'm2: expected a Float64Array, got Array'],
    [() => new Moments(1, f64(1), f64(2)), 'RangeError', 'm2: expected length 1, got 2'],
  ]) {
    test(`${message}`, () => assert.throws(call, { name: type, message }));
  }
});
