// Tensors: their values, their shape, and their end.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { allCalls, callOf } from './support.js';

let an;
before(async () => {
  an = await load();
});

/** Makes the memory grow, which detaches every view of it. */
function grow() {
  const { total } = an.memoryUsage();
  an.tensor([total / 4]).dispose();
  assert.ok(an.memoryUsage().total > total, 'the memory did not grow');
}

test('a shape given to one call is forgotten by the next', () => {
  const t = an.tensor(
    12,
    Float32Array.from({ length: 12 }, (_, i) => i * i),
  );
  const y = an.tensor(12);
  an.layerNorm(t, { shape: [3, 4], out: y });
  assert.deepEqual(an.layerNorm.forward(t).normalizedShape, [12]);
  t.dispose();
  y.dispose();
});

test('shape and length are not to be assigned', () => {
  const t = an.tensor([2, 3]);
  for (const name of ['shape', 'length']) {
    assert.throws(() => {
      t[name] = [3, 2];
    }, TypeError);
  }
  assert.deepEqual([t.shape, t.length], [[2, 3], 6]);
  t.dispose();
});

describe('making', () => {
  test('zeros where there are no values, also in memory that was used before', () => {
    const used = an.tensor([64], new Float32Array(64).fill(7));
    used.dispose();
    const t = an.tensor([64]);
    assert.ok(t.data.every((value) => Object.is(value, 0)));
    t.dispose();
  });

  for (const [name, shape, want, length] of [
    ['a number', 3, [3], 3],
    ['a list', [2, 3], [2, 3], 6],
    ['a typed array', Int32Array.of(2, 3), [2, 3], 6],
    ['no axes', [], [], 1],
    ['an empty axis', [0, 4], [0, 4], 0],
  ]) {
    test(`the shape is ${name}`, () => {
      const t = an.tensor(shape);
      assert.deepEqual([t.shape, t.length, t.data.length], [want, length, length]);
      t.dispose();
    });
  }

  test('the shape is a copy that nobody can change', () => {
    const shape = [2, 3];
    const t = an.tensor(shape);
    shape[0] = 9;
    assert.deepEqual(t.shape, [2, 3]);
    assert.throws(() => t.shape.push(1), TypeError);
    t.dispose();
  });

  test('values come from any kind of array', () => {
    const floats = Float32Array.of(1, 2, 3);
    const t = an.tensor([3], floats);
    for (const source of [t, { data: floats, dims: [3] }, t.data]) {
      const copy = an.tensor([3], source);
      assert.deepEqual([...copy.data], [1, 2, 3]);
      copy.data[0] = 9;
      assert.deepEqual([...floats, ...t.data], [1, 2, 3, 1, 2, 3]);
      copy.dispose();
    }
    t.dispose();
  });

  test('values come from a view that growth detaches in between', () => {
    const { total } = an.memoryUsage();
    const t = an.tensor([total / 4]);
    t.data.fill(5);
    const before = an.memoryUsage().total;
    const copy = an.tensor(t.shape, t.data);
    assert.ok(an.memoryUsage().total > before, 'the memory did not grow');
    assert.ok(copy.data.every((value) => value === 5));
    t.dispose();
    copy.dispose();
  });

  for (const [name, args, error, message] of [
    ['a negative size', [[-1]], RangeError, /^shape: expected whole numbers .* got \[-1\]$/],
    ['half a size', [[1.5]], RangeError, /^shape: expected whole numbers .* got \[1.5\]$/],
    ['no shape', [], TypeError, /^shape: expected a list of sizes, got undefined$/],
    ['a string', ['3'], TypeError, /^shape: expected a list of sizes, got '3'$/],
    ['too many values', [[2 ** 16, 2 ** 15]], RangeError, /^shape: expected at most 1073741824 /],
    [
      'values that do not fit',
      [[2, 2], new Float32Array(3)],
      RangeError,
      /^data: expected length 4 for shape \[2, 2\], got 3$/,
    ],
    ['a list of values', [[2], [1, 2]], TypeError, /^data: expected Float32Array, .* got Array$/],
    ['null for values', [[2], null], TypeError, /^data: expected Float32Array, .* got null$/],
  ]) {
    test(`refused: ${name}`, () => {
      const { used } = an.memoryUsage();
      assert.throws(() => an.tensor(...args), { name: error.name, message });
      an.scope((s) => assert.throws(() => s.tensor(...args), { name: error.name, message }));
      assert.equal(an.memoryUsage().used, used);
    });
  }
});

