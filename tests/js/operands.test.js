// Every kind of array is taken alike, wherever its memory is.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { load } from '../../js/index.js';
import { allBits, bitsOf, everyCall, giveOut, resultsOf } from './support.js';

let an;
let scalar;
before(async () => {
  an = await load();
  scalar = await load({ build: 'scalar' });
});

const isArray = (value) => value instanceof Float32Array;

/** As the package of this name makes them; tests/docs has the real ones. */
const ndarray = (data, shape, stride, offset = 0) => ({ data, shape, stride, offset });
const rowMajor = (shape) =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));

/** Float32 values of other shapes and origins: (values, shape) -> what is passed. */
const KINDS = {
  'a view at an odd offset': (values) => {
    const memory = new Float32Array(values.length + 5).fill(NaN);
    memory.set(values, 3);
    return memory.subarray(3, 3 + values.length);
  },
  'an array of another realm': (values) => {
    const array = runInNewContext('(values) => Float32Array.from(values)')([...values]);
    assert.ok(!isArray(array));
    return array;
  },
  'an array on shared memory': (values) => {
    const array = new Float32Array(new SharedArrayBuffer(values.byteLength));
    array.set(values);
    return array;
  },
  '{ data, dims }': (values, shape) => ({ data: values, dims: shape, type: 'float32' }),
  '{ data, shape }': (values, shape) => ({ data: values, shape: Int32Array.from(shape) }),
  'a row-major ndarray': (values, shape) => ndarray(values, shape, rowMajor(shape)),
};

/** The same values in another kind; arrays of parameters have one axis. */
const convert = (call, make) => {
  const { shape } = call.options;
  const to = (values) => make(values, values.length === 24 ? shape : [values.length]);
  call.input = to(call.input);
  for (const [name, value] of Object.entries(call.options)) {
    if (isArray(value)) call.options[name] = to(value);
  }
};

describe('arrays', () => {
  for (const [kind, make] of Object.entries(KINDS)) {
    for (const { label, again } of everyCall()) {
      test(`${label}: ${kind}`, () => {
        const plain = again();
        const want = allBits(plain, plain.invoke(an));
        const call = again();
        convert(call, make);
        assert.deepEqual(allBits(call, call.invoke(an)), want);
      });

      test(`${label}: ${kind} for results`, () => {
        const plain = again();
        const want = allBits(plain, plain.invoke(an));
        const call = again();
        const outs = giveOut(call, (length) =>
          make(new Float32Array(length), length === 24 ? call.options.shape : [length]),
        );
        const results = resultsOf(call, call.invoke(an));
        for (const output of Object.keys(outs)) {
          assert.equal(results[output], outs[output], 'not what was given');
          const floats = ArrayBuffer.isView(outs[output]) ? outs[output] : outs[output].data;
          assert.deepEqual(bitsOf(Float32Array.from(floats)), want[output]);
        }
      });
    }
  }

  test('a view in another order is refused before anything is written', () => {
    const views = [
      [ndarray(new Float32Array(6), [3, 2], [1, 3]), 'strides [1, 3]'],
      [ndarray(new Float32Array(6), [3, 2], [2, 1], 1), 'offset 1'],
      [ndarray(new Float32Array(6), [3, 2], 2), 'strides 2'],
      [ndarray(new Float32Array(6), [3, 2], undefined, '0'), "offset '0'"],
    ];
    const out = new Float32Array(6).fill(9);
    for (const [view, got] of views) {
      const message = `x: expected row-major values from offset 0, got ${got}; copy the view first, as assign of ndarray-ops does`;
      assert.throws(() => an.layerNorm(view, { out }), { name: 'RangeError', message });
    }
    assert.deepEqual([...out], [9, 9, 9, 9, 9, 9]);
  });

  test('an object brings its own shape', () => {
    const x = { data: Float32Array.of(1, 3, 2, 6), dims: [2, 2] };
    assert.deepEqual([...an.layerNorm(x, { eps: 0 })], [-1, 1, -1, 1]);
    assert.deepEqual([...an.layerNorm(x, { eps: 0, shape: [2, 2] })], [-1, 1, -1, 1]);
  });

  test('the values around a view stay as they are', () => {
    const memory = new Float32Array(12).fill(9);
    const view = memory.subarray(5, 9);
    an.layerNorm(Float32Array.of(1, 3, 1, 3), { normalizedShape: 2, eps: 0, out: view });
    assert.deepEqual([...memory], [9, 9, 9, 9, 9, -1, 1, -1, 1, 9, 9, 9]);
  });

  test('an array whose memory was transferred is refused, not taken for an empty one', () => {
    const x = new Float32Array(4);
    structuredClone(x.buffer, { transfer: [x.buffer] });
    assert.throws(() => an.groupNorm(x, { shape: [0, 4, 2], groups: 2 }), {
      name: 'TypeError',
      message: /^x: expected Float32Array, .*, got an array whose memory was taken away$/,
    });
  });

  test('a parameter may have axes of size 1', () => {
    const x = { data: Float32Array.of(1, 3, 1, 3), dims: [1, 2, 2] };
    const gamma = { data: Float32Array.of(2, 3), dims: [1, 2, 1] };
    assert.deepEqual([...an.instanceNorm(x, { gamma, eps: 0 })], [-2, 2, -3, 3]);
  });
});

