// For every argument of every function: what is refused, in which words, and that nothing has been
// written by then.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { allCalls, assertRefused, callOf, giveOut } from './support.js';

let an;
before(async () => {
  an = await load();
});

const KINDS = 'expected Float32Array, Tensor or { data, shape }, got';
const floats = (length) => new Float32Array(length);

/** Cases that hold for any array argument: [value, what the message says after the name]. */
const WRONG_ARRAYS = [
  [null, `${KINDS} null`],
  [3, `${KINDS} 3`],
  ['x', `${KINDS} 'x'`],
  [[1, 2], `${KINDS} Array`],
  [{}, `${KINDS} Object`],
  [new Float64Array(24), `${KINDS} Float64Array`],
  [
    new Uint16Array(24),
    `${KINDS} Uint16Array (bit patterns of float16 or bfloat16? convert them to float32 first)`,
  ],
  [new DataView(new ArrayBuffer(96)), `${KINDS} DataView`],
  [new ArrayBuffer(96), `${KINDS} ArrayBuffer`],
  [{ data: floats(24) }, `${KINDS} { data } without a shape`],
  [{ data: [1], shape: [1] }, `${KINDS} { data: Array }`],
  [{ data: new Float64Array(2), dims: [2] }, `${KINDS} { data: Float64Array }`],
];

/** Cases of one option: [value, error, message]. */
const number = (name, expected, values) =>
  values.map((value) => [
    value,
    typeof value === 'number' ? RangeError : TypeError,
    `${name}: expected ${expected}, got ${typeof value === 'string' ? `'${value}'` : value}`,
  ]);
const flag = (name) => [
  [1, TypeError, `${name}: expected true or false, got 1`],
  [null, TypeError, `${name}: expected true or false, got null`],
];

const noList = (name, expected) =>
  Object.entries({ null: null, 3: 3, "'kept'": 'kept', Object: {} }).map(([got, value]) => [
    value,
    TypeError,
    `${name}: expected ${expected}, got ${got}`,
  ]);

const SIZES = 'whole numbers from 0 to 1073741824';
const LAYOUTS = 'NC, NCL, NCHW, NCDHW, channelsFirst, NLC, NHWC, NDHWC, channelsLast';

