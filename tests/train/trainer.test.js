// Trainers: what is refused, what a step reports, clipping, held-out data and divergence.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builds } from './support.js';

const [t] = builds;
const task = t.task({ symbols: 4, length: 4 });
const SETTINGS = { depth: 2, width: 16, heads: 2, batch: 8, ...task.sizes };
const TASK = { symbols: 4, length: 4 };

const snapshot = (model) => model.parameters.map(({ values }) => values.slice());

test('settings that do not fit are refused before anything is allocated', () => {
  const model = t.transformer(SETTINGS);
  const { used } = t.memoryUsage();
  const refused = (options, name, message) => {
    assert.throws(() => t.trainer(model, { ...TASK, ...options }), { name, message });
    assert.equal(t.memoryUsage().used, used);
  };
  refused({ rate: -1 }, 'RangeError', 'rate: expected a finite number >= 0, got -1');
  refused({ rate: NaN }, 'RangeError', 'rate: expected a finite number >= 0, got NaN');
  refused({ rate: Infinity }, 'RangeError', 'rate: expected a finite number >= 0, got Infinity');
  refused(
    { warmup: 0.5 },
    'RangeError',
    'warmup: expected a whole number from 0 to 1000000000, got 0.5',
  );
  refused(
    { decay: 'cosine' },
    'RangeError',
    "decay: expected 'none' or 'inverseSqrt', got 'cosine'",
  );
  refused({ optimizer: 'lion' }, 'RangeError', "optimizer: expected 'adam' or 'sgd', got 'lion'");
  refused({ betas: [0.9, 1] }, 'RangeError', 'betas[1]: expected a number >= 0 and < 1, got 1');
  refused({ betas: [0.9] }, 'RangeError', 'betas: expected two numbers, got 1');
  refused({ betas: 0.9 }, 'TypeError', 'betas: expected two numbers, got 0.9');
  refused({ momentum: 2 }, 'RangeError', 'momentum: expected a number from 0 to 1, got 2');
  refused({ clip: '1' }, 'TypeError', "clip: expected a finite number >= 0, got '1'");
  refused({ task: 'add' }, 'RangeError', /^task: expected 'reverse', /);
  refused({ lr: 1 }, 'TypeError', "trainer: unknown option 'lr'");
  refused({ length: 5 }, 'RangeError', "model: expected 9 tokens for 'reverse', got 7");
  refused(
    { symbols: 5 },
    'RangeError',
    "model: expected a vocabulary of at least 5 for 'reverse', got 4",
  );
  assert.throws(() => t.trainer({}, TASK), {
    name: 'TypeError',
    message: 'model: expected what transformer() has made, got Object',
  });
  model.dispose();
});

test('a step reports the batch before the update, and the loss falls', () => {
  const model = t.transformer(SETTINGS);
  const trainer = t.trainer(model, { ...TASK, rate: 0.01, warmup: 4 });
  const rates = [];
  let last;
  for (let i = 1; i <= 60; i++) {
    const result = trainer.step();
    assert.equal(result.step, i);
    assert.equal(result.finite, true);
    assert.ok(result.gradientNorm > 0);
    assert.ok(result.accuracy >= 0 && result.accuracy <= 1);
    if (i > 1) assert.equal(result, last, 'the same object each time');
    else assert.ok(Math.abs(result.loss - trainer.chance) < 1, `${result.loss}`);
    rates.push(result.rate);
    last = result;
  }
  assert.deepEqual(rates.slice(0, 5), [0.0025, 0.005, 0.0075, 0.01, 0.01]);
  assert.ok(last.loss < 0.8 * trainer.chance, `${last.loss}`);
  assert.equal(trainer.floor, 0);
  model.dispose();
});

test('evaluate() is the same each time and changes neither model nor training', () => {
  const run = (evaluates) => {
    const model = t.transformer(SETTINGS);
    const trainer = t.trainer(model, { ...TASK, rate: 0.01 });
    const losses = [];
    for (let i = 0; i < 12; i++) {
      losses.push(trainer.step().loss);
      if (!evaluates) continue;
      const before = snapshot(model);
      assert.deepEqual(trainer.evaluate(2), trainer.evaluate(2));
      t.probe(model, { ...TASK, losses: 2 });
      assert.deepEqual(snapshot(model), before);
    }
    model.dispose();
    return losses;
  };
  assert.deepEqual(run(true), run(false));
});

test('clipping scales gradients down to the limit, and leaves shorter ones alone', () => {
  const update = (clip) => {
    const model = t.transformer(SETTINGS);
    const before = snapshot(model);
    const trainer = t.trainer(model, { ...TASK, optimizer: 'sgd', rate: 1, clip });
    const { gradientNorm } = trainer.step();
    const change = snapshot(model).flatMap((values, i) =>
      [...values].map((v, k) => v - before[i][k]),
    );
    model.dispose();
    return { gradientNorm, length: Math.hypot(...change) };
  };
  const free = update(0);
  const clipped = update(free.gradientNorm / 4);
  const loose = update(free.gradientNorm * 4);
  const near = (got, want) => assert.ok(Math.abs(got / want - 1) < 1e-4, `${got} ${want}`);
  near(free.length, free.gradientNorm);
  near(clipped.length, free.gradientNorm / 4);
  assert.equal(clipped.gradientNorm, free.gradientNorm);
  assert.equal(loose.length, free.length);
});

describe('divergence', () => {
  for (const t of builds) {
    test(`stops at the first loss that is not finite and keeps the parameters, ${t.build}`, () => {
      const model = t.transformer({ ...SETTINGS, placement: 'none', depth: 4 });
      const trainer = t.trainer(model, { ...TASK, optimizer: 'sgd', rate: 1e4 });
      let before;
      let result;
      do {
        before = snapshot(model);
        result = trainer.step();
      } while (result.finite && result.step < 50);
      const { step, loss, gradientNorm } = result;
      assert.equal(result.finite, false);
      assert.ok(!Number.isFinite(loss) || !Number.isFinite(gradientNorm));
      assert.ok(step > 1 && step < 50, `${step}`);
      assert.deepEqual(snapshot(model), before);
      const again = trainer.step();
      assert.deepEqual({ ...again }, { ...result, step });
      assert.deepEqual(snapshot(model), before);
      model.dispose();
    });
  }
});
