// What readers hold: the real classes where they are small, and the programs of docs/interop.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { BatchNorm } from '../../js/layers/index.js';
import { Workspace } from './workspace.js';

const file = new URL('../../docs/interop.md', import.meta.url);
const page = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
const programs = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text);
const an = await load();
const range = (length) => Float32Array.from({ length }, (_, i) => Math.sin(i * i));

let workspace;
let ndarray;
let Tensor;
/** What the programs of the page export. */
let ofNdarray;
let ofBytes;
before(async () => {
  workspace = new Workspace();
  ndarray = await workspace.import('ndarray');
  ({ Tensor } = await workspace.import('onnxruntime-web'));
  assert.equal(programs.length, 2);
  const run = (text, i) => workspace.run(`program-${i}.js`, text);
  [ofNdarray, ofBytes] = await Promise.all(programs.map(run));
});
after(() => workspace.dispose());

const refused = (fn, message) => assert.throws(fn, { name: 'TypeError', message });
const KINDS = 'x: expected Float32Array, Tensor or { data, shape }, got ';
const layerNorm = (x) => an.layerNorm(x, { normalizedShape: 2 });

describe('ndarray', () => {
  const strided = (message) => ({ name: 'RangeError', message });
  const VIEWS = {
    transposed: [(a) => a.transpose(1, 0), /strides \[1, 3\]/],
    'every other column': [(a) => a.step(1, 2), /strides \[3, 2\]/],
    reversed: [(a) => a.step(-1, 1), /strides \[-3, 1\]/],
    'the last rows': [(a) => a.lo(2, 0), /offset 6/],
    'one row': [(a) => a.pick(1, null), /offset 3/],
    'the first columns': [(a) => a.hi(4, 2), /strides \[3, 1\]/],
  };

  test('a whole one is an array with its shape', () => {
    for (const shape of [[12], [4, 3], [2, 2, 3], [1, 12, 1], [0, 3]]) {
      const data = range(shape.reduce((a, b) => a * b));
      assert.deepEqual(an.layerNorm(ndarray(data, shape)), an.layerNorm({ data, shape }));
    }
  });

  test('its first rows are less than its data, and refused', () => {
    const a = ndarray(range(12), [4, 3]);
    assert.throws(
      () => an.layerNorm(a.hi(2, 3)),
      strided('x: expected length 6 for shape [2, 3], got 12'),
    );
  });

  test('axes of size 1 may have any stride', () => {
    const data = range(6);
    const a = ndarray(data, [1, 2, 3], [77, 3, 1]);
    assert.deepEqual(an.layerNorm(a), an.layerNorm(data, { normalizedShape: 3 }));
  });

  for (const [name, [view, got]] of Object.entries(VIEWS)) {
    test(`${name}: refused, and taken when packed`, () => {
      const a = view(ndarray(range(12), [4, 3]));
      const message = new RegExp(
        `^x: expected row-major values from offset 0, got ${got.source}; copy the view first, as assign of ndarray-ops does$`,
      );
      assert.throws(() => an.layerNorm(a), strided(message));
      const copy = ofNdarray.packed(a);
      const want = [];
      for (let i = 0; i < a.size; i += 1) {
        const [row, column] =
          a.dimension === 1 ? [i] : [Math.floor(i / a.shape[1]), i % a.shape[1]];
        want.push(a.get(row, column));
      }
      assert.deepEqual([...copy.data], want);
      const x = Float32Array.from(want);
      assert.deepEqual(an.layerNorm(copy), an.layerNorm(x, { shape: a.shape }));
    });
  }

  test('refused for parameters, results, state, tensors and masks alike', () => {
    const a = ndarray(range(4), [2, 2]).transpose(1, 0);
    const x = range(4);
    const shape = [2, 2];
    const bn = new BatchNorm(an, 2);
    const state = { ...bn.stateDict(), weight: ndarray(range(4), [4]).step(2) };
    const mask = ndarray(Uint8Array.of(1, 0, 1, 1), [2, 2]).transpose(1, 0);
    for (const [name, call] of Object.entries({
      gamma: () => an.layerNorm(x, { shape, axis: 0, gamma: a }),
      out: () => an.layerNorm(x, { shape, out: a }),
      data: () => an.tensor(shape, a),
      source: () => an.scope((s) => s.tensor(shape).set(a)),
      weight: () => bn.loadStateDict(state),
      mask: () => an.groupNorm(range(8), { shape: [2, 2, 2], layout: 'NLC', groups: 1, mask }),
    })) {
      assert.throws(call, strided(new RegExp(`^${name}: expected row-major values`)));
    }
    bn.dispose();
    assert.deepEqual(x, range(4));
    const packed = ndarray(Uint8Array.of(1, 1, 0, 1), [2, 2]);
    const options = { shape: [2, 2, 2], layout: 'NLC', groups: 1 };
    assert.deepEqual(
      an.groupNorm(range(8), { ...options, mask: packed }),
      an.groupNorm(range(8), { ...options, mask: [1, 1, 0, 1] }),
    );
  });

  test('strides under their other name', () => {
    const data = range(4);
    const x = { data, shape: [2, 2], strides: [2, 1], offset: 0, order: 'row-major' };
    assert.deepEqual(an.layerNorm(x), layerNorm(data));
    const message = /^x: expected row-major values from offset 0, got strides \[1, 2\]; /;
    assert.throws(() => an.layerNorm({ ...x, strides: [1, 2] }), strided(message));
  });

  test('results can be written into one', () => {
    const y = ndarray(new Float32Array(4), [2, 2]);
    assert.equal(an.layerNorm(ndarray(range(4), [2, 2]), { out: y }), y);
    assert.deepEqual(y.data, layerNorm(range(4)));
  });

  test('the program of the page', () => {
    const signs = (values) => [...values].map(Math.sign);
    assert.deepEqual(signs(ofNdarray.rows), [-1, 1, -1, 1]);
    assert.deepEqual(ofNdarray.columns, layerNorm(Float32Array.of(1, 5, 3, 7)));
  });
});

