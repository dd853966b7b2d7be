/*
 * The records of data/cases.json (format: data/README.md) as calls of the public API, and how their
 * expected values are compared.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const records = JSON.parse(
  readFileSync(new URL('data/cases.json', import.meta.url), 'utf8'),
);

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

const GENERATORS = {
  const:
    ({ value }) =>
    () =>
      value,
  linspace:
    ({ n, start, stop }) =>
    (i) =>
      start + ((stop - start) * i) / (n - 1),
  lcg: ({ seed, offset, scale }) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return offset + scale * (2 * (state / 2 ** 32) - 1);
    };
  },
};

/** A list of numbers or a rule that makes one, in float64. */
function expand(array) {
  if (Array.isArray(array)) return array.map(Number);
  const element = GENERATORS[array.gen](array);
  return Array.from({ length: array.n }, (_, i) => element(i));
}

export const floats = (array) => Float32Array.from(expand(array));

/** Record's name of an input -> ours. */
const INPUTS = { mean: 'runningMean', var: 'runningVar' };

const present = (entries) => Object.fromEntries(entries.filter(([, value]) => value != null));

/** How many statistics and parameters there are, and the options. */
const OPERATIONS = {
  layerNorm: rows,
  rmsNorm: rows,
  groupNorm: ({ shape, attrs }) => {
    const channels = shape[1];
    const { groups, layout } = attrs;
    return { set: shape[0] * groups, channel: channels, options: { groups, layout } };
  },
  batchNorm: ({ shape, attrs }) => {
    const channel = shape.at(attrs.axis);
    const { layout, training, momentum } = attrs;
    const inTraining = { momentum, runningVarEstimate: unbiased(attrs) };
    const options = { layout, training, ...(training ? inTraining : {}) };
    return { set: channel, channel, options };
  },
};

function rows({ shape, attrs: { normalizedShape } }) {
  const channel = sizeOf(normalizedShape);
  return { set: sizeOf(shape) / channel, channel, options: { normalizedShape } };
}

const unbiased = ({ unbiasedRunningVar }) => (unbiasedRunningVar ? 'unbiased' : 'biased');

/**
 * @param {any} record
 * @returns {import('../properties/api.js').Spec}
 */
export function specOf(record) {
  const { id, op, shape, attrs, inputs } = record;
  const { set, channel, options } = OPERATIONS[op](record);
  const arrays = Object.entries(inputs).map(([name, array]) => [
    INPUTS[name] ?? name,
    array === null ? null : floats(array),
  ]);
  return {
    label: id,
    operation: op,
    shape,
    options: { ...options, eps: attrs.epsilon },
    inputs: present(arrays),
    extents: { x: sizeOf(shape), set, channel },
  };
}

/** Which values of an expected array are given: [position, value]. */
function* pairs(want) {
  if (Array.isArray(want) || want.gen) yield* expand(want).entries();
  else for (const [k, i] of want.at.entries()) yield [i, Number(want.values[k])];
}

/**
 * Every expected output, within the record's tolerance.
 * @param {Record<string, Float32Array>} got
 * @param {any} record
 * @param {string} label
 * @returns {number} how many values were compared
 */
export function expectRecord(got, { expected, tolerance }, label) {
  let compared = 0;
  for (const [name, want] of Object.entries(expected)) {
    const { abs, rel } = tolerance.outputs?.[name] ?? tolerance;
    assert.equal(got[name]?.length, want.n ?? want.length, `${label}: length of ${name}`);
    for (const [i, v] of pairs(want)) {
      const isRight = Number.isNaN(v)
        ? Number.isNaN(got[name][i])
        : got[name][i] === v || Math.abs(got[name][i] - v) <= abs + rel * Math.abs(v);
      assert.ok(isRight, `${label}: ${name}[${i}]: expected ${v}, got ${got[name][i]}`);
      compared++;
    }
  }
  return compared;
}
