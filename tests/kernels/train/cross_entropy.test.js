import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../helpers/random.js';
import { ERR_INDEX } from '../../helpers/signatures.js';
import { product, range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { LIMIT, refused, Trial, testKernel } from '../../helpers/train/suite.js';

const IGNORED = -1;

const lists = {
  sizes: [
    ...product({ rows: [1, 2, 5], classes: [...range(1, 17), 100] }),
    { rows: 240, classes: 10 },
    { rows: 3, classes: 5000 },
  ],
  few: [
    { rows: 5, classes: 3 },
    { rows: 3, classes: 8 },
    { rows: 6, classes: 10 },
  ],
};

/** What is behind `result`. */
function decode(words) {
  const view = new DataView(words.buffer, words.byteOffset);
  return {
    loss: view.getFloat64(0, true),
    counted: view.getUint32(8, true),
    correct: view.getUint32(12, true),
  };
}

function checkResult({ result }, want, label) {
  const { loss, counted, correct } = decode(result);
  const allowed = LIMIT * 2 ** -23 * want.lossScale + 1e-14 * want.loss;
  const message = `${label}: loss: expected ${want.loss}, got ${loss}`;
  assert.ok(Math.abs(loss - want.loss) <= allowed, message);
  assert.deepEqual({ counted, correct }, { counted: want.counted, correct: want.correct }, label);
}

const kernel = {
  fn: fn.crossEntropy,
  want: oracle.crossEntropy,
  checkResult,
  draw: { logits: (u) => 5 * u },
  inputs({ rows, classes }, label) {
    const next = random(`${label} targets`);
    const target = () => Math.floor(((next() + 1) / 2) * (classes + 0.5));
    const ignoreLast = (t) => (t === classes ? IGNORED : t);
    return { targets: Int32Array.from({ length: rows }, () => ignoreLast(target())) };
  },
};

/** One call with these rows of logits. */
function run(rows, targets, more) {
  const sizes = { rows: rows.length, classes: rows[0].length };
  const trial = new Trial(kernel, sizes).with(
    { logits: Float32Array.from(rows.flat()), targets: Int32Array.from(targets) },
    JSON.stringify(rows),
  );
  const got = trial.run(more);
  return { trial, ...decode(got.result), dlogits: got.dlogits && [...got.dlogits] };
}

testKernel(kernel, lists, () => {
  test('ranges of logits', () => {
    for (const size of [1e-30, 0.01, 1, 30, 200, 1e4]) {
      const scaled = { ...kernel, draw: { logits: (u) => size * u } };
      for (const one of lists.few) new Trial(scaled, one, `size=${size}`).check();
    }
  });

  test('logits of 1e30 neither overflow nor give NaN', () => {
    const right = run([[1e30, -1e30, 0]], [0]);
    assert.equal(right.loss, 0);
    assert.equal(right.correct, 1);
    assert.deepEqual(right.dlogits, [0, 0, 0]);
    const wrong = run([[1e30, -1e30, 0]], [1]);
    assert.equal(wrong.loss, Math.fround(1e30) - Math.fround(-1e30));
    assert.equal(wrong.correct, 0);
    assert.deepEqual(wrong.dlogits, [1, -1, 0]);
  });

  test('a loss near 0 keeps its digits', () => {
    for (const lead of [10, 16, 20, 30]) {
      const { trial, loss } = run([[lead, 0, 0]], [0]);
      const want = Math.log1p(2 * Math.exp(-lead));
      assert.ok(
        Math.abs(loss - want) <= 1e-5 * want + 2 ** -52,
        `${trial.label}: ${loss}, ${want}`,
      );
    }
  });

  test('equal logits: the loss is log(classes), and the first is the largest', () => {
    const { loss, correct } = run([[7, 7, 7], [7, 7, 7], [7, 7, 7]], [0, 1, 2]); // biome-ignore format: rows
    assert.ok(Math.abs(loss - Math.log(3)) < 1e-15);
    assert.equal(correct, 1);
  });

  test('ignored rows have gradient exactly 0 and change nothing', () => {
    const a = run([[1, 2, 3], [4, 6, 5]], [2, 0]); // biome-ignore format: rows
    const b = run([[1, 2, 3], [NaN, Infinity, 9], [4, 6, 5]], [2, IGNORED, 0]); // biome-ignore format: rows
    assert.equal(b.loss, a.loss);
    assert.equal(b.counted, 2);
    assert.deepEqual(b.dlogits, [...a.dlogits.slice(0, 3), 0, 0, 0, ...a.dlogits.slice(3)]);
  });

  test('all rows ignored: loss 0, gradients 0', () => {
    const { loss, counted, correct, dlogits } = run([[1, NaN]], [IGNORED]);
    assert.deepEqual(
      { loss, counted, correct, dlogits },
      { loss: 0, counted: 0, correct: 0, dlogits: [0, 0] },
    );
  });

  test('NaN and infinite logits spoil their row and the loss', () => {
    for (const bad of [NaN, Infinity]) {
      const { loss, dlogits, correct } = run([[1, bad, 3], [4, 6, 5]], [2, 1]); // biome-ignore format: rows
      assert.ok(Number.isNaN(loss));
      assert.ok(dlogits.slice(0, 3).every(Number.isNaN));
      assert.ok(dlogits.slice(3).every(Number.isFinite));
      assert.equal(correct, 1);
    }
    const never = run([[1, -Infinity, 3]], [2]);
    assert.ok(Number.isFinite(never.loss));
    assert.equal(never.dlogits[1], 0);
    assert.equal(run([[1, -Infinity, 3]], [1]).loss, Infinity);
  });

  test('a target that is no class is refused before anything is written', () => {
    const trial = new Trial(kernel, { rows: 5, classes: 3 });
    for (let at = 0; at < 5; at++) {
      for (const target of [3, 4, -2, -(2 ** 31), 2 ** 31 - 1]) {
        const targets = trial.values.targets.slice();
        targets[at] = target;
        refused(trial, { targets }, ERR_INDEX, `targets[${at}]=${target}`);
      }
    }
  });
});