describe('ONNX Runtime', () => {
  test('a tensor in, and as the place of the result', () => {
    const x = new Tensor('float32', range(6), [3, 2]);
    const y = new Tensor('float32', new Float32Array(6), [3, 2]);
    assert.deepEqual(an.layerNorm(x), layerNorm(range(6)));
    assert.equal(an.layerNorm(x, { out: y }), y);
    assert.deepEqual(y.data, layerNorm(range(6)));
  });

  test('a tensor of booleans is a mask', () => {
    const options = { shape: [2, 2, 2], layout: 'NLC', groups: 1 };
    const mask = new Tensor('bool', Uint8Array.of(1, 1, 0, 1), [2, 2]);
    assert.deepEqual(
      an.groupNorm(range(8), { ...options, mask }),
      an.groupNorm(range(8), { ...options, mask: [true, true, false, true] }),
    );
  });

  test('one of float16 is refused with what it holds', () => {
    const half = new Tensor('float16', Uint16Array.of(0x3c00, 0x4200), [1, 2]);
    assert.throws(() => an.layerNorm(half), { name: 'TypeError', message: /float16/ });
    const y = an.layerNorm({ data: ofBytes.float32(half.data), dims: half.dims });
    assert.deepEqual(y, layerNorm(Float32Array.of(1, 3)));
  });

  test('one of doubles is refused', () => {
    const x = new Tensor('float64', [1, 2], [1, 2]);
    refused(() => an.layerNorm(x), `${KINDS}{ data: Float64Array }`);
  });
});

describe('others', () => {
  test('TensorFlow.js: data() is what is passed', async () => {
    const t = { shape: [2, 2], strides: [2], data: async () => range(4) };
    const hint = '(if it gives the values, pass { data: await t.data(), shape: t.shape })';
    refused(() => an.layerNorm(t), `${KINDS}{ data: a function } ${hint}`);
    const y = an.layerNorm({ data: await t.data(), shape: t.shape });
    assert.deepEqual(y, layerNorm(range(4)));
  });

  test('half floats: the message names float16 and the way', () => {
    class Float16Array extends Array {}
    const way = '(float16: Float32Array.from converts it)';
    refused(() => layerNorm(Float16Array.of(1, 3)), `${KINDS}Float16Array ${way}`);
    const bits = '(bit patterns of float16 or bfloat16? convert them to float32 first)';
    refused(() => layerNorm(Uint16Array.of(1, 3)), `${KINDS}Uint16Array ${bits}`);
    const x = { data: Uint16Array.of(1, 3), shape: [2] };
    refused(() => layerNorm(x), `${KINDS}{ data: Uint16Array } ${bits}`);
  });

  test('Float64Array, lists and bytes are refused', () => {
    refused(() => layerNorm(Float64Array.of(1, 3)), `${KINDS}Float64Array`);
    refused(() => layerNorm([1, 3]), `${KINDS}Array`);
    const way = '(bytes: new Float32Array(b.buffer, b.byteOffset, b.length / 4) reads them)';
    refused(() => layerNorm(Buffer.alloc(8)), `${KINDS}Buffer ${way}`);
  });

  test('the conversions of the page', () => {
    const { float32, fromBfloat16, floatsOf } = ofBytes;
    // 1, -2, the largest, the least of either kind, infinities, NaN, zeros
    const bits = [0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x7c00, 0xfc00, 0x7e00, 0, 0x8000];
    const want = [1, -2, 65504, 2 ** -14, 2 ** -24, Infinity, -Infinity, NaN, 0, -0];
    assert.deepEqual([...float32(Uint16Array.from(bits))], want);
    const x = Float32Array.of(1, -2, 3.140625, Infinity, -0);
    const upper = Uint16Array.from(new Uint32Array(x.buffer), (word) => word >>> 16);
    assert.deepEqual([...fromBfloat16(upper)], [...x]);
    for (const offset of [0, 1, 4]) {
      const memory = new Uint8Array(40);
      const buffer = Buffer.from(memory.buffer, offset, x.byteLength);
      buffer.set(new Uint8Array(x.buffer));
      const floats = floatsOf(buffer);
      assert.deepEqual([...floats], [...x]);
      assert.equal(floats.buffer === memory.buffer, offset % 4 === 0);
    }
  });
});