describe('tensors', () => {
  for (const { label, again } of everyCall()) {
    test(`${label}: tensors give tensors with the same bits`, () => {
      const plain = again();
      const want = allBits(plain, plain.invoke(an));
      an.scope((s) => {
        const call = again();
        convert(call, (values, shape) => s.tensor(shape, values));
        const result = call.invoke(an);
        for (const [output, tensor] of Object.entries(resultsOf(call, result))) {
          assert.equal(tensor.constructor.name, 'Tensor', output);
          const length = call.outLengths[output];
          assert.deepEqual(tensor.shape, length === 24 ? call.options.shape : [length], output);
        }
        assert.deepEqual(allBits(call, result), want);
      });
    });

    test(`${label}: only the first argument a tensor`, () => {
      const plain = again();
      const want = allBits(plain, plain.invoke(an));
      an.scope((s) => {
        const call = again();
        call.input = s.tensor(call.options.shape, call.input);
        const result = call.invoke(an);
        assert.ok(Object.values(resultsOf(call, result)).every(({ ptr }) => ptr > 0));
        assert.deepEqual(allBits(call, result), want);
      });
    });

    test(`${label}: all but the first argument tensors`, () => {
      const plain = again();
      const want = allBits(plain, plain.invoke(an));
      an.scope((s) => {
        const call = again();
        const { input } = call;
        convert(call, (values, shape) => s.tensor(shape, values));
        call.input = input;
        const result = call.invoke(an);
        assert.ok(Object.values(resultsOf(call, result)).every(isArray));
        assert.deepEqual(allBits(call, result), want);
      });
    });

    test(`${label}: tensors for the results of arrays, and the reverse`, () => {
      const plain = again();
      const want = allBits(plain, plain.invoke(an));
      an.scope((s) => {
        for (const isTensor of [true, false]) {
          const call = again();
          if (!isTensor) call.input = s.tensor(call.options.shape, call.input);
          const outs = giveOut(call, (n) => (isTensor ? s.tensor([n]) : new Float32Array(n)));
          const result = call.invoke(an);
          for (const [output, given] of Object.entries(outs)) {
            assert.equal(resultsOf(call, result)[output], given);
          }
          assert.deepEqual(allBits(call, result), want);
        }
      });
    });

    test(`${label}: a tensor of another build is refused`, () => {
      const call = again();
      const tensor = scalar.tensor(call.options.shape, call.input);
      const message = `${call.first}: expected a Tensor of this build, got one of another`;
      call.input = tensor;
      assert.throws(() => call.invoke(an), { name: 'TypeError', message });
      tensor.dispose();
    });
  }

  test('a view of the data of a tensor is an input like any other', () => {
    an.scope((s) => {
      const t = s.tensor([2, 2], Float32Array.of(1, 3, 5, 7));
      const y = an.layerNorm(t.data.subarray(2), { normalizedShape: 2, eps: 0 });
      assert.deepEqual([...y], [-1, 1]);
      assert.deepEqual([...t.data], [1, 3, 5, 7]);
    });
  });

  test('a view of the data of a tensor survives growth within the call', () => {
    an.scope((s) => {
      const gamma = s.tensor([4], Float32Array.of(1, 2, 3, 4)).data;
      const { total } = an.memoryUsage();
      const x = new Float32Array(total / 4).fill(1);
      x.forEach((_, i) => {
        x[i] = i % 4;
      });
      const y = an.layerNorm(x, { gamma });
      assert.ok(an.memoryUsage().total > total, 'the memory did not grow');
      const want = an.layerNorm(x.subarray(0, 4), { gamma: Float32Array.of(1, 2, 3, 4) });
      assert.deepEqual(bitsOf(y.subarray(-4)), bitsOf(want));
    });
  });

  test('a view of the data of a tensor is no output', () => {
    an.scope((s) => {
      const t = s.tensor([2], Float32Array.of(1, 3));
      assert.throws(() => an.layerNorm(t, { out: t.data }), {
        name: 'TypeError',
        message: "out: expected the tensor itself, got a view of a tensor's data",
      });
      assert.deepEqual([...t.data], [1, 3]);
    });
  });
});
