// A batch in chunks is normalized as the batch in one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addSums,
  chunkGradient,
  chunkSums,
  Moments,
  normalizeChunk,
} from '../../js/layers/index.js';
import { sameBits } from '../helpers/bits.js';
import { property, reportErrors } from '../properties/property.js';
import {
  batches,
  batchOf,
  EXACT,
  expectUnits,
  joined,
  settingsOf,
  USUAL,
  wholeOf,
} from './batches.js';
import { builds } from './support.js';

/** y, dx and the gradients of the parameters, chunk by chunk. */
function inChunks({ chunks, where }, { gamma, beta, eps }) {
  const moments = Moments.merge(chunks.map(({ x, shape }) => Moments.of(x, { shape, ...where })));
  const options = chunks.map(({ shape }) => ({ shape, ...where, gamma, eps }));
  const y = chunks.map(({ x }, k) => normalizeChunk(x, moments, { ...options[k], beta }));
  const sums = addSums(chunks.map(({ dy, x }, k) => chunkSums(dy, x, moments, options[k])));
  const dx = chunks.map(({ dy, x }, k) => chunkGradient(dy, x, moments, sums, options[k]));
  return { y: joined(y), dx: joined(dx), dgamma: sums.dyXhat, dbeta: sums.dy };
}

for (const an of builds) {
  property(
    `${an.build}: within the units of one call, and 1 of an exact one`,
    150,
    batches(),
    (drawn) => {
      const batch = batchOf(drawn);
      const settings = settingsOf(batch);
      const got = inChunks(batch, settings);
      expectUnits(got, wholeOf(an, batch, settings, {}), batch, settings, USUAL);
      expectUnits(got, wholeOf(an, batch, settings, { exact: true }), batch, settings, EXACT);
    },
  );
}

reportErrors('chunks');

const shape = [3, 2];
const x = Float32Array.of(1, 10, 2, 20, 3, 60);
const dy = Float32Array.of(1, -1, 0.5, 2, 0, 1);
const moments = Moments.of(x, { shape });
const sums = chunkSums(dy, x, moments, { shape });
const gamma = Float32Array.of(2, -3);
const beta = Float32Array.of(0.5, 1);

describe('without parameters they count as ones and zeros', () => {
  const [ones, zeros] = [Float32Array.of(1, 1), new Float32Array(2)];

  test('normalizeChunk', () => {
    const full = normalizeChunk(x, moments, { shape, gamma: ones, beta: zeros, eps: 1e-5 });
    sameBits(normalizeChunk(x, moments, { shape }), full, 'y');
  });

  test('chunkSums and chunkGradient', () => {
    const options = { shape, gamma: ones, eps: 1e-5 };
    assert.deepEqual(chunkSums(dy, x, moments, options), sums);
    const full = chunkGradient(dy, x, moments, sums, options);
    sameBits(chunkGradient(dy, x, moments, sums, { shape }), full, 'dx');
  });
});

test('results go to out, which may be x or dy', () => {
  const y = normalizeChunk(x, moments, { shape, gamma, beta });
  const dx = chunkGradient(dy, x, moments, sums, { shape, gamma });
  for (const [want, input, run] of [
    [y, x, (out) => normalizeChunk(out, moments, { shape, gamma, beta, out })],
    [dx, dy, (out) => chunkGradient(out, x, moments, sums, { shape, gamma, out })],
    [dx, x, (out) => chunkGradient(dy, out, moments, sums, { shape, gamma, out })],
  ]) {
    const out = input.slice();
    assert.equal(run(out), out);
    sameBits(out, want, 'out');
  }
});

test('a constant channel gives beta, also with eps 0, as in the functions', () => {
  const constant = Float32Array.of(0.1, 1, 0.1, 2, 0.1, 3);
  const own = Moments.of(constant, { shape });
  for (const eps of [1e-5, 0]) {
    const y = normalizeChunk(constant, own, { shape, gamma, beta, eps });
    const f = builds[0].batchNorm.forward(constant, { shape, gamma, beta, eps, exact: true });
    for (const i of [0, 2, 4]) assert.equal(y[i], beta[0]);
    const part = chunkSums(dy, constant, own, { shape, eps });
    const dx = chunkGradient(dy, constant, own, part, { shape, gamma, eps });
    const want = builds[0].batchNorm.backward(dy, { ...f, x: constant, gamma, exact: true });
    for (const i of [0, 2, 4]) if (eps === 0) assert.equal(dx[i], want.dx[i]);
    assert.equal(part.dyXhat[0], want.dgamma[0]);
  }
});

