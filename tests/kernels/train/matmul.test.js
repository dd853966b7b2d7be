import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameBits } from '../../helpers/bits.js';
import { ACCUMULATE } from '../../helpers/signatures.js';
import { product, range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { Trial, testKernel } from '../../helpers/train/suite.js';

/** Terms of a product that are added in one chain. */
const BLOCK = 128;

const FORMS = {
  nn: {
    kernel: { fn: fn.matmulNN, want: oracle.matmulNN },
    a: ({ k }, i, l) => i * k + l,
    b: ({ n }, l, j) => l * n + j,
  },
  nt: {
    kernel: { fn: fn.matmulNT, want: oracle.matmulNT },
    a: ({ k }, i, l) => i * k + l,
    b: ({ k }, l, j) => j * k + l,
  },
  tn: {
    kernel: { fn: fn.matmulTN, want: oracle.matmulTN },
    a: ({ m }, i, l) => l * m + i,
    b: ({ n }, l, j) => l * n + j,
  },
};

const SIZES = [
  ...product({ m: range(1, 9), n: range(1, 17), k: [1, 3, 8] }), // every tail of rows and columns
  ...product({ m: [5], n: [3, 11], k: [...range(1, 17), 127, 128, 129, 255, 256, 257, 1000] }),
  { m: 240, n: 96, k: 32 },
  { m: 33, n: 70, k: 300 },
];
const FEW = [
  { m: 5, n: 3, k: 7 },
  { m: 4, n: 8, k: 2 },
  { m: 6, n: 13, k: 130 },
];

/** The chains of the header of src/train/product.h, step by step. */
function inOrder({ a, b }, { m, n, k, ...values }, before) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let total = before?.[i * n + j];
      for (let first = 0; first < k; first += BLOCK) {
        let sum = 0;
        for (let l = first; l < Math.min(k, first + BLOCK); l++) {
          const term = values.a[a({ m, n, k }, i, l)] * values.b[b({ m, n, k }, l, j)];
          sum = Math.fround(sum + Math.fround(term));
        }
        total = total === undefined ? sum : Math.fround(total + sum);
      }
      c[i * n + j] = total;
    }
  }
  return c;
}

/** Of the terms of an element: what their order and their signs can do at worst. */
const KINDS = {
  cancelling: (u, i) => [2 ** 20, -(2 ** 20), u, u][i % 4],
  positive: (u) => 1 + u,
  constant: () => 0.1,
  huge: (u) => 1e18 * u,
  tiny: (u) => 1e-18 * u,
};

test('no terms are added to what is there', () => {
  const trial = new Trial(FORMS.tn.kernel, { m: 5, n: 9, k: 0 });
  sameBits(trial.run({ flags: ACCUMULATE }).c, trial.values.c, trial.label);
});

for (const form of Object.values(FORMS)) {
  const { kernel } = form;
  testKernel(kernel, { sizes: SIZES, few: FEW }, () => {
    test('terms are added in the order that is written down', () => {
      for (const one of [...FEW, { m: 7, n: 10, k: 300 }]) {
        const trial = new Trial(kernel, one);
        const want = inOrder(form, trial.values);
        sameBits(trial.run().c, want, trial.label);
        const onTop = inOrder(form, trial.values, trial.values.c);
        sameBits(trial.run({ flags: ACCUMULATE }).c, onTop, `${trial.label} accumulating`);
      }
    });

    test('any terms stay within the bound of their chains', () => {
      for (const [kind, draw] of Object.entries(KINDS)) {
        for (const k of [17, 128, 500]) {
          const chain = Math.min(k, BLOCK) + Math.ceil(k / BLOCK);
          const limited = { ...kernel, draw: { a: draw, b: draw }, limit: chain / 2 };
          new Trial(limited, { m: 5, n: 9, k }, kind).check();
        }
      }
    });

    test('NaN and infinities stay in their row or column', () => {
      const sizes = { m: 6, n: 11, k: 5 };
      const trial = new Trial(kernel, sizes);
      const clean = trial.run().c;
      for (const value of [NaN, Infinity, -Infinity]) {
        const a = trial.values.a.slice();
        a[form.a(sizes, 2, 3)] = value;
        const b = trial.values.b.slice();
        b[form.b(sizes, 4, 9)] = value;
        const { c } = trial.with({ a, b }, `with ${value}`).run();
        for (let at = 0; at < c.length; at++) {
          const spoiled = Math.floor(at / sizes.n) === 2 || at % sizes.n === 9;
          assert.equal(Number.isFinite(c[at]), !spoiled, `${trial.label} ${value}: c[${at}]`);
          if (!spoiled) assert.equal(c[at], clean[at]);
        }
      }
    });
  });
}
