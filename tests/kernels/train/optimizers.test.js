/* an_sgd_step and an_adam_step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERR_VALUE } from '../../helpers/signatures.js';
import { range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { refused, Trial, testKernel } from '../../helpers/train/suite.js';

const sizes = [...range(1, 17), 1000, 4099].map((n) => ({ n }));
const few = [{ n: 2 }, { n: 7 }, { n: 16 }];

const sgd = {
  fn: fn.sgdStep,
  want: oracle.sgdStep,
  limit: 2,
  numbers: { rate: 0.013, momentum: 0.9 },
  withNull: { velocity: { momentum: 0 } },
};
testKernel(sgd, { sizes, few }, () => {
  test('momentum without velocity is refused', () => {
    const trial = new Trial(sgd, { n: 5 }).with({ velocity: undefined });
    const without = ['velocity'];
    refused(trial, { momentum: 1e-9 }, ERR_VALUE, 'velocity=NULL momentum=1e-9', { without });
  });

  test('without momentum, velocity is the gradient', () => {
    const trial = new Trial({ ...sgd, numbers: { rate: 0.1, momentum: 0 } }, { n: 9 });
    const { velocity, values } = trial.run();
    assert.deepEqual(velocity, trial.values.gradient);
    const without = trial.with({ velocity: undefined }).run({ without: ['velocity'] });
    assert.deepEqual(without.values, values);
  });

  test('rate 0 leaves the values', () => {
    const trial = new Trial({ ...sgd, numbers: { rate: 0, momentum: 0.5 } }, { n: 9 });
    assert.deepEqual(trial.run().values, trial.values.values);
  });
});

const NUMBERS = { rate: 0.006, beta1: 0.9, beta2: 0.98, eps: 1e-8, decay: 0.1 };
const corrections = (step) => ({ c1: 1 - NUMBERS.beta1 ** step, c2: 1 - NUMBERS.beta2 ** step });
const adam = {
  fn: fn.adamStep,
  want: oracle.adamStep,
  numbers: { ...NUMBERS, ...corrections(3) },
  draw: { v: (u) => u * u },
};
testKernel(adam, { sizes, few }, () => {
  test('the first step moves every value by the rate, whatever the size of the gradient', () => {
    const zero = () => 0;
    for (const size of [1, 1e-6, 1e15]) {
      const kernel = {
        ...adam,
        numbers: { ...NUMBERS, ...corrections(1), decay: 0 },
        draw: { values: zero, m: zero, v: zero, gradient: (u) => size * (u < 0 ? u - 1 : u + 1) },
      };
      const trial = new Trial(kernel, { n: 11 }, `size=${size}`);
      const { values } = trial.check();
      for (const [i, g] of trial.values.gradient.entries()) {
        const moved = -Math.sign(g) * NUMBERS.rate;
        assert.ok(
          Math.abs(values[i] - moved) < 0.01 * NUMBERS.rate,
          `${trial.label}: ${values[i]}`,
        );
      }
    }
  });

  test('a value whose gradient was always 0 stays', () => {
    const zero = () => 0;
    const kernel = {
      ...adam,
      numbers: { ...adam.numbers, decay: 0 },
      draw: { m: zero, v: zero, gradient: zero },
    };
    const trial = new Trial(kernel, { n: 7 });
    assert.deepEqual(trial.run().values, trial.values.values);
  });

  test('many steps follow float64', () => {
    const zero = () => 0;
    let trial = new Trial({ ...adam, draw: { m: zero, v: zero } }, { n: 13 });
    for (let step = 1; step <= 50; step++) {
      trial = trial.with(corrections(step), `step ${step}`);
      const { values, m, v } = trial.check();
      trial = trial.with({ values, m, v, gradient: values.map((w, i) => w - i / 13) });
    }
  });

  test('NaN and infinities stay where they are', () => {
    const trial = new Trial(adam, { n: 9 });
    const gradient = trial.values.gradient.map((g, i) => (i === 2 ? NaN : i === 7 ? Infinity : g));
    const { values } = trial.with({ gradient }, 'NaN').run();
    for (const [i, value] of values.entries())
      assert.equal(Number.isFinite(value), i !== 2 && i !== 7);
  });
});