describe('values', () => {
  test('data is the memory itself, set copies in, slice copies out', () => {
    const t = an.tensor([2]);
    assert.equal(t.set(Float32Array.of(1, 3)), t);
    an.layerNorm(t, { eps: 0, out: t });
    const copy = t.slice();
    assert.deepEqual([...t.data], [-1, 1]);
    assert.notEqual(copy.buffer, t.data.buffer);
    t.data[0] = 5;
    assert.deepEqual([...t.data, ...copy], [5, 1, -1, 1]);
    assert.equal(t.data, t.data, 'the same view as long as it is good');
    t.dispose();
  });

  test('data is good again after growth', () => {
    const t = an.tensor([3], Float32Array.of(1, 2, 3));
    const old = t.data;
    grow();
    assert.equal(old.length, 0);
    assert.deepEqual([...t.data], [1, 2, 3]);
    t.data[1] = 7;
    assert.deepEqual([...t.slice()], [1, 7, 3]);
    t.dispose();
  });

  test('set refuses what does not fit', () => {
    const t = an.tensor([2], Float32Array.of(1, 2));
    assert.throws(() => t.set(new Float32Array(3)), {
      name: 'RangeError',
      message: 'source: expected length 2, got 3',
    });
    assert.throws(() => t.set([1, 2]), {
      name: 'TypeError',
      message: /^source: expected .* Array$/,
    });
    assert.deepEqual([...t.data], [1, 2]);
    t.dispose();
  });

  test('set takes the tensor of another build', async () => {
    const scalar = await load({ build: 'scalar' });
    const source = scalar.tensor([2], Float32Array.of(1, 2));
    const t = an.tensor([2]).set(source);
    assert.deepEqual([...t.data], [1, 2]);
    t.dispose();
    source.dispose();
  });
});

describe('after dispose', () => {
  const error = { name: 'ReferenceError', message: 'tensor: used after it was freed' };
  const freed = () => {
    const t = an.tensor([2, 4, 3]);
    t.dispose();
    return t;
  };

  test('nothing but its shape can be read, and nothing written', () => {
    const t = freed();
    assert.throws(() => t.data, error);
    assert.throws(() => t.slice(), error);
    assert.throws(() => t.set(new Float32Array(24)), error);
    assert.throws(() => an.tensor([24], t), error);
    assert.deepEqual(t.shape, [2, 4, 3]);
  });

  test('once more does nothing', () => {
    const t = freed();
    const other = an.tensor([2, 4, 3]);
    const { used } = an.memoryUsage();
    t.dispose();
    assert.equal(an.memoryUsage().used, used);
    other.dispose();
  });

  test('an operation refuses it though it has used it before', () => {
    const t = an.tensor([2, 4], Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    an.layerNorm(t, { out: t });
    t.dispose();
    assert.throws(() => an.layerNorm(t, { out: t }), error);
  });

  for (const { name, operation, pass } of allCalls()) {
    test(`${name} refuses it as any argument`, () => {
      const call = callOf(operation, pass);
      call.input = freed();
      assert.throws(() => call.invoke(an), error);
      for (const option of Object.keys(call.options)) {
        if (!(call.options[option] instanceof Float32Array)) continue;
        const other = callOf(operation, pass);
        other.options[option] = freed();
        assert.throws(() => other.invoke(an), error, option);
      }
      for (const output of Object.keys(call.outLengths)) {
        const other = callOf(operation, pass);
        other.options.out = pass === 'infer' ? freed() : { [output]: freed() };
        assert.throws(() => other.invoke(an), error, output);
      }
    });
  }
});
