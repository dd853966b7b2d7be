/* an_unfold and an_pool, forward and backward. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERR_SHAPE } from '../../helpers/signatures.js';
import { product } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { refused, Trial, testKernel } from '../../helpers/train/suite.js';

const unfolds = {
  sizes: product({
    batch: [1, 2],
    height: [1, 2, 3, 5],
    width: [1, 2, 4, 7],
    channels: [1, 2, 3, 4, 5, 8, 11],
  }),
  few: [
    { batch: 2, height: 3, width: 2, channels: 3 },
    { batch: 1, height: 2, width: 5, channels: 4 },
  ],
};

testKernel({ fn: fn.unfoldForward, want: oracle.unfoldForward, limit: 0 }, unfolds, () => {
  test('a window of 3 x 3 in order, with zeros beyond the edges', () => {
    const kernel = { fn: fn.unfoldForward, draw: { x: (_, i) => i + 1 } };
    const { y } = new Trial(kernel, { batch: 1, height: 2, width: 3, channels: 1 }).run();
    assert.deepEqual([...y.subarray(0, 9)], [0, 0, 0, 0, 1, 2, 0, 4, 5]);
    assert.deepEqual([...y.subarray(9, 18)], [0, 0, 0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual([...y.subarray(45, 54)], [2, 3, 0, 5, 6, 0, 0, 0, 0]);
  });

  test('values beyond the edges are zeros even beside NaN', () => {
    const kernel = { fn: fn.unfoldForward, draw: { x: () => NaN } };
    const { y } = new Trial(kernel, { batch: 1, height: 1, width: 1, channels: 2 }).run();
    assert.equal(y.filter((v) => Object.is(v, 0)).length, 16);
    assert.equal(y.filter(Number.isNaN).length, 2);
  });
});

testKernel({ fn: fn.unfoldBackward, want: oracle.unfoldBackward }, unfolds);

const pools = {
  sizes: product({
    batch: [1, 2],
    height: [2, 4, 6],
    width: [2, 4, 10],
    channels: [1, 2, 3, 4, 5, 8, 11],
  }),
  few: [
    { batch: 2, height: 2, width: 4, channels: 3 },
    { batch: 1, height: 4, width: 2, channels: 4 },
  ],
};

for (const kernel of [
  { fn: fn.poolForward, want: oracle.poolForward, limit: 2 },
  { fn: fn.poolBackward, want: oracle.poolBackward, limit: 0 },
]) {
  testKernel(kernel, pools, () => {
    test('odd sides are refused', () => {
      const trial = new Trial(kernel, { batch: 1, height: 4, width: 4, channels: 3 });
      refused(trial, { height: 3 }, ERR_SHAPE, 'height 3');
      refused(trial, { width: 3 }, ERR_SHAPE, 'width 3');
      refused(trial, { height: 1, width: 1 }, ERR_SHAPE, 'height and width 1');
    });
  });
}
