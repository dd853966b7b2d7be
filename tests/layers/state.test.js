// State dicts: names, what is taken and what is refused, and that all or nothing is loaded.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builds, fill, valuesOf, variant } from './support.js';

const [an] = builds;

const filled = (name, options, label = name) => fill(variant(name, options).make(an), label);

/** A BatchNorm with state of its own, and its dict. */
function saved(prefix) {
  const layer = filled('BatchNorm', {}, 'saved');
  layer.numBatchesTracked = 7;
  return { layer, dict: layer.stateDict(prefix) };
}

const RUNNING = ['running_mean', 'running_var', 'num_batches_tracked'];
const WITH_RUNNING = ['weight', 'bias', ...RUNNING];

describe('the names of', () => {
  const KERAS = { BatchNorm: ['gamma', 'beta', 'moving_mean', 'moving_variance'] };
  const ONNX = { BatchNorm: ['scale', 'B', 'input_mean', 'input_var'] };
  const NAMES = {
    torch: [
      ['LayerNorm', {}, ['weight', 'bias']],
      ['LayerNorm', { bias: false }, ['weight']],
      ['RMSNorm', {}, ['weight']],
      ['BatchNorm', {}, WITH_RUNNING],
      ['BatchNorm', { affine: false }, RUNNING],
      ['BatchNorm', { trackRunningStats: false }, ['weight', 'bias']],
      ['GroupNorm', {}, ['weight', 'bias']],
      ['InstanceNorm', {}, []],
      ['InstanceNorm', { affine: true }, ['weight', 'bias']],
    ],
    keras: [
      ['LayerNorm', {}, ['gamma', 'beta']],
      ['RMSNorm', {}, ['scale']],
      ['BatchNorm', {}, KERAS.BatchNorm],
      ['BatchNorm', { affine: false }, KERAS.BatchNorm.slice(2)],
      ['GroupNorm', {}, ['gamma', 'beta']],
      ['InstanceNorm', { affine: true }, ['gamma', 'beta']],
    ],
    onnx: [
      ['LayerNorm', {}, ['Scale', 'B']],
      ['RMSNorm', {}, ['scale']],
      ['BatchNorm', {}, ONNX.BatchNorm],
      ['GroupNorm', {}, ['scale', 'bias']],
      ['InstanceNorm', { affine: true }, ['scale', 'B']],
    ],
  };

  for (const [convention, rows] of Object.entries(NAMES)) {
    for (const [name, options, keys] of rows) {
      test(`${convention}: ${name} ${JSON.stringify(options)}`, () => {
        const from = filled(name, options, 'from');
        const to = filled(name, options, 'to');
        const values = Object.values(from.stateDict('net.'));
        if (convention === 'torch') {
          const names = keys.map((key) => `net.${key}`);
          assert.deepEqual(Object.keys(from.stateDict('net.')), names);
          assert.deepEqual(Object.keys(from.stateDict()), keys);
        }
        const dict = Object.fromEntries(keys.map((key, i) => [`net.${key}`, values[i]]));
        const result = to.loadStateDict(dict, 'net.', { convention });
        assert.deepEqual(result, { missing: [], unexpected: [] });
        assert.deepEqual(to.stateDict(), from.stateDict());
        from.dispose();
        to.dispose();
      });
    }
  }
});

test('values are copies, with the shape of the parameter', () => {
  const { layer, dict } = saved();
  assert.deepEqual(dict.weight.shape, [4]);
  layer.weight.value.data.fill(9);
  dict.bias.data.fill(9);
  assert.ok(dict.weight.data.every((v) => v !== 9));
  assert.ok(layer.bias.value.slice().every((v) => v !== 9));
  assert.equal(dict.num_batches_tracked, 7);
  layer.dispose();
});

