// Masks: what is refused, what forward hands on, and what is left where nothing counts. That results
// are those without the padding is in tests/properties/mask.test.js.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { allBits, allCalls, assertRefused, bitsOf, giveOut, maskedCalls } from './support.js';

let an;
before(async () => {
  an = await load();
});

const floats = (length) => new Float32Array(length);
const isArray = (value) => value instanceof Float32Array;
const zeros = (length) => Array.from({ length }, () => 0);

/** Checks that a call with other options is refused before anything is written. */
function assertCallRefused(call, options, type, message) {
  const outs = Object.values(giveOut(call));
  Object.assign(call.options, options);
  const inputs = [call.input, ...Object.values(call.options).filter(isArray)];
  const { used } = an.memoryUsage();
  assertRefused([...outs, ...inputs], () => call.invoke(an), type, message);
  assert.equal(an.memoryUsage().used, used);
}

describe('refused', () => {
  for (const { label, again } of maskedCalls()) {
    test(`${label}: lengths beside it`, () => {
      const message = 'lengths: expected only one of mask and lengths, got both';
      assertCallRefused(again(), { lengths: [3, 2] }, TypeError, message);
    });

    test(`${label}: lengths for other arrays than sequences`, () => {
      for (const [shape, axes] of [
        [[2, 4, 3, 1], 2],
        [[6, 4], 0],
      ]) {
        const options = { shape, mask: undefined, lengths: [1, 1] };
        const message = `lengths: expected a mask for ${axes} axes beside batch and channels (lengths is for 1), got lengths`;
        const call = again();
        call.input = { data: call.input, shape };
        if ('x' in call.options) call.options.x = { data: call.options.x, shape };
        assertCallRefused(call, options, RangeError, message);
      }
    });
  }

  for (const { name, operation, again } of allCalls()) {
    if (/^(group|instance|batch)Norm/.test(operation)) continue;
    test(`${name}: a mask, which rows and weights have no use for`, () => {
      for (const [option, value] of Object.entries({ mask: [1, 1, 0, 1, 1, 1], lengths: [3, 2] })) {
        const message = `${name}: unknown option '${option}'`;
        assertCallRefused(again(), { [option]: value }, TypeError, message);
      }
    });
  }

  test('one value per channel when training, but not otherwise', () => {
    const x = Float32Array.of(1, 2, 3, 4, 5, 6);
    const options = { shape: [1, 2, 3], mask: [0, 1, 0] };
    const message =
      'x: expected more than 1 value per channel when training, got a mask that keeps 1';
    assertRefused([x], () => an.batchNorm.forward(x, options), RangeError, message);
    const running = { runningMean: Float32Array.of(1, 4), runningVar: Float32Array.of(1, 4) };
    const y = an.batchNorm(x, { ...options, ...running, eps: 0 });
    assert.deepEqual([...y], [0, 1, 0, 0, 0.5, 0]);
    assert.deepEqual([...an.instanceNorm(x, options)], zeros(6));
  });
});

describe('a mask with a shape of its own', () => {
  const x = Float32Array.from({ length: 24 }, (_, i) => i);
  const data = Uint8Array.of(1, 1, 0, 1, 1, 1, 1, 1);
  const call = (mask) => an.batchNorm.forward(x, { shape: [2, 3, 4], mask });

  test('may be that of the positions, flat, or have axes of one', () => {
    const want = call(data).y;
    for (const shape of [[2, 4], [8], [2, 1, 4]]) assert.deepEqual(call({ data, shape }).y, want);
    assert.deepEqual(call({ data, dims: [2, 4] }).y, want);
  });

  test('another one is refused', () => {
    const message = 'mask: expected shape [2, 4], got [4, 2]';
    assert.throws(() => call({ data, shape: [4, 2] }), { name: 'RangeError', message });
  });
});

