import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callAll } from './call.js';
import { Problem } from './problem.js';
import * as status from './signatures.js';

const to = (value) => () => value;

/** A multiple of the alignment next to an address. */
const alignedUp = (ptr, { align = 4 }) => Math.ceil(ptr / align) * align;
const alignedDown = (ptr, { align = 4 }) => Math.floor(ptr / align) * align;

/**
 * Every way to get one argument of the signature wrong: [what, spoil, expected status].
 * @param {import('./signatures.js').Signature} signature
 * @param {Record<string, number>} extents
 */
export function* mistakes(signature, extents) {
  const memory = signature.args.filter((arg) => arg.array || arg.role === 'workspace');
  for (const arg of signature.args) {
    const { name, role } = arg;
    const spoil = (change) => ({ [name]: change });
    if (arg.needed || arg.neededWith) {
      yield [`${name} is NULL`, spoil(to(0)), status.ERR_NULL];
    }
    if (memory.includes(arg)) {
      for (const off of [1, 2, 3, ...(arg.align === 8 ? [4] : [])]) {
        yield [`${name} + ${off} bytes`, spoil((ptr) => ptr + off), status.ERR_ALIGN];
      }
    }
    if (role === 'size') {
      if (!arg.mayBeZero) yield [`${name} is 0`, spoil(to(0)), status.ERR_SHAPE];
      for (const huge of [2 ** 30, 2 ** 31, 2 ** 32 - 1]) {
        yield [`${name} is ${huge}`, spoil(to(huge)), status.ERR_SHAPE];
      }
    }
    for (const value of arg.bad ?? []) {
      yield [`${name} is ${value}`, spoil(to(value)), arg.refusal];
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
          ...(inPlace ? [] : [['is', (_, all) => alignedDown(all[other.name], arg)]]),
          ['ends in', (_, all) => alignedUp(all[other.name] - 4 * (floats - 1), arg)],
          [
            'starts in the last float of',
            (_, all) => alignedDown(all[other.name] + 4 * (extents[other.extent] - 1), arg),
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
