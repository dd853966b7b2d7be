import assert from 'node:assert/strict';
import { sameBits } from './bits.js';
import { builds } from './builds.js';
import { Fenced } from './fence.js';
import { ACCUMULATE, OK } from './signatures.js';

/** @typedef {Float32Array | Int32Array | Uint32Array} Words */

/**
 * One call of a kernel.
 *
 * @typedef {object} Call
 * @property {import('./signatures.js').Signature} fn
 * @property {Record<string, number>} extents  lengths of the arrays
 * @property {Record<string, Words | number>} values  of inputs, sizes and numbers; an input that is
 *   absent is NULL, an array that is read and written starts from here
 * @property {number} [flags]
 * @property {string[]} [without]  outputs that are NULL
 * @property {[string, string]} [inPlace]  output and the input whose memory it is
 * @property {number} [skew]  the first array starts this many floats past a multiple of 16 bytes,
 *   the next one more, and so on modulo 4; default 0
 * @property {Record<string, (value: number, all: Record<string, number>) => number>} [spoil]
 *   changes arguments just before the call
 */

const bytes = (a) => new Uint32Array(a.buffer, a.byteOffset, a.length);

/**
 * Calls one build. Checks what holds for every call: nothing outside the arrays is written, inputs
 * stay as they are, all of every output is written; or, with an error, nothing is.
 * @param {import('./builds.js').Build} build
 * @param {Call} call
 * @param {string} label
 * @returns {Record<string, Float32Array> & { status: number }}
 */
export function callOn(build, call, label) {
  const { fn, extents, values, flags = 0, without = [], inPlace = [], skew = 0, spoil = {} } = call;
  build.reset();
  const arrays = [];
  const passed = {};
  let turn = skew;
  const place = (arg, length, at, before) => {
    const fenced = new Fenced(build, length, arg.align === 8 ? at & 2 : at);
    if (before) fenced.set(before);
    passed[arg.name] = fenced.ptr;
    arrays.push({ ...arg, fenced, before });
  };
  for (const arg of fn.args) {
    const value = values[arg.name];
    passed[arg.name] = 0;
    if (arg.role === 'workspace') {
      place(arg, arg.length(build, extents), skew);
    } else if (arg.array) {
      const isOut = arg.role !== 'in';
      if (isOut ? without.includes(arg.name) || arg.name === inPlace[0] : value === undefined) {
        continue;
      }
      const adds = flags & ACCUMULATE && arg.accumulates;
      if (adds || arg.role === 'both') assert.ok(value, `${label}: no start for ${arg.name}`);
      const before = arg.role === 'out' && !adds ? undefined : value;
      place(arg, extents[arg.extent], turn++ % 4, before);
    } else {
      passed[arg.name] = arg.role === 'flags' ? flags : value;
    }
  }
  if (inPlace.length > 0) passed[inPlace[0]] = passed[inPlace[1]];
  const given = { ...passed };
  for (const [name, change] of Object.entries(spoil)) passed[name] = change(passed[name], given);

  const status = build.exports[fn.symbol](...fn.args.map((arg) => passed[arg.name]));

  const result = { status };
  for (const { name, role, fenced, before, integer } of arrays) {
    const what = `${label} ${name}`;
    fenced.intact(what);
    if (role === 'workspace') {
      if (status !== OK) fenced.untouched(what);
      continue;
    }
    const target = name === inPlace[1] && status === OK ? inPlace[0] : undefined;
    const written = role !== 'in' && status === OK;
    if (before && !written && !target) fenced.unchanged(before, what);
    if (!before && written) fenced.written(what);
    if (!before && !written) fenced.untouched(what);
    if (target) result[target] = fenced.data;
    else if (written) result[name] = integer ? bytes(fenced.data)[0] : fenced.data;
  }
  return result;
}

/**
 * Calls every build and expects the same bits of all of them.
 * @param {Call} call
 * @param {string} label
 */
export function callAll(call, label) {
  let first;
  for (const build of builds[call.fn.module]) {
    const got = callOn(build, call, `${label} ${build.name}`);
    first ??= got;
    assert.equal(got.status, first.status, `${label} ${build.name}: status`);
    same(got, first, `${label} ${build.name} and scalar`);
  }
  return first;
}

/** As callAll, and expects success. */
export function succeed(call, label) {
  const got = callAll(call, label);
  assert.equal(got.status, OK, `${label}: status`);
  return got;
}

/** The outputs that both have are the same, bit by bit. */
export function same(got, want, label) {
  const names = Object.keys(got).filter((name) => name !== 'status' && name in want);
  for (const name of names) {
    if (typeof got[name] === 'number') assert.equal(got[name], want[name], `${label}: ${name}`);
    else sameBits(got[name], want[name], `${label}: ${name}`);
  }
  return names.length;
}
