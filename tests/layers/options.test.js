// Every option of a constructor and of a call, with a value that it does not take.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BatchNorm, GroupNorm, InstanceNorm, LayerNorm, RMSNorm } from '../../js/layers/index.js';
import { builds, CLASSES, inputs, variant } from './support.js';

const [an] = builds;

/** Values that are no numbers, and numbers that do not fit. */
const NO_NUMBERS = { "'1'": '1', null: null, Array: [] };
const NO_COUNTS = { 0: 0, '-1': -1, 1.5: 1.5, NaN: NaN, Infinity: Infinity };
const NO_EPS = { '-1': -1, NaN: NaN, Infinity: Infinity, '1e+39': 1e39 };
const NO_MOMENTA = { '-0.1': -0.1, 1.1: 1.1, NaN: NaN };
const NO_FLAGS = { 1: 1, "'false'": 'false', null: null };

const numbers = (values, expected) => [
  ...Object.entries(values).map(([got, value]) => [value, RangeError, `${expected}, got ${got}`]),
  ...Object.entries(NO_NUMBERS).map(([got, value]) => [
    value,
    TypeError,
    `${expected}, got ${got}`,
  ]),
];
const counts = numbers(NO_COUNTS, 'a whole number >= 1');
const eps = numbers(NO_EPS, 'a finite number >= 0');
const flag = Object.entries(NO_FLAGS).map(([got, value]) => [
  ...[value, TypeError, `true or false, got ${got}`],
]);
const choice = (choices) => [
  ['other', RangeError, `${choices}, got 'other'`],
  [1, TypeError, `${choices}, got 1`],
  [null, TypeError, `${choices}, got null`],
];
const sizes = [
  [0, RangeError, 'sizes of at least 1, got [0]'],
  [[], RangeError, 'sizes of at least 1, got []'],
  [[2, 0], RangeError, 'sizes of at least 1, got [2, 0]'],
  [[2, 1.5], RangeError, `whole numbers from 0 to ${2 ** 30}, got [2, 1.5]`],
  [-1, RangeError, `whole numbers from 0 to ${2 ** 30}, got -1`],
  ['6', TypeError, "a list of sizes, got '6'"],
  [undefined, TypeError, 'a list of sizes, got undefined'],
];

/** By class, by argument or option: the values, the error and what it says. */
const REFUSED = {
  LayerNorm: {
    normalizedShape: [(value) => new LayerNorm(an, value), sizes],
    eps: [(value) => new LayerNorm(an, 6, { eps: value }), eps],
    elementwiseAffine: [(value) => new LayerNorm(an, 6, { elementwiseAffine: value }), flag],
    bias: [(value) => new LayerNorm(an, 6, { bias: value }), flag],
  },
  RMSNorm: {
    normalizedShape: [(value) => new RMSNorm(an, value), sizes],
    eps: [(value) => new RMSNorm(an, 6, { eps: value }), eps],
    elementwiseAffine: [(value) => new RMSNorm(an, 6, { elementwiseAffine: value }), flag],
    gammaOffset: [
      (value) => new RMSNorm(an, 6, { gammaOffset: value }),
      numbers({ NaN: NaN, Infinity: Infinity }, 'a finite number'),
    ],
  },
  BatchNorm: {
    numFeatures: [(value) => new BatchNorm(an, value), counts],
    eps: [(value) => new BatchNorm(an, 4, { eps: value }), eps],
    momentum: [
      (value) => new BatchNorm(an, 4, { momentum: value }),
      numbers(NO_MOMENTA, 'a number from 0 to 1, or null').filter(([value]) => value !== null),
    ],
    runningVar: [
      (value) => new BatchNorm(an, 4, { runningVar: value }),
      choice("'unbiased' or 'biased'"),
    ],
    convention: [
      (value) => new BatchNorm(an, 4, { convention: value }),
      choice("'torch', 'keras' or 'onnx'"),
    ],
    affine: [(value) => new BatchNorm(an, 4, { affine: value }), flag],
    trackRunningStats: [(value) => new BatchNorm(an, 4, { trackRunningStats: value }), flag],
  },
  GroupNorm: {
    numGroups: [
      (value) => new GroupNorm(an, value, 4),
      [...counts, [3, RangeError, 'a divisor of 4 channels, got 3']],
    ],
    numChannels: [(value) => new GroupNorm(an, 1, value), counts],
    eps: [(value) => new GroupNorm(an, 2, 4, { eps: value }), eps],
    affine: [(value) => new GroupNorm(an, 2, 4, { affine: value }), flag],
  },
  InstanceNorm: {
    numFeatures: [(value) => new InstanceNorm(an, value), counts],
    eps: [(value) => new InstanceNorm(an, 4, { eps: value }), eps],
    affine: [(value) => new InstanceNorm(an, 4, { affine: value }), flag],
  },
};