describe('arrays are taken as', () => {
  const WAYS = {
    Float32Arrays: ({ data }) => data,
    '{ data, shape }': (value) => value,
    '{ data, dims }': ({ data, shape }) => ({ data, dims: shape }),
    'of one axis more, of size 1': ({ data, shape }) => ({ data, dims: [1, ...shape, 1] }),
    tensors: ({ data, shape }) => an.tensor(shape, data),
    views: ({ data }) => Float32Array.of(9, ...data, 9).subarray(1, 1 + data.length),
  };

  for (const [way, make] of Object.entries(WAYS)) {
    for (const [kind, collect] of [
      ['an object', Object.fromEntries],
      ['a Map', (entries) => new Map(entries)],
    ]) {
      test(`${way} in ${kind}`, () => {
        const { layer, dict } = saved();
        const entries = Object.entries(dict).map(([key, value]) => [
          key,
          typeof value === 'number' ? value : make(value),
        ]);
        const to = filled('BatchNorm', {}, 'other');
        to.loadStateDict(collect(entries));
        assert.deepEqual(to.stateDict(), dict);
        for (const [, value] of entries) value.dispose?.();
        layer.dispose();
        to.dispose();
      });
    }
  }
});

describe('num_batches_tracked', () => {
  const load = (value) => {
    const { layer, dict } = saved();
    try {
      layer.loadStateDict({ ...dict, num_batches_tracked: value });
      return layer.numBatchesTracked;
    } finally {
      layer.dispose();
    }
  };

  for (const [label, value] of Object.entries({
    'a number': 5,
    'a BigInt': 5n,
    'a BigInt64Array of one': BigInt64Array.of(5n),
    '{ data: BigInt64Array }': { data: BigInt64Array.of(5n), shape: [] },
    '{ data: Float32Array, dims }': { data: Float32Array.of(5), dims: [1] },
    'an Int32Array of one': Int32Array.of(5),
    'a list of one': [5],
  })) {
    test(`is taken as ${label}`, () => assert.equal(load(value), 5));
  }

  for (const [value, got] of [
    [-1, '-1'],
    [1.5, '1.5'],
    [NaN, 'NaN'],
    [2n ** 60n, String(2n ** 60n)],
    ['5', "'5'"],
    ['', "''"],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [[], 'Array'],
    [['5'], "'5'"],
    [BigInt64Array.of(5n, 6n), 'BigInt64Array'],
    [BigInt64Array.of(-5n), '-5'],
    [{ data: null }, 'Object'],
  ]) {
    test(`${got} is refused`, () => {
      const message = `num_batches_tracked: expected a whole number >= 0, got ${got}`;
      assert.throws(() => load(value), { name: 'RangeError', message });
    });
  }
});

test('the parameters of the layer itself may change places', () => {
  for (const an of builds) {
    const layer = variant('LayerNorm').make(an);
    fill(layer);
    const { weight, bias } = layer;
    const want = [bias.value.slice(), weight.value.slice()];
    layer.loadStateDict({ weight: bias.value, bias: weight.value });
    assert.deepEqual([weight.value.slice(), bias.value.slice()], want);
    layer.dispose();
  }
});

describe('keys', () => {
  const OTHERS = { 'fc.weight': 1, 'bn.10.weight': 2, bn: 3 };

  test('that do not begin with the prefix are left alone', () => {
    const { layer, dict } = saved('bn.1.');
    const result = layer.loadStateDict({ ...dict, ...OTHERS }, 'bn.1.');
    assert.deepEqual(result, { missing: [], unexpected: [] });
    layer.dispose();
  });

  test('that are missing or unexpected are listed in the error, and nothing is loaded', () => {
    const { layer, dict } = saved('bn.');
    const before = layer.stateDict();
    const { 'bn.bias': _b, 'bn.running_var': _v, ...rest } = dict;
    const refused = (given, what) => {
      const message = `loadStateDict: expected exactly the keys of the layer, got ${what}`;
      assert.throws(() => layer.loadStateDict(given, 'bn.'), { name: 'RangeError', message });
      assert.deepEqual(layer.stateDict(), before);
    };
    const changed = { ...rest, 'bn.weight': new Float32Array(4) };
    refused(changed, 'missing bn.bias, bn.running_var');
    refused({ ...dict, 'bn.gamma': 1, 'bn.more': 1 }, 'unexpected bn.gamma, bn.more');
    refused({ ...changed, 'bn.gamma': 1 }, 'missing bn.bias, bn.running_var; unexpected bn.gamma');
    layer.dispose();
  });

  test('are returned without strict, and what is there is loaded', () => {
    const { layer, dict } = saved('bn.');
    const { 'bn.bias': _b, ...rest } = dict;
    const to = filled('BatchNorm', {}, 'other');
    const { bias } = to.stateDict();
    const given = { ...rest, 'bn.gamma': 1, 'fc.weight': 2 };
    const result = to.loadStateDict(given, 'bn.', { strict: false });
    assert.deepEqual(result, { missing: ['bn.bias'], unexpected: ['bn.gamma'] });
    assert.deepEqual(to.stateDict('bn.'), { ...dict, 'bn.bias': bias });
    layer.dispose();
    to.dispose();
  });

  test('a layer without state has none, and takes none', () => {
    const layer = variant('InstanceNorm').make(an);
    assert.deepEqual(layer.stateDict(), {});
    assert.deepEqual(layer.loadStateDict({}), { missing: [], unexpected: [] });
    assert.throws(() => layer.loadStateDict({ weight: 1 }), /unexpected weight$/);
    layer.dispose();
  });
});

