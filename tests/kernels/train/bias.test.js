import { test } from 'node:test';
import { product, range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { Trial, testKernel } from '../../helpers/train/suite.js';

/** Rows that are added in one chain, pairs of pairs at a time. */
const BLOCK = 128;

const lists = {
  sizes: [
    ...product({ rows: range(1, 9), cols: range(1, 13) }),
    ...product({ rows: [127, 128, 129, 255, 256, 257, 1000], cols: [1, 5, 32] }),
  ],
  few: [
    { rows: 5, cols: 3 },
    { rows: 2, cols: 8 },
    { rows: 131, cols: 6 },
  ],
};

testKernel({ fn: fn.biasForward, want: oracle.biasForward, limit: 1 }, lists);

const backward = { fn: fn.biasBackward, want: oracle.biasBackward };
testKernel(backward, lists, () => {
  test('any terms stay within the bound of their chains', () => {
    const kinds = { positive: (u) => 1 + u, constant: () => 0.1, huge: (u) => 1e35 * u };
    for (const [kind, dy] of Object.entries(kinds)) {
      for (const rows of [31, 128, 1000]) {
        const chain = 2 + Math.min(rows, BLOCK) / 4 + 3 + Math.ceil(rows / BLOCK);
        new Trial({ ...backward, draw: { dy }, limit: chain / 2 }, { rows, cols: 7 }, kind).check();
      }
    }
  });
});
