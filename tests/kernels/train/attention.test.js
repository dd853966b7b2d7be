import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sameBits } from '../../helpers/bits.js';
import { product } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { Trial, testKernel } from '../../helpers/train/suite.js';

const lists = {
  sizes: [
    ...product({ batch: [2], tokens: [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17], heads: [3] }).flatMap(
      (one) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 19].map((headWidth) => ({ ...one, headWidth })),
    ),
    ...product({ batch: [1, 3], tokens: [33], heads: [1, 2], headWidth: [8, 13] }),
  ],
  few: [
    { batch: 2, tokens: 3, heads: 2, headWidth: 3 },
    { batch: 1, tokens: 6, heads: 3, headWidth: 8 },
  ],
};

const forward = {
  fn: fn.attentionForward,
  want: oracle.attentionForward,
  draw: { qkv: (u) => 2 * u },
};
/** probs as the forward kernel leaves them: rows of a softmax, zeros above the diagonal. */
const backward = {
  fn: fn.attentionBackward,
  want: oracle.attentionBackward,
  draw: { qkv: (u) => 2 * u },
  inputs(sizes, label) {
    const { values } = new Trial(forward, sizes, label);
    return { qkv: values.qkv, probs: Float32Array.from(oracle.attentionForward(values).probs) };
  },
};

/** Sums over tokens are plain chains. */
function testManyTokens(kernel) {
  test('many tokens', () => {
    const sizes = { batch: 1, tokens: 300, heads: 1, headWidth: 16 };
    new Trial({ ...kernel, limit: 12 }, sizes).check();
  });
}

testKernel(forward, lists, () => {
  testManyTokens(forward);

  test('rows of probs add up to 1, with exact zeros for later tokens', () => {
    const { batch, tokens, heads, headWidth } = { batch: 2, tokens: 17, heads: 2, headWidth: 5 };
    const { probs } = new Trial(forward, { batch, tokens, heads, headWidth }).run();
    for (let row = 0; row < batch * heads * tokens; row++) {
      const t = row % tokens;
      const values = probs.subarray(row * tokens, (row + 1) * tokens);
      assert.ok(values.subarray(t + 1).every((p) => Object.is(p, 0)));
      const sum = values.reduce((total, p) => total + p, 0);
      assert.ok(Math.abs(sum - 1) < 1e-6, `row ${row} adds up to ${sum}`);
      if (t === 0) assert.equal(values[0], 1);
    }
  });

  test('the first token is its own value', () => {
    const sizes = { batch: 1, tokens: 4, heads: 1, headWidth: 6 };
    const trial = new Trial(forward, sizes);
    const { y } = trial.run();
    sameBits(y.subarray(0, 6), trial.values.qkv.subarray(12, 18), trial.label);
  });

  test('huge scores: the largest takes all, and nothing overflows', () => {
    const sizes = { batch: 1, tokens: 9, heads: 2, headWidth: 4 };
    for (const size of [1e4, 1e15, 1e18]) {
      const kernel = { ...forward, draw: { qkv: (u) => size * u } };
      const { probs } = new Trial(kernel, sizes, `size=${size}`).run();
      assert.ok(probs.every((p) => p >= 0 && p <= 1));
    }
  });

  test('equal scores share equally', () => {
    const sizes = { batch: 1, tokens: 11, heads: 1, headWidth: 3 };
    const { probs } = new Trial({ ...forward, draw: { qkv: () => 0 } }, sizes).run();
    for (let t = 0; t < 11; t++) {
      for (let s = 0; s <= t; s++) assert.equal(probs[t * 11 + s], Math.fround(1 / (t + 1)));
    }
  });
});

testKernel(backward, lists, () => testManyTokens(backward));

describe('causality', () => {
  const sizes = { batch: 1, tokens: 10, heads: 2, headWidth: 5 };
  const all = sizes.heads * sizes.headWidth;

  /** qkv or y from token t on replaced. */
  const from = (values, t, width, value) => values.map((v, i) => (i < t * width ? v : value));

  test('later tokens change no bit of earlier ones, not even as NaN', () => {
    const trial = new Trial(forward, sizes);
    const clean = trial.run();
    for (let t = 1; t < sizes.tokens; t++) {
      for (const value of [NaN, Infinity, 3]) {
        const qkv = from(trial.values.qkv, t, 3 * all, value);
        const got = trial.with({ qkv }, `${value} from token ${t} on`).run();
        sameBits(got.y.subarray(0, t * all), clean.y.subarray(0, t * all), 'y');
        const isLater = (i) => i % sizes.tokens > Math.floor(i / sizes.tokens) % sizes.tokens;
        assert.ok(
          got.probs.every((p, i) => !isLater(i) || Object.is(p, 0)),
          'zeros',
        );
        for (let h = 0; h < sizes.heads; h++) {
          const rows = (probs) => probs.subarray(h * 100, h * 100 + t * 10);
          sameBits(rows(got.probs), rows(clean.probs), 'probs');
        }
      }
    }
  });

  test('gradients of earlier outputs leave later tokens exactly 0', () => {
    const trial = new Trial(backward, sizes);
    for (let t = 0; t < sizes.tokens; t++) {
      const dy = from(trial.values.dy, t, all, 0);
      const { dqkv } = trial.with({ dy }, `no gradient from token ${t} on`).check();
      assert.ok(dqkv.subarray(t * 3 * all).every((v) => v === 0));
    }
  });

  test('NaN stays in its head and example', () => {
    const two = { ...sizes, batch: 2 };
    const trial = new Trial(backward, two);
    const clean = trial.run().dqkv;
    const dy = trial.values.dy.slice();
    dy[(sizes.tokens + 4) * all + 7] = NaN; // example 1, token 4, head 1
    const { dqkv } = trial.with({ dy }, 'NaN').run();
    for (let i = 0; i < dqkv.length; i++) {
      const example = Math.floor(i / (3 * all * sizes.tokens));
      const head = Math.floor((i % all) / sizes.headWidth);
      if (example === 0 || head === 0) assert.equal(dqkv[i], clean[i]);
    }
    assert.ok(dqkv.some(Number.isNaN));
  });
});
