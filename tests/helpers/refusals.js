import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callAll } from './call.js';
import { Problem } from './problem.js';
import * as status from './signatures.js';

const BAD_NUMBERS = {
  eps: { values: [-1e-5, -Infinity, Infinity, NaN], expected: status.ERR_EPS },
  momentum: { values: [-0.1, 1.1, Infinity, NaN], expected: status.ERR_MOMENTUM },
};

const to = (value) => () => value;

/** Every way to get one argument of the signature wrong: [what, spoil, expected status]. */
function* mistakes(signature, extents) {
  const memory = signature.args.filter((arg) => arg.array || arg.role === 'workspace');
  for (const arg of signature.args) {
    const { name, role } = arg;
    const spoil = (change) => ({ [name]: change });
    if (arg.needed || arg.neededWith) {
      yield [`${name} is NULL`, spoil(to(0)), status.ERR_NULL];
    }
    if (arg.array) {
      for (const off of [1, 2, 3]) {
        yield [`${name} + ${off} bytes`, spoil((ptr) => ptr + off), status.ERR_ALIGN];
      }
    }
    if (role === 'workspace') {
      yield [`${name} + 4 bytes`, spoil((ptr) => ptr + 4), status.ERR_ALIGN];
    }
    if (role === 'size') {
      if (!arg.mayBeZero) yield [`${name} is 0`, spoil(to(0)), status.ERR_SHAPE];
      for (const huge of [2 ** 30, 2 ** 31, 2 ** 32 - 1]) {
        yield [`${name} is ${huge}`, spoil(to(huge)), status.ERR_SHAPE];
      }
    }
    for (const value of BAD_NUMBERS[name]?.values ?? []) {
      yield [`${name} is ${value}`, spoil(to(value)), BAD_NUMBERS[name].expected];
    }
    if (role === 'flags') {
      for (let bit = 0; bit < 32; bit++) {
        if (arg.known & (1 << bit)) continue;
        yield [`flag 1 << ${bit}`, spoil((v) => (v | (1 << bit)) >>> 0), status.ERR_FLAGS];
      }
    }
    if (arg.array && role !== 'in') {
      for (const other of memory.filter((m) => m !== arg)) {
        const inPlace = signature.inPlace.some(([o, i]) => o === name && i === other.name);
        const floats = extents[arg.extent];
        const overlaps = [
          ...(inPlace ? [] : [['is', (_, all) => all[other.name]]]),
          ['ends in', (_, all) => all[other.name] - 4 * (floats - 1)],
          [
            'starts in the last float of',
            (_, all) => all[other.name] + 4 * (extents[other.extent] - 1),
          ],
        ];
        for (const [how, change] of overlaps) {
          if (other.role === 'workspace' && how.startsWith('starts')) continue;
          yield [`${name} ${how} ${other.name}`, spoil(change), status.ERR_OVERLAP];
        }
      }
    }
  }
}

/** @param {import('./norms.js').Norm} norm @param {object[]} sizes */
export function testRefusals(norm, sizes) {
  describe('a bad argument is refused before anything is written', () => {
    for (const direction of ['forward', 'backward']) {
      test(norm[direction].symbol, () => {
        for (const one of sizes) {
          const problem = new Problem(norm, one);
          for (const [what, spoil, expected] of mistakes(norm[direction], problem.extents)) {
            const label = `${problem.label}: ${what}`;
            const { status: got } = callAll(problem[`${direction}Call`]({ spoil }), label);
            assert.equal(got, expected, `${label}: status`);
          }
        }
      });
    }
  });
}
