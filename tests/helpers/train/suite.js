/*
 * What every function of include/axisnorm_train.h has to do, for the sizes its test file lists.
 * Every call made here is fenced, poisoned, and made on both builds with the same bits (../call.js).
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { callAll, same, succeed } from '../call.js';
import { randomArray } from '../random.js';
import { mistakes } from '../refusals.js';
import { ACCUMULATE } from '../signatures.js';
import { within, worst } from '../ulp.js';

/**
 * @typedef {object} Kernel
 * @property {ReturnType<typeof import('./signatures.js')['norm']>} fn  from signatures.js
 * @property {(values: object, before?: object) => object} want  from oracle.js
 * @property {number} [limit]  in units of ../ulp.js; default 4
 * @property {Record<string, number>} [numbers]  arguments that are neither array nor size
 * @property {Record<string, (u: number, i: number) => number>} [draw]  values of an array from u in
 *   [-1, 1); default: u
 * @property {(sizes: object, label: string) => object} [inputs]  arrays that are drawn otherwise
 */

export const LIMIT = 4;

const outputs = (fn) => fn.args.filter((arg) => arg.array && arg.role !== 'in');

const describeSizes = (sizes) =>
  Object.entries(sizes)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** One problem of a kernel: seeded inputs, what the kernel makes of it and what the oracle says. */
export class Trial {
  /** @param {Kernel} kernel */
  constructor(kernel, sizes, note = '') {
    const { fn, numbers, draw = {}, inputs } = kernel;
    this.kernel = kernel;
    this.label = [fn.symbol, describeSizes(sizes), note].filter(Boolean).join(' ');
    this.extents = fn.extents(sizes);
    this.values = { ...numbers, ...sizes };
    for (const { array, role, name, extent, accumulates } of fn.args) {
      if (!array || (role === 'out' && !accumulates)) continue;
      this.values[name] = randomArray(`${this.label} ${name}`, this.extents[extent], draw[name]);
    }
    Object.assign(this.values, inputs?.({ ...numbers, ...sizes }, this.label));
  }

  /** A copy with other arguments. */
  with(values, note = '') {
    const copy = Object.assign(Object.create(Trial.prototype), this);
    copy.values = { ...this.values, ...values };
    copy.label = `${this.label} ${note}`;
    return copy;
  }

  /** @param {Partial<import('../call.js').Call>} [more] */
  call(more = {}) {
    return { fn: this.kernel.fn, extents: this.extents, values: this.values, ...more };
  }

  run(more = {}, note = '') {
    return succeed(this.call(more), `${this.label} ${note}`);
  }

  want({ flags = 0 } = {}) {
    return this.kernel.want(this.values, flags & ACCUMULATE ? this.values : undefined);
  }

  /** Runs it and compares with the oracle. */
  check(more = {}, note = '') {
    const got = this.run(more, note);
    const want = this.want(more);
    within(got, want, this.kernel.limit ?? LIMIT, `${this.label} ${note}`);
    this.kernel.checkResult?.(got, want, `${this.label} ${note}`);
    return got;
  }
}

function testSizes(kernel, sizes) {
  test(`${sizes.length} sizes against the oracle`, () => {
    for (const [i, one] of sizes.entries()) new Trial(kernel, one).check({ skew: i % 4 });
  });
}

function testMemory(kernel, sizes) {
  test('alignment, a second call and in-place use change no bit', () => {
    const { fn } = kernel;
    for (const one of sizes) {
      const trial = new Trial(kernel, one);
      const first = trial.run();
      for (const skew of [0, 1, 2, 3]) {
        for (const inPlace of [undefined, ...fn.inPlace]) {
          const note = `skew=${skew} ${inPlace?.join(' = ') ?? ''}`;
          const got = trial.run({ skew, inPlace }, note);
          assert.equal(same(got, first, `${trial.label} ${note}`), outputs(fn).length);
        }
      }
    }
  });
}

function testOptionalArguments(kernel, sizes) {
  const optional = kernel.fn.args.filter((arg) => arg.array && !arg.needed);
  if (optional.length === 0) return;
  test('optional arguments', () => {
    for (const one of sizes) {
      const trial = new Trial(kernel, one);
      const full = trial.run();
      for (const { name, role } of optional) {
        const without = role === 'out' ? [name] : [];
        if (without.length > 0) {
          same(trial.run({ without }), full, `${trial.label} without ${name}`);
        } else {
          const absent = { [name]: undefined, ...kernel.withNull?.[name] };
          trial.with(absent, `without ${name}`).check({ without: role === 'both' ? [name] : [] });
        }
      }
    }
  });
}

function testAccumulation(kernel, sizes) {
  const flags = kernel.fn.args.find((arg) => arg.role === 'flags');
  if (!flags) return;
  test('AN_ACCUMULATE adds to what is there', () => {
    for (const one of sizes) new Trial(kernel, one).check({ flags: ACCUMULATE }, 'accumulating');
  });
}

function testNothing(kernel, sizes) {
  const empty = kernel.fn.args.filter((arg) => arg.mayBeZero).map((arg) => arg.name);
  test(`${empty.join(' or ')} is 0: results are zeros, if there are any`, () => {
    for (const one of sizes) {
      for (const name of empty) {
        const trial = new Trial(kernel, { ...one, [name]: 0 });
        const got = trial.run();
        for (const arg of outputs(kernel.fn)) {
          const all = `${trial.label}: ${arg.name}`;
          assert.ok(
            got[arg.name].every((v) => v === 0),
            all,
          );
        }
      }
    }
  });
}

function testRefusals(kernel, sizes) {
  test('a bad argument is refused before anything is written', () => {
    for (const one of sizes) {
      const trial = new Trial(kernel, one);
      for (const [what, spoil, expected] of mistakes(kernel.fn, trial.extents)) {
        const label = `${trial.label}: ${what}`;
        assert.equal(callAll(trial.call({ spoil }), label).status, expected, `${label}: status`);
      }
    }
  });
}

/** Expects a call with these arguments to be refused. */
export function refused(trial, values, status, note, more) {
  const changed = trial.with(values, note);
  const { status: got } = callAll(changed.call(more), changed.label);
  assert.equal(got, status, `${changed.label}: status`);
}

/**
 * @param {Kernel} kernel
 * @param {object} lists
 * @param {object[]} lists.sizes  every one against the oracle
 * @param {object[]} lists.few  small ones, for the tests that try every combination
 * @param {() => void} [more]  tests of this kernel alone
 */
export function testKernel(kernel, { sizes, few }, more) {
  describe(kernel.fn.symbol, () => {
    testSizes(kernel, sizes);
    testMemory(kernel, few);
    testOptionalArguments(kernel, few);
    testAccumulation(kernel, few);
    testNothing(kernel, few);
    testRefusals(kernel, few);
    more?.();
    after(() => {
      const errors = [...worst].map(([name, units]) => `${name} ${units.toFixed(2)}`);
      if (errors.length > 0) {
        console.log(`${kernel.fn.symbol}: largest errors in units: ${errors.join(', ')}`);
      }
      worst.clear();
    });
  });
}