/** Option -> its cases for every function that has it. */
const COMMON = {
  eps: number('eps', 'a finite number >= 0', [-1, NaN, Infinity, 1e39, '1e-5', null]),
  exact: flag('exact'),
  accumulate: flag('accumulate'),
  training: flag('training'),
  gammaOffset: number('gammaOffset', 'a finite number', [NaN, -Infinity, 1e39, '1']),
  p: number('p', 'a number above 0, up to 1', [0, -0.5, 1.01, NaN, '0.5']),
  groups: [
    ...number('groups', 'a whole number >= 1', [0, -2, 1.5, NaN, '2', undefined]),
    [3, RangeError, 'groups: expected a divisor of 4 channels, got 3'],
    [8, RangeError, 'groups: expected a divisor of 4 channels, got 8'],
  ],
  momentum: number('momentum', 'a number from 0 to 1, or null', [-0.1, 1.1, NaN, '0.1']),
  runningVarEstimate: [
    ['none', RangeError, "runningVarEstimate: expected 'unbiased' or 'biased', got 'none'"],
    [true, RangeError, "runningVarEstimate: expected 'unbiased' or 'biased', got true"],
  ],
  layout: [
    ['NCXY', RangeError, `layout: expected one of ${LAYOUTS}, got 'NCXY'`],
    [1, RangeError, `layout: expected one of ${LAYOUTS}, got 1`],
    ['NHWC', RangeError, "layout: expected one of 3 axes as shape [2, 4, 3], got 'NHWC'"],
    ['NC', RangeError, "layout: expected one of 3 axes as shape [2, 4, 3], got 'NC'"],
  ],
  channelAxis: [
    ...number('channelAxis', 'an axis of shape [2, 4, 3]', [3, -4, 0.5, NaN]),
    ['1', TypeError, "channelAxis: expected a number, got '1'"],
  ],
  mask: [
    ...noList('mask', 'a list of booleans, or of 1 and 0'),
    [[], RangeError, 'mask: expected length 6 for positions [2, 3], got 0'],
    [{ data: [1] }, RangeError, 'mask: expected length 6 for positions [2, 3], got 1'],
    [new Uint8Array(24), RangeError, 'mask: expected length 6 for positions [2, 3], got 24'],
    [[1, 1, 0, 1, 1, 2], RangeError, 'mask[5]: expected true, false, 1 or 0, got 2'],
    [[1, '1', 0, 1, 1, 1], RangeError, "mask[1]: expected true, false, 1 or 0, got '1'"],
    [[1, 1, null, 1, 1, 1], RangeError, 'mask[2]: expected true, false, 1 or 0, got null'],
    [new Array(6), RangeError, 'mask[0]: expected true, false, 1 or 0, got undefined'],
    [
      Float32Array.of(1, 1, 1, NaN, 1, 1),
      RangeError,
      'mask[3]: expected true, false, 1 or 0, got NaN',
    ],
  ],
  lengths: [
    ...noList('lengths', 'a list of whole numbers'),
    [[3], RangeError, 'lengths: expected length 2, got 1'],
    [[3, 4], RangeError, 'lengths[1]: expected a whole number from 0 to 3, got 4'],
    [[-1, 3], RangeError, 'lengths[0]: expected a whole number from 0 to 3, got -1'],
    [[1.5, 3], RangeError, 'lengths[0]: expected a whole number from 0 to 3, got 1.5'],
    [[3, NaN], RangeError, 'lengths[1]: expected a whole number from 0 to 3, got NaN'],
    [['3', 3], RangeError, "lengths[0]: expected a whole number from 0 to 3, got '3'"],
  ],
  axis: [
    ...number('axis', 'an axis of shape [2, 4, 3]', [3, -4, 0.5, NaN]),
    ['1', TypeError, "axis: expected a number, got '1'"],
  ],
  normalizedShape: [
    [4, RangeError, 'normalizedShape: expected [3] as axis -1 says, got [4]'],
    [-3, RangeError, `normalizedShape: expected ${SIZES}, got -3`],
    [[1.5], RangeError, `normalizedShape: expected ${SIZES}, got [1.5]`],
    ['3', TypeError, "normalizedShape: expected a list of sizes, got '3'"],
  ],
  outputs: [
    ['dx', TypeError, /^outputs: expected a list of 'dx', .*, got 'dx'$/],
    [['dz'], RangeError, /^outputs: expected some of 'dx', .*, got 'dz'$/],
    [['dbetta', 'dx'], RangeError, /^outputs: expected some of 'dx', .*, got 'dbetta'$/],
  ],
};