describe('what does not fit is refused, and what comes before it is not loaded', () => {
  const four = (data, shape) => ({ data: new Float32Array(data), shape });
  for (const [key, value, type, message] of [
    [
      'running_var',
      new Float32Array(3),
      'RangeError',
      /^bn\.running_var: expected length 4, got 3$/,
    ],
    [
      'running_var',
      four(4, [2, 2]),
      'RangeError',
      /^bn\.running_var: expected shape \[4\], got \[2, 2\]$/,
    ],
    [
      'running_var',
      four(4, [3]),
      'RangeError',
      /^bn\.running_var: expected length 3 for shape \[3\], got 4$/,
    ],
    [
      'running_var',
      [1, 2, 3, 4],
      'TypeError',
      /^bn\.running_var: expected Float32Array.*, got Array$/,
    ],
    ['running_var', new Float64Array(4), 'TypeError', /, got Float64Array$/],
    ['running_var', null, 'TypeError', /^bn\.running_var: .* got null$/],
    ['num_batches_tracked', -1, 'RangeError', /^bn\.num_batches_tracked: /],
  ]) {
    test(`${key}: ${value?.constructor.name} ${value?.shape ?? value}`, () => {
      const { layer, dict } = saved('bn.');
      const before = valuesOf(layer);
      for (const one of Object.values(dict)) one.data?.fill(0.5);
      const given = { ...dict, 'bn.num_batches_tracked': 3, [`bn.${key}`]: value };
      for (const strict of [true, false]) {
        assert.throws(() => layer.loadStateDict(given, 'bn.', { strict }), { name: type, message });
      }
      assert.deepEqual(valuesOf(layer), before);
      assert.equal(layer.numBatchesTracked, 7);
      layer.dispose();
    });
  }

  for (const [label, args, message] of [
    [
      'a dict of null',
      [null],
      'loadStateDict: expected an object or a Map of names and arrays, got null',
    ],
    [
      'options in place of the prefix',
      [{}, { strict: false }],
      'prefix: expected a string, got Object',
    ],
    ['strict', [{}, '', { strict: 1 }], 'strict: expected true or false, got 1'],
    [
      'an unknown option',
      [{}, '', { stric: true }],
      "loadStateDict: unknown option 'stric', did you mean 'strict'?",
    ],
    [
      'a convention',
      [{}, '', { convention: 1 }],
      "convention: expected 'torch', 'keras' or 'onnx', got 1",
    ],
  ]) {
    test(label, () => {
      const layer = variant('BatchNorm').make(an);
      assert.throws(() => layer.loadStateDict(...args), { name: 'TypeError', message });
      layer.dispose();
    });
  }

  test('the prefix of stateDict', () => {
    const layer = variant('BatchNorm').make(an);
    const message = 'prefix: expected a string, got null';
    assert.throws(() => layer.stateDict(null), { name: 'TypeError', message });
    layer.dispose();
  });
});