describe('tensors for results that are other arguments as well are refused', () => {
  const overlapIn = (name) =>
    `${name}: expected outputs that overlap no other argument (y may be x, dx may be dy or x), got an overlap`;

  function expectOverlap(name, tensors, options) {
    const [operation, pass] = name.split('.');
    const [first] = tensors;
    const before = tensors.map(bitsOf);
    const { used } = an.memoryUsage();
    assert.throws(() => an[operation][pass](first, options), {
      name: 'RangeError',
      message: overlapIn(name),
    });
    assert.deepEqual(tensors.map(bitsOf), before);
    assert.equal(an.memoryUsage().used, used);
  }

  /** Names of tensors for options and out: { gamma: 'four' } is the tensor of four values. */
  const CASES = {
    'batchNorm.forward': [
      { gamma: 'four', out: { y: 'four' } },
      { gamma: 'four', out: { rstd: 'four' } },
      { out: { mean: 'four', rstd: 'four' } },
      { out: { mean: 'x' } },
      { out: { y: 'four', mean: 'four' } },
      { runningMean: 'x', runningVar: 'four' },
      { runningMean: 'four', runningVar: 'other', out: { y: 'other' } },
      { runningMean: 'four', runningVar: 'other', training: false, out: { y: 'four' } },
    ],
    'instanceNorm.forward': [
      { beta: 'x', out: { y: 'x' } },
      { beta: 'four', out: { mean: 'four' } },
      { out: { mean: 'four', rstd: 'four' } },
      { out: { rstd: 'x' } },
    ],
    'groupNorm.forward': [
      { groups: 4, out: { y: 'four', mean: 'four' } },
      { groups: 4, out: { mean: 'x' } },
      { groups: 1, gamma: 'four', out: { y: 'four' } },
    ],
    ...Object.fromEntries(
      ['batchNorm', 'instanceNorm', 'groupNorm'].map((operation) => [
        `${operation}.backward`,
        [
          { gamma: 'four', out: { dgamma: 'four' } },
          { gamma: 'four', out: { dbeta: 'four' }, outputs: ['dbeta'] },
          { out: { dgamma: 'four', dbeta: 'four' } },
          { out: { dx: 'four', dgamma: 'four' } },
          { mean: 'four', out: { dbeta: 'four' } },
          { rstd: 'four', out: { dx: 'four' } },
          { out: { dgamma: 'x' } },
          { out: { dbeta: 'dy' }, outputs: ['dbeta'] },
        ].map((options) => ({
          ...(operation === 'groupNorm' && { groups: 4 }),
          ...{ x: 'x', mean: 'mean', rstd: 'rstd' },
          ...options,
        })),
      ]),
    ),
  };

  for (const [name, cases] of Object.entries(CASES)) {
    test(name, () => {
      an.scope((s) => {
        const names = ['x', 'dy', 'four', 'other', 'mean', 'rstd'];
        const tensors = Object.fromEntries(
          names.map((one, k) => [one, s.tensor([1, 4], Float32Array.of(k, 1, 2, 3))]),
        );
        const named = (object) =>
          Object.fromEntries(
            Object.entries(object).map(([key, one]) => [key, tensors[one] ?? one]),
          );
        for (const { out = {}, ...options } of cases) {
          // [1] is no mask at all, and it is the kernel that refuses
          for (const mask of name === 'batchNorm.forward' ? [[0]] : [[0], [1]]) {
            const first = name.endsWith('backward') ? 'dy' : 'x';
            const all = { ...named(options), out: named(out), mask };
            expectOverlap(name, [tensors[first], ...Object.values(tensors)], all);
          }
        }
      });
    });
  }

  test('y over a part of x', () => {
    an.scope((s) => {
      const y = s.tensor([2, 2, 2], floats(8).fill(3));
      const x = new Float32Array(y.data.buffer, y.ptr + 8, 8);
      const options = { shape: [2, 2, 2], out: { y } };
      for (const mask of [undefined, [1, 1, 1, 0]]) {
        const before = bitsOf(y);
        const forward = () => an.batchNorm.forward(x, { ...options, mask });
        assert.throws(forward, { name: 'RangeError', message: overlapIn('batchNorm.forward') });
        assert.deepEqual(bitsOf(y), before);
      }
    });
  });

  test('in an example behind the first: nothing is written for that one either', () => {
    an.scope((s) => {
      const x = s.tensor([2, 2, 2], Float32Array.of(1, 2, 3, 4, 5, 6, 7, 9));
      const mean = s.tensor([4], Float32Array.of(1, 1, 1, 1));
      const gamma = mean.data.subarray(2);
      const options = { mask: [1, 1, 0, 1], gamma, out: { mean } };
      expectOverlap('instanceNorm.forward', [x, mean], options);
    });
  });
});