describe('an out that overlaps what is read', () => {
  const buffer = Float32Array.from({ length: 12 }, (_, i) => i * i);
  const [at, beside] = [buffer.subarray(0, 8), buffer.subarray(1, 9)];
  const other = Float32Array.from({ length: 8 }, (_, i) => i % 3);
  const options = { shape: [4, 2] };
  const moments = Moments.of(at, options);
  const sums = chunkSums(other, at, moments, options);
  const parameter = beside.subarray(2, 4);
  const calls = {
    x: () => normalizeChunk(at, moments, { ...options, out: beside }),
    gamma: () => normalizeChunk(other, moments, { ...options, gamma: parameter, out: beside }),
    beta: () => normalizeChunk(other, moments, { ...options, beta: parameter, out: beside }),
    dy: () => chunkGradient(at, other, moments, sums, { ...options, out: beside }),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(name, () => {
      const before = buffer.slice();
      const message = `out: expected memory apart from that of ${name}, got an overlap`;
      assert.throws(call, { name: 'RangeError', message });
      assert.deepEqual(buffer, before);
    });
  }
});

describe('refused', () => {
  const other = Moments.of(new Float32Array(6), { shape: [2, 3] });
  const call = {
    normalizeChunk: (change) => normalizeChunk(x, moments, { shape, ...change }),
    chunkSums: (change) => chunkSums(dy, x, moments, { shape, ...change }),
    chunkGradient: (change) => chunkGradient(dy, x, moments, sums, { shape, ...change }),
  };

  for (const [name, run] of Object.entries(call)) {
    for (const [change, type, message] of [
      [{ shape: undefined }, 'TypeError', 'shape: expected the shape of x, got undefined'],
      [{ shape: [2, 2] }, 'RangeError', 'x: expected length 4 for shape [2, 2], got 6'],
      [{ shape: [2, 3] }, 'RangeError', 'moments: expected 3 channels, got 2'],
      [{ gamma: x }, 'RangeError', 'gamma: expected length 2, got 6'],
      [{ eps: -1 }, 'RangeError', 'eps: expected a finite number >= 0, got -1'],
      [{ out: new Float32Array(5) }, 'RangeError', 'out: expected length 6, got 5'],
      [{ out: [] }, 'TypeError', /^out: expected Float32Array, .* got Array$/],
      [{ layout: 'NCL' }, 'RangeError', /^layout: /],
      [{ weight: gamma }, 'TypeError', `${name}: unknown option 'weight', did you mean 'gamma'?`],
    ]) {
      test(`${name}: ${message}`, () => {
        assert.throws(() => run(change), { name: type, message });
      });
    }
  }

  for (const [label, run, type, message] of [
    [
      'moments that are none',
      () => normalizeChunk(x, {}, { shape }),
      'TypeError',
      'moments: expected Moments, got Object',
    ],
    [
      'those of other channels',
      () => normalizeChunk(x, other, { shape }),
      'RangeError',
      'moments: expected 2 channels, got 3',
    ],
    [
      'a beta that does not fit',
      () => call.normalizeChunk({ beta: x }),
      'RangeError',
      'beta: expected length 2, got 6',
    ],
    [
      'a dy that does not fit',
      () => chunkSums(gamma, x, moments, { shape }),
      'RangeError',
      'dy: expected length 6, got 2',
    ],
    [
      'nor in chunkGradient',
      () => chunkGradient(gamma, x, moments, sums, { shape }),
      'RangeError',
      'dy: expected length 6, got 2',
    ],
    [
      'no sums',
      () => chunkGradient(dy, x, moments, undefined, { shape }),
      'RangeError',
      'sums.dy: expected length 2, got undefined',
    ],
    [
      'sums of other channels',
      () => chunkGradient(dy, x, moments, { dy: [0, 0], dyXhat: [0] }, { shape }),
      'RangeError',
      'sums.dyXhat: expected length 2, got 1',
    ],
  ]) {
    test(label, () => assert.throws(run, { name: type, message }));
  }
});