/** The shape option names the first argument in its messages. */
const shapeCases = (first) => [
  [[2, -4, 3], RangeError, `shape: expected ${SIZES}, got [2, -4, 3]`],
  [[2, 4, '3'], RangeError, `shape: expected ${SIZES}, got [2, 4, '3']`],
  [[2, 4, Symbol('3')], RangeError, `shape: expected ${SIZES}, got [2, 4, Symbol(3)]`],
  [[2 ** 20, 2 ** 20], RangeError, /^shape: expected at most 1073741824 values, got \[/],
  [null, TypeError, 'shape: expected a list of sizes, got null'],
  [[2, 4, 4], RangeError, `${first}: expected length 32 for shape [2, 4, 4], got 24`],
];

/** A wrong length of an array option, and a shape that does not fit. */
const lengthCases = (name, length, { isShaped }) => [
  [
    floats(length + 1),
    RangeError,
    new RegExp(`^${name}: expected length ${length}.*, got ${length + 1}$`),
  ],
  [floats(0), RangeError, new RegExp(`^${name}: expected length ${length}.*, got 0$`)],
  [
    { data: floats(length), dims: [length + 1] },
    RangeError,
    `${name}: expected length ${length + 1} for dims [${length + 1}], got ${length}`,
  ],
  ...(isShaped
    ? [
        [
          { data: floats(length), shape: [4, 2, 3] },
          RangeError,
          `${name}: expected shape [2, 4, 3], got [4, 2, 3]`,
        ],
      ]
    : []),
];

const isArray = (value) => value instanceof Float32Array;

/** A text as a pattern that matches just it. */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Checks that the call with one option changed is refused before anything is written. */
function assertOptionRefused(call, option, [value, type, message]) {
  giveOut(call);
  const outs = call.pass === 'infer' ? [call.options.out] : Object.values(call.options.out);
  const inputs = [call.input, ...Object.values(call.options).filter(isArray)];
  const { used } = an.memoryUsage();
  call.options[option] = value;
  assertRefused([...outs, ...inputs], () => call.invoke(an), type, message);
  assert.equal(an.memoryUsage().used, used, 'memory was taken and not given back');
}

describe('every option of every function', () => {
  for (const { name, operation, pass, first, options } of allCalls()) {
    for (const option of Object.keys(options)) {
      if (!isArray(options[option])) continue;
      test(`${name}: ${option}`, () => {
        const length = options[option].length;
        for (const [value, message] of WRONG_ARRAYS) {
          const call = callOf(operation, pass);
          // A hint where the array comes from may follow.
          const pattern = new RegExp(`^${literally(`${option}: ${message}`)}`);
          assertOptionRefused(call, option, [value, TypeError, pattern]);
        }
        for (const wrong of lengthCases(option, length, { isShaped: option === 'x' })) {
          assertOptionRefused(callOf(operation, pass), option, wrong);
        }
      });
    }
    test(`${name}: shape`, () => {
      for (const wrong of shapeCases(first)) {
        assertOptionRefused(callOf(operation, pass), 'shape', wrong);
      }
    });
  }

  const withChannels = allCalls().filter(({ operation }) =>
    /^(group|instance|batch)Norm/.test(operation),
  );

  /** Which functions have which of the other options. */
  const HAVE = {
    eps: allCalls(),
    exact: allCalls(),
    accumulate: allCalls().filter(({ pass }) => pass === 'backward'),
    outputs: allCalls().filter(({ pass }) => pass === 'backward'),
    training: [callOf('batchNorm', 'forward'), callOf('batchNorm', 'backward')],
    momentum: [callOf('batchNorm', 'forward')],
    runningVarEstimate: [callOf('batchNorm', 'forward')],
    groups: allCalls().filter(({ operation }) => operation === 'groupNorm'),
    layout: withChannels,
    channelAxis: withChannels,
    mask: withChannels,
    lengths: withChannels,
    axis: allCalls().filter(({ operation }) => /^(layer|rms)Norm/.test(operation)),
    normalizedShape: allCalls().filter(({ operation }) => /^(layer|rms)Norm/.test(operation)),
    gammaOffset: allCalls().filter(({ operation }) => operation === 'rmsNorm'),
    p: allCalls().filter(({ operation }) => operation === 'rmsNorm'),
  };
  for (const [option, calls] of Object.entries(HAVE)) {
    for (const { name, operation, pass } of calls) {
      test(`${name}: ${option}`, () => {
        for (const wrong of COMMON[option]) {
          assertOptionRefused(callOf(operation, pass), option, wrong);
        }
      });
    }
  }
});

describe('the first argument', () => {
  for (const { name, operation, pass, first } of allCalls()) {
    test(name, () => {
      for (const [value, message] of [...WRONG_ARRAYS, [undefined, `${KINDS} undefined`]]) {
        const call = callOf(operation, pass);
        const outs = Object.values(giveOut(call));
        call.input = value;
        assertRefused(outs, () => call.invoke(an), TypeError, `${first}: ${message}`);
      }
      const call = callOf(operation, pass);
      const outs = Object.values(giveOut(call));
      call.input = floats(23);
      const message = `${first}: expected length 24 for shape [2, 4, 3], got 23`;
      assertRefused(outs, () => call.invoke(an), RangeError, message);
    });
  }
});

describe('the options as a whole', () => {
  for (const { name, operation, pass, options, first } of allCalls()) {
    test(`${name}: no object`, () => {
      const call = callOf(operation, pass);
      for (const [value, got] of [
        [null, 'null'],
        [3, '3'],
        ['eps', "'eps'"],
      ]) {
        const message = `${name}: expected an object of options, got ${got}`;
        assertRefused([call.input], () => call.function(an)(call.input, value), TypeError, message);
      }
    });

    test(`${name}: unknown`, () => {
      for (const [option, hint] of [
        ['epsilon', ", did you mean 'eps'?"],
        ['exakt', ", did you mean 'exact'?"],
        ['Shape', ", did you mean 'shape'?"],
        ['frobnicate', ''],
      ]) {
        assertOptionRefused(callOf(operation, pass), option, [
          1,
          TypeError,
          `${name}: unknown option '${option}'${hint}`,
        ]);
      }
    });

    test(`${name}: those of other functions are unknown`, () => {
      const own = new Set([...Object.keys(options), ...OPTIONS_OF[operation], ...OPTIONS_OF[pass]]);
      if (operation === 'batchNorm' && pass !== 'infer') own.add('training');
      if (operation === 'batchNorm' && pass === 'backward') own.add('skippedChannels');
      if (operation === 'batchNorm' && pass === 'forward') {
        for (const option of ['momentum', 'numBatchesTracked', 'runningVarEstimate'])
          own.add(option);
      }
      const accepted = ALL_OPTIONS.filter((option) => {
        const call = callOf(operation, pass);
        call.options[option] ??= undefined;
        try {
          call.invoke(an);
          return true;
        } catch (error) {
          assert.match(error.message, /unknown option/, `${first} ${option}`);
          return false;
        }
      });
      assert.deepEqual(accepted.sort(), [...own].filter((o) => ALL_OPTIONS.includes(o)).sort());
    });
  }
});

const CHANNELS = ['layout', 'channelAxis', 'mask', 'lengths', 'gamma', 'beta'];
const ROWS = ['normalizedShape', 'axis', 'gamma'];
const OPTIONS_OF = {
  layerNorm: [...ROWS, 'beta'],
  rmsNorm: [...ROWS, 'gammaOffset', 'p'],
  groupNorm: [...CHANNELS, 'groups'],
  instanceNorm: CHANNELS,
  batchNorm: [...CHANNELS, 'runningMean', 'runningVar'],
  weightStandardize: ['gain'],
  infer: ['shape', 'eps', 'exact', 'out'],
  forward: ['shape', 'eps', 'exact', 'out'],
  backward: ['shape', 'eps', 'exact', 'out', 'x', 'y', 'outputs', 'accumulate', 'rstd'],
};
const ALL_OPTIONS = [
  ...new Set([
    ...Object.values(OPTIONS_OF).flat(),
    ...['mean', 'training', 'momentum', 'numBatchesTracked', 'runningVarEstimate'],
    'skippedChannels',
  ]),
];

describe('out', () => {
  for (const { name, operation, pass, outLengths } of allCalls()) {
    for (const [output, length] of Object.entries(outLengths)) {
      const label = pass === 'infer' ? 'out' : `out.${output}`;
      const cases = [
        ...WRONG_ARRAYS.map(([value, message]) => [value, TypeError, `${label}: ${message}`]),
        ...lengthCases(label, length, { isShaped: length === 24 }),
      ];
      test(`${name}: ${label}`, () => {
        for (const [value, type, message] of cases) {
          const call = callOf(operation, pass);
          const outs = giveOut(call);
          if (pass === 'infer') call.options.out = value;
          else call.options.out[output] = value;
          const arrays = Object.values(outs).filter(isArray);
          assertRefused([...arrays, call.input], () => call.invoke(an), type, message);
        }
      });
    }
    if (pass === 'infer') continue;
    test(`${name}: unknown outputs`, () => {
      const call = callOf(operation, pass);
      const outs = Object.values(giveOut(call));
      call.options.out.dq = floats(3);
      assertRefused(outs, () => call.invoke(an), TypeError, /^out: unknown output 'dq'/);
      call.options.out = null;
      const message = 'out: expected an object of outputs, got null';
      assertRefused(outs, () => call.invoke(an), TypeError, message);
    });

    test(`${name}: outputs that share memory`, () => {
      const [one, two] = Object.keys(outLengths);
      const call = callOf(operation, pass);
      giveOut(call);
      const memory = floats(40);
      call.options.out[one] = memory.subarray(0, outLengths[one]);
      call.options.out[two] = memory.subarray(
        outLengths[one] - 1,
        outLengths[one] - 1 + outLengths[two],
      );
      const message = `out.${two}: expected memory of its own, got memory of another output`;
      assertRefused([memory], () => call.invoke(an), RangeError, message);
    });
  }
});

describe('backward', () => {
  for (const { name, operation, options, outLengths } of allCalls().filter(
    ({ pass }) => pass === 'backward',
  )) {
    for (const needed of ['x', 'mean', 'rstd'].filter((option) => option in options)) {
      test(`${name} needs ${needed}`, () => {
        const hint = needed === 'x' ? '' : ` \\(${operation}\\.forward returns it\\)`;
        const message = new RegExp(`^${needed}: expected Float32Array, .* got undefined${hint}$`);
        assertOptionRefused(callOf(operation, 'backward'), needed, [undefined, TypeError, message]);
      });
    }

    test(`${name} has nothing to accumulate to without out`, () => {
      const gradient = Object.keys(outLengths)[1];
      const call = callOf(operation, 'backward');
      call.options.accumulate = true;
      const message = new RegExp(
        `^out\\.${gradient}: .* got undefined \\(accumulate adds to it\\)$`,
      );
      assertRefused([], () => call.invoke(an), TypeError, message);
    });

    test(`${name} refuses an out that outputs leaves out`, () => {
      const gradient = Object.keys(outLengths)[1];
      assertOptionRefused(callOf(operation, 'backward'), 'outputs', [
        ['dx'],
        TypeError,
        `out.${gradient}: expected only what outputs lists, got Float32Array`,
      ]);
    });
  }
});

/** [label, what is called, error, message] */
const SINGLE_CASES = [
  [
    'layerNorm: flat, with nothing that tells the size',
    () => an.layerNorm(floats(6)),
    TypeError,
    'normalizedShape: expected a number or a list of sizes, or a shape of x, got undefined',
  ],
  [
    'layerNorm: flat, with an axis',
    () => an.layerNorm(floats(6), { axis: -1 }),
    TypeError,
    'shape: expected a list of sizes, for axis to count in, got undefined',
  ],
  [
    'layerNorm: flat, no multiple of the size',
    () => an.layerNorm(floats(7), { normalizedShape: 3 }),
    RangeError,
    'x: expected a multiple of 3 values, got 7',
  ],
  [
    'layerNorm: no trailing axes',
    () => an.layerNorm(floats(6), { shape: [2, 3], normalizedShape: 2 }),
    RangeError,
    'normalizedShape: expected trailing axes of shape [2, 3], got [2]',
  ],
  [
    'layerNorm: more axes than there are',
    () => an.layerNorm(floats(6), { shape: [6], normalizedShape: [1, 6] }),
    RangeError,
    'normalizedShape: expected trailing axes of shape [6], got [1, 6]',
  ],
  [
    'layerNorm: normalized size 0',
    () => an.layerNorm(floats(0), { shape: [2, 0] }),
    RangeError,
    'normalizedShape: expected sizes of at least 1, got [0]',
  ],
  [
    'rmsNorm: no normalized axes',
    () => an.rmsNorm(floats(6), { shape: [6], normalizedShape: [] }),
    RangeError,
    'normalizedShape: expected sizes of at least 1, got []',
  ],
  [
    'layerNorm: gamma in another arrangement',
    () =>
      an.layerNorm(floats(6), {
        normalizedShape: [2, 3],
        gamma: { data: floats(6), dims: [3, 2] },
      }),
    RangeError,
    'gamma: expected shape [2, 3], got [3, 2]',
  ],
  [
    'rmsNorm: beta',
    () => an.rmsNorm(floats(6), { normalizedShape: 3, beta: floats(3) }),
    TypeError,
    'rmsNorm: expected no beta, RMSNorm only scales; layerNorm has a beta',
  ],
  [
    'an array whose shape the option contradicts',
    () => an.layerNorm({ data: floats(6), dims: [2, 3] }, { shape: [3, 2] }),
    RangeError,
    'shape: expected [2, 3] as x has, got [3, 2]',
  ],
  ...['groupNorm', 'instanceNorm', 'batchNorm'].flatMap((name) => [
    [
      `${name}: no shape`,
      () => an[name](floats(6), running(name, 3)),
      TypeError,
      'shape: expected the shape of x, got undefined',
    ],
    [
      `${name}: one axis`,
      () => an[name](floats(6), { shape: [6], ...running(name, 6) }),
      RangeError,
      'x: expected a batch axis and a channel axis, got shape [6]',
    ],
    [
      `${name}: no channels`,
      () => an[name](floats(0), { shape: [2, 0], ...running(name, 0) }),
      RangeError,
      'shape: expected at least 1 channel, got [2, 0]',
    ],
    [
      `${name}: layout against channelAxis`,
      () =>
        an[name](floats(6), {
          shape: [1, 2, 3],
          layout: 'NCL',
          channelAxis: 2,
          ...running(name, 2),
        }),
      RangeError,
      "channelAxis: expected 1 as layout 'NCL' says, got 2",
    ],
  ]),
  ...['groupNorm', 'instanceNorm'].flatMap((name) => [
    [
      `${name}: channels on an inner axis`,
      () => an[name](floats(24), { shape: [1, 2, 3, 4], channelAxis: 2, ...running(name) }),
      RangeError,
      'channelAxis: expected 1 or 3 for shape [1, 2, 3, 4], got 2',
    ],
    [
      `${name}: no space`,
      () => an[name](floats(0), { shape: [2, 4, 0], ...running(name) }),
      RangeError,
      'shape: expected sizes of at least 1 after the batch, got [2, 4, 0]',
    ],
  ]),
  [
    'weightStandardize: no shape',
    () => an.weightStandardize(floats(6)),
    TypeError,
    'shape: expected the shape of w, got undefined',
  ],
  [
    'weightStandardize: one axis',
    () => an.weightStandardize(floats(6), { shape: [6] }),
    RangeError,
    'w: expected an axis of filters and others, got shape [6]',
  ],
  [
    'weightStandardize: no fan-in',
    () => an.weightStandardize(floats(0), { shape: [6, 0] }),
    RangeError,
    'shape: expected a fan-in of at least 1, got [6, 0]',
  ],
  [
    'batchNorm: one running statistic in training',
    () => an.batchNorm.forward(floats(6), { shape: [2, 3], runningMean: floats(3) }),
    TypeError,
    /^runningVar: expected .* got undefined \(runningMean is given\)$/,
  ],
  [
    'batchNorm: the other running statistic in training',
    () => an.batchNorm.forward(floats(6), { shape: [2, 3], runningVar: floats(3) }),
    TypeError,
    /^runningMean: expected .* got undefined \(runningVar is given\)$/,
  ],
  ...[undefined, -1, 0.5, '3'].map((value) => [
    `batchNorm: numBatchesTracked ${value}`,
    () =>
      an.batchNorm.forward(floats(6), {
        shape: [2, 3],
        ...running('batchNorm', 3),
        momentum: null,
        numBatchesTracked: value,
      }),
    typeof value === 'number' ? RangeError : TypeError,
    `numBatchesTracked: expected a whole number >= 0, got ${value === '3' ? "'3'" : value}`,
  ]),
  [
    'batchNorm: one value per channel',
    () => an.batchNorm.forward(floats(3), { shape: [1, 3] }),
    RangeError,
    'x: expected more than 1 value per channel when training, got shape [1, 3]',
  ],
  [
    'batchNorm: statistics of the batch without training',
    () =>
      an.batchNorm.forward(floats(6), {
        shape: [2, 3],
        training: false,
        ...running('batchNorm', 3),
        out: { mean: floats(3) },
      }),
    TypeError,
    "out: unknown output 'mean'",
  ],
  [
    'batchNorm.backward: frozen, without x',
    () =>
      an.batchNorm.backward(floats(6), {
        shape: [2, 3],
        training: false,
        ...running('batchNorm', 3),
      }),
    TypeError,
    /^x: expected .* got undefined \(dgamma needs it; outputs: \['dx', 'dbeta'\] does not\)$/,
  ],
];

/** The options that a norm cannot do without. */
function running(name, channels = 4) {
  if (name === 'groupNorm') return { groups: 1 };
  if (name === 'batchNorm') return { runningMean: floats(channels), runningVar: floats(channels) };
  return {};
}

describe('single cases', () => {
  for (const [label, fn, type, message] of SINGLE_CASES) {
    test(label, () => assertRefused([], fn, type, message));
  }

  for (const value of [-1, NaN, Infinity]) {
    test(`batchNorm: running variance ${value}`, () => {
      const x = Float32Array.of(1, 2, 3, 4, 5, 7);
      const runningMean = Float32Array.of(1, 2, 3);
      const runningVar = Float32Array.of(1, 0, value);
      const options = { shape: [2, 3], runningMean, runningVar };
      const message = `runningVar: expected finite values >= 0, got ${value} in channel 2`;
      for (const call of [
        () => an.batchNorm(x, options),
        () => an.batchNorm.forward(x, options),
        () => an.batchNorm.forward(x, { ...options, training: false }),
        () => an.batchNorm.backward(x, { ...options, x, training: false }),
      ]) {
        assertRefused([x, runningMean, runningVar], call, RangeError, message);
      }
    });
  }

  test('one array for both running statistics', () => {
    const both = Float32Array.of(1, 1, 1);
    const options = { shape: [2, 3], runningMean: both, runningVar: both };
    const message = 'runningVar: expected memory of its own, got memory of another output';
    assertRefused([both], () => an.batchNorm.forward(floats(6), options), RangeError, message);
  });

  test('a single value per channel in space is enough to train', () => {
    const { y } = an.batchNorm.forward(Float32Array.of(1, 3), { shape: [1, 1, 2], eps: 0 });
    assert.deepEqual([...y], [-1, 1]);
  });
});