describe('forward hands on', () => {
  for (const { label, operation, again } of maskedCalls().filter((one) => one.pass === 'forward')) {
    test(`${label}: the mask as it was given, to backward`, () => {
      const dy = Float32Array.from({ length: 24 }, (_, i) => Math.sin(i));
      for (const given of [{ mask: [1, 1, 1, 1, 0, 0] }, { lengths: [3, 1] }]) {
        const call = again();
        Object.assign(call.options, { mask: undefined }, given);
        const f = call.invoke(an);
        for (const [name, value] of Object.entries(given)) assert.equal(f[name], value);
        assert.equal('mask' in f && 'lengths' in f, false);
        const { gamma } = call.options;
        const { dx, dbeta } = an[operation].backward(dy, { ...f, x: call.input, gamma });
        const isPadding = (i) => i >= 12 && i % 3 > 0;
        assert.ok(dx.every((value, i) => value === 0 || !isPadding(i)));
        const sum = dy.reduce(
          (total, v, i) => (i % 12 < 3 && !isPadding(i) ? total + v : total),
          0,
        );
        assert.ok(Math.abs(dbeta[0] - sum) < 1e-6);
      }
    });
  }

  test('no mask where there is none', () => {
    const { mask, lengths, ...f } = an.instanceNorm.forward(floats(6), { shape: [1, 2, 3] });
    assert.deepEqual([mask, lengths], [undefined, undefined]);
    assert.ok(!('mask' in an.batchNorm.forward(floats(6), { shape: [1, 2, 3] })) && f.y);
  });

  test('how many values a channel of BatchNorm has', () => {
    for (const [mask, count] of [
      [[1, 1, 0, 1, 0, 0], 3],
      [zeros(6), 0],
      [zeros(6).fill(1), 6],
    ]) {
      assert.equal(an.batchNorm.forward(floats(24), { shape: [2, 4, 3], mask }).count, count);
    }
  });
});

describe('where nothing counts', () => {
  const bad = () => new Float32Array(24).fill(NaN);

  test('BatchNorm: zeros; running statistics stay', () => {
    const running = { runningMean: Float32Array.of(1, 2, 3, 4), runningVar: floats(4).fill(2) };
    const options = { shape: [2, 4, 3], lengths: [0, 0] };
    const f = an.batchNorm.forward(bad(), { ...options, ...running });
    assert.deepEqual([...f.y, ...f.mean, ...f.rstd], zeros(32));
    assert.equal(f.skippedChannels, 0);
    assert.deepEqual([...running.runningMean, ...running.runningVar], [1, 2, 3, 4, 2, 2, 2, 2]);
    const { dx, dgamma, dbeta } = an.batchNorm.backward(bad(), { ...f, x: bad() });
    assert.deepEqual([...dx, ...dgamma, ...dbeta], zeros(32));
    assert.deepEqual([...an.batchNorm(bad(), { ...options, ...running })], zeros(24));
  });

  test('GroupNorm: zeros, of examples and of all; sums that are added to stay', () => {
    for (const lengths of [
      [0, 0],
      [3, 0],
    ]) {
      const x = bad().fill(7, 0, 12);
      const f = an.groupNorm.forward(x, { shape: [2, 4, 3], groups: 2, lengths });
      assert.deepEqual([...f.mean], [...zeros(2).fill(lengths[0] && 7), 0, 0]);
      assert.ok(f.rstd.every((value, set) => value > 0 === (lengths[0] > 0 && set < 2)));
      assert.deepEqual([...f.y], zeros(24));
    }
    const f = an.groupNorm.forward(bad(), { shape: [2, 4, 3], groups: 2, lengths: [0, 0] });
    const out = { dgamma: floats(4).fill(3), dbeta: floats(4).fill(4) };
    an.groupNorm.backward(bad(), { ...f, x: bad(), out, accumulate: true });
    assert.deepEqual([...out.dgamma, ...out.dbeta], [3, 3, 3, 3, 4, 4, 4, 4]);
    an.groupNorm.backward(bad(), { ...f, x: bad(), out });
    assert.deepEqual([...out.dgamma, ...out.dbeta], zeros(8));
  });
});

test('a mask may be a tensor, and change between calls', () => {
  an.scope((s) => {
    const mask = s.tensor([2, 3], Float32Array.of(1, 0, 1, 1, 1, 1));
    const [call] = maskedCalls();
    call.options.mask = mask;
    const first = allBits(call, call.invoke(an));
    call.options.mask = [1, 0, 1, 1, 1, 1];
    assert.deepEqual(allBits(call, call.invoke(an)), first);
    call.options.mask = mask;
    mask.data[0] = 0;
    assert.notDeepEqual(allBits(call, call.invoke(an)), first);
  });
});