for (const [name, options] of Object.entries(REFUSED)) {
  for (const [option, [make, values]] of Object.entries(options)) {
    test(`${name}: ${option}`, () => {
      const { used } = an.memoryUsage();
      assert.ok(values.length > 0);
      for (const [value, { name: type }, expected] of values) {
        const message = `${option}: expected ${expected}`;
        assert.throws(() => make(value), { name: type, message });
      }
      assert.equal(an.memoryUsage().used, used);
    });
  }
}

/** Where options are unknown: a misspelt one, and what was meant. */
const UNKNOWN = [
  ['LayerNorm', 'epsilon', 'eps'],
  ['RMSNorm', 'elementwise_affine', 'elementwiseAffine'],
  ['BatchNorm', 'track_running_stats', 'trackRunningStats'],
  ['GroupNorm', 'afine', 'affine'],
  ['InstanceNorm', 'channelaxis', 'channelAxis'],
];

for (const [name, option, meant] of UNKNOWN) {
  test(`${name}: what is no option, of the constructor, of forward and of backward`, () => {
    const refused = (call, message) => assert.throws(call, { name: 'TypeError', message });
    const hint = `${name}: unknown option '${option}', did you mean '${meant}'?`;
    refused(() => variant(name, { [option]: true }).make(an), hint);
    const layer = variant(name).make(an);
    const { Class, args } = { Class: layer.constructor, args: name === 'GroupNorm' ? [2, 4] : [4] };
    refused(() => new Class(an, ...args, null), `${name}: expected an object of options, got null`);
    const { x } = inputs(name, [4, 6]);
    for (const pass of ['forward', 'backward']) {
      const call = (options) => () => layer[pass](x, options);
      refused(call({ gamma: x }), `${name}.${pass}: unknown option 'gamma'`);
      refused(call(null), `${name}.${pass}: expected an object of options, got null`);
      refused(call(1), `${name}.${pass}: expected an object of options, got 1`);
    }
    layer.dispose();
  });
}

test('the first argument is what load() gives', () => {
  for (const name of CLASSES) {
    for (const [value, got] of [
      [undefined, 'undefined'],
      [4, '4'],
      [{}, 'Object'],
    ]) {
      const operation = name === 'RMSNorm' ? 'rmsNorm' : name[0].toLowerCase() + name.slice(1);
      const message = `${name}: expected what load() gives, with ${operation}, as the first argument, got ${got}`;
      assert.throws(() => variant(name).make(value), { name: 'TypeError', message });
    }
  }
});

test('only norms of channels take a mask', () => {
  for (const name of ['LayerNorm', 'RMSNorm']) {
    const layer = variant(name).make(an);
    const message = `${name}.forward: unknown option 'mask'`;
    const call = () => layer.forward(new Float32Array(6), { mask: [1] });
    assert.throws(call, { name: 'TypeError', message });
    layer.dispose();
  }
});

describe('where the channels are', () => {
  const layouts = 'NC, NCL, NCHW, NCDHW, channelsFirst, NLC, NHWC, NDHWC, channelsLast';
  const REFUSED_AT_FORWARD = [
    [{ layout: 'NCWH' }, RangeError, `layout: expected one of ${layouts}, got 'NCWH'`],
    [
      { layout: 'NHWC' },
      RangeError,
      "layout: expected one of 3 axes as shape [2, 4, 3], got 'NHWC'",
    ],
    [{ channelAxis: 3 }, RangeError, 'channelAxis: expected an axis of shape [2, 4, 3], got 3'],
    [{ channelAxis: '1' }, TypeError, "channelAxis: expected a number, got '1'"],
    [
      { layout: 'NLC', channelAxis: 1 },
      RangeError,
      "channelAxis: expected 2 as layout 'NLC' says, got 1",
    ],
  ];

  for (const [options, { name: type }, message] of REFUSED_AT_FORWARD) {
    test(`${JSON.stringify(options)} is refused when x is there`, () => {
      const { x } = inputs('where', [2, 4, 3]);
      for (const name of ['BatchNorm', 'GroupNorm', 'InstanceNorm']) {
        const layer = variant(name, options).make(an);
        const call = () => layer.forward(x, { shape: [2, 4, 3] });
        assert.throws(call, { name: type, message });
        layer.dispose();
      }
    });
  }
});
