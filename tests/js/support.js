/** One small call of every function of the API, which the tests change one thing at a time. */
import assert from 'node:assert/strict';
import { randomArray } from '../helpers/random.js';

const WIDTH = 3;

const values = (label, length) => randomArray(label, length, (u) => u + 0.25);
const positive = (label, length) => randomArray(label, length, (u) => u + 1.5);

/**
 * What is special about an operation on a [2, 4, width] array: its options, and the lengths of its
 * results.
 */
const operationsOf = (width) => ({
  layerNorm: {
    settings: { axis: -1 },
    parameters: { gamma: width, beta: width },
    statistics: { mean: 8, rstd: 8 },
  },
  rmsNorm: {
    settings: { axis: -1 },
    parameters: { gamma: width },
    statistics: { rstd: 8 },
  },
  groupNorm: {
    settings: { groups: 2 },
    parameters: { gamma: 4, beta: 4 },
    statistics: { mean: 4, rstd: 4 },
  },
  instanceNorm: {
    settings: {},
    parameters: { gamma: 4, beta: 4 },
    statistics: { mean: 8, rstd: 8 },
  },
  batchNorm: {
    settings: {},
    parameters: { gamma: 4, beta: 4 },
    statistics: { mean: 4, rstd: 4 },
    running: { runningMean: 4, runningVar: 4 },
  },
  weightStandardize: {
    settings: {},
    parameters: { gain: 2 },
    statistics: { mean: 2, rstd: 2 },
  },
});

const OPERATIONS = Object.keys(operationsOf(WIDTH));

/** Fresh arrays, so that no test sees what another has done to them. */
const arrays = (lengths, label) =>
  Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => {
      const make = name === 'rstd' || name === 'runningVar' ? positive : values;
      return [name, make(`${label} ${name}`, length)];
    }),
  );

/** The lengths of what a call writes to `out`. */
function outLengths(pass, length, { parameters, statistics }) {
  if (pass === 'infer') return { out: length };
  if (pass === 'forward') return { y: length, ...statistics };
  const gradients = Object.entries(parameters).map(([name, n]) => [`d${name}`, n]);
  return { dx: length, ...Object.fromEntries(gradients) };
}

/**
 * A call that works: `invoke(an)` runs it, `options` can be changed before.
 *
 * @param {string} operation
 * @param {'infer' | 'forward' | 'backward'} pass
 * @param {number} [width]  of x, which is [2, 4, width]
 */
export function callOf(operation, pass, width = WIDTH) {
  const details = operationsOf(width)[operation];
  const { settings, parameters, statistics, running } = details;
  const length = 8 * width;
  const name = pass === 'infer' ? operation : `${operation}.${pass}`;
  const first = pass === 'backward' ? 'dy' : operation === 'weightStandardize' ? 'w' : 'x';
  const options = { shape: [2, 4, width], ...settings, ...arrays(parameters, name) };
  if (pass === 'backward') {
    Object.assign(options, { x: values(`${name} x`, length), ...arrays(statistics, name) });
    delete options.beta; // which backward takes, but does not look at
  }
  if (running && pass !== 'backward') Object.assign(options, arrays(running, name));
  const call = {
    name,
    /** For the names of tests. */
    label: name,
    operation,
    pass,
    /** Name of the first argument in messages. */
    first,
    input: values(`${name} input`, length),
    options,
    outLengths: outLengths(pass, length, details),
    function: (an) => (pass === 'infer' ? an[operation] : an[operation][pass]),
    /** The same call with fresh arrays. */
    again: (other = width) => callOf(operation, pass, other),
    invoke: (an) => call.function(an)(call.input, call.options),
  };
  return call;
}

const PASSES = ['infer', 'forward', 'backward'];

/** A fresh working call of every function. */
export const allCalls = () =>
  OPERATIONS.flatMap((operation) => PASSES.map((pass) => callOf(operation, pass)));

/** Operations that take a mask. */
const MASKABLE = ['groupNorm', 'instanceNorm', 'batchNorm'];

/** A working call with padding in it: the first position of the second example. */
function maskedCallOf(operation, pass, width = WIDTH) {
  const call = callOf(operation, pass, width);
  call.options.mask = Uint8Array.from({ length: 2 * width }, (_, i) => Number(i !== width));
  call.label = `${call.name} with a mask`;
  call.again = (other = width) => maskedCallOf(operation, pass, other);
  return call;
}

/** A fresh call of every function that takes a mask. */
export const maskedCalls = () =>
  MASKABLE.flatMap((operation) => PASSES.map((pass) => maskedCallOf(operation, pass)));

export const everyCall = () => [...allCalls(), ...maskedCalls()];

/** Adds `out` arrays for all results of a call; returns them by name. */
export function giveOut(call, make = (length) => new Float32Array(length).fill(-77)) {
  const outs = Object.fromEntries(
    Object.entries(call.outLengths).map(([name, length]) => [name, make(length, name)]),
  );
  call.options.out = call.pass === 'infer' ? outs.out : outs;
  return outs;
}

/** The arrays of a result by name; inference has one. */
export const resultsOf = (call, result) =>
  call.pass === 'infer'
    ? { out: result }
    : Object.fromEntries(Object.keys(call.outLengths).map((name) => [name, result[name]]));

/** The values of a result of either kind, as bits. */
export const bitsOf = (array) => {
  const data = array instanceof Float32Array ? array : array.data;
  return Array.from(new Uint32Array(data.slice().buffer));
};

export const allBits = (call, result) =>
  Object.fromEntries(
    Object.entries(resultsOf(call, result)).map(([name, array]) => [name, bitsOf(array)]),
  );

/** Runs fn and checks that it throws this and writes to none of the arrays. */
export function assertRefused(arrays, fn, type, message) {
  const before = arrays.map(bitsOf);
  assert.throws(fn, (error) => {
    assert.equal(error.constructor, type, `${error}`);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(arrays.map(bitsOf), before, 'an array was written to');
}
