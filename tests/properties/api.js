/*
 * The public API, called in every way it can be called: with arrays, views and tensors, in place or
 * not, on both builds. A call is data, so that the same call can be made in all these ways.
 */
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { sameBits } from '../helpers/bits.js';
import { same } from '../helpers/call.js';

export const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

/**
 * @typedef {object} Spec
 * @property {string} label
 * @property {string} operation  of the API
 * @property {number[]} shape  of x
 * @property {boolean} [flat]  arrays come without their shape
 * @property {Record<string, unknown>} options  that are no arrays
 * @property {Record<string, Float32Array | undefined>} inputs  x; dy for the backward; gamma, beta,
 *   runningMean, runningVar; dgamma and dbeta to accumulate to
 * @property {{ x: number, set: number, channel: number }} extents  lengths of the arrays
 */

/**
 * @typedef {object} How
 * @property {keyof typeof WAYS} [way]
 * @property {number} [offset]  of views
 * @property {'dy' | 'x'} [over]  in place: y over x, and dx over this
 * @property {boolean} [exact]
 * @property {string[]} [outputs]
 * @property {boolean} [accumulate]
 */

/** Values after a view, in the array that it is a view of. */
const TAIL = 5;

/** `values` amid NaNs, which intact() expects to find again. */
function surrounded(values, offset, allocate) {
  const end = offset + values.length;
  const whole = allocate(end + TAIL);
  whole().fill(NaN).set(values, offset);
  return {
    get operand() {
      return whole().subarray(offset, end);
    },
    intact(label) {
      const around = [...whole().subarray(0, offset), ...whole().subarray(end)];
      assert.equal(around.length, offset + TAIL);
      assert.ok(around.every(Number.isNaN), `${label}: a write outside`);
    },
  };
}

/** How arrays are handed over: (scope, offset) gives a function of (values, shape). */
const WAYS = {
  arrays: () => (values) => ({ operand: values.slice(), intact() {} }),
  views: (_, offset) => (values) =>
    surrounded(values, offset, (length) => {
      const whole = new Float32Array(length);
      return () => whole;
    }),
  tensors: (scope) => (values, shape) => ({ operand: scope.tensor(shape, values), intact() {} }),
  // their addresses in wasm memory are multiples of 4 only
  tensorViews: (scope, offset) => (values) =>
    surrounded(values, offset, (length) => {
      const tensor = scope.tensor(length);
      return () => tensor.data;
    }),
};

/** What the library takes as absent it does not find in the options at all. */
const given = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const STATISTICS = { rmsNorm: ['rstd'] };
const GRADIENTS = { rmsNorm: ['dx', 'dgamma'], weightStandardize: ['dx', 'dgamma'] };

export const gradientsOf = ({ operation }) => GRADIENTS[operation] ?? ['dx', 'dgamma', 'dbeta'];

/** Weight standardization has its own names for gamma and dgamma. */
const OTHER_NAMES = { weightStandardize: { gamma: 'gain', dgamma: 'dgain' } };
const nameIn = (operation, name) => OTHER_NAMES[operation]?.[name] ?? name;
const named = (operation, object) =>
  Object.fromEntries(
    Object.entries(given(object)).map(([name, value]) => [nameIn(operation, name), value]),
  );

/**
 * Forward, and backward where there is a dy. Inputs that are not written in place have to stay as
 * they are, and views have to keep what is around them.
 * @param {any} an
 * @param {Spec} spec
 * @param {How} [how]
 * @returns {Record<string, Float32Array | number>} copies: y, mean, rstd, runningMean, runningVar,
 *   skipped, dx, dgamma, dbeta, as far as the operation has them
 */
export function compute(an, spec, how = {}) {
  return an.scope((scope) => {
    const { operation, inputs, extents } = spec;
    const { way = 'arrays', offset = 0, over, exact, accumulate } = how;
    const label = `${spec.label} ${an.build} ${JSON.stringify(how)}`;
    const isFrozen = spec.options.training === false;
    const hold = WAYS[way](scope, offset);
    // results go to tensors, not to views of them
    const holdWritten = way === 'tensorViews' ? WAYS.tensors(scope) : hold;
    const written = ['dgamma', 'dbeta', ...(isFrozen ? [] : ['runningMean', 'runningVar'])];
    const held = {};
    const all = [];
    const take = (name, values, shape = [values.length]) => {
      held[name] = (written.includes(name) ? holdWritten : hold)(values, shape);
      all.push([name, held[name]]);
    };
    const operand = (name) => held[name]?.operand;
    const place = (name, length, shape) => take(name, new Float32Array(length).fill(NaN), shape);
    const givesOut = way === 'views' || way === 'tensors';

    for (const [name, values] of Object.entries(given(inputs))) {
      take(name, values, name === 'x' || name === 'dy' ? spec.shape : undefined);
    }
    const statistics = isFrozen ? [] : (STATISTICS[operation] ?? ['mean', 'rstd']);
    const gradients = how.outputs ?? gradientsOf(spec);
    if (givesOut) {
      if (!over) place('y', extents.x, spec.shape);
      for (const name of statistics) place(name, extents.set);
      if (!over && inputs.dy) place('dx', extents.x, spec.shape);
      for (const name of ['dgamma', 'dbeta']) if (!accumulate) place(name, extents.channel);
    }

    const settings = (...names) =>
      named(operation, Object.fromEntries(names.map((name) => [name, operand(name)])));
    const f = an[operation].forward(operand('x'), {
      ...given({ ...spec.options, exact }),
      ...(spec.flat && way !== 'tensors' ? {} : { shape: spec.shape }),
      ...settings('gamma', 'beta', 'runningMean', 'runningVar'),
      out: { ...settings(...statistics), ...given({ y: operand(over ? 'x' : 'y') }) },
    });
    const { y, mean, rstd, skippedChannels: skipped } = f;
    const result = { y, mean, rstd };
    for (const name of ['runningMean', 'runningVar']) result[name] = operand(name);
    for (const [name, array] of Object.entries(result)) result[name] = array?.slice();
    if (over) take('x', inputs.x, spec.shape); // y is where it was

    if (inputs.dy) {
      const outs = {
        dx: operand(over ?? 'dx'),
        dgamma: operand('dgamma'),
        dbeta: operand('dbeta'),
      };
      const g = an[operation].backward(operand('dy'), {
        ...f,
        ...given({ exact, accumulate }),
        ...settings('x', 'gamma', ...(isFrozen ? ['runningMean', 'runningVar'] : [])),
        out: named(operation, Object.fromEntries(gradients.map((name) => [name, outs[name]]))),
        ...given({ outputs: how.outputs?.map((name) => nameIn(operation, name)) }),
      });
      for (const name of gradients) result[name] = g[nameIn(operation, name)].slice();
    }

    for (const [name, holder] of all) holder.intact(`${label}: ${name}`);
    for (const [name, values] of Object.entries(given(inputs))) {
      if (written.includes(name) || name === over) continue;
      sameBits(operand(name).slice(), values, `${label}: ${name} was changed`);
    }
    return given({ ...result, skipped });
  });
}

/**
 * The same on both builds, which have to give the same bits.
 * @param {Spec} spec
 * @param {How} [how]
 */
export function everywhere(spec, how) {
  const [first, ...others] = builds.map((an) => compute(an, spec, how));
  for (const other of others) same(other, first, `${spec.label} simd128 and scalar`);
  return first;
}
