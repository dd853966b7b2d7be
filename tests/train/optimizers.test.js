// Adam and SGD against float64, over many steps with gradients that change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Runtime } from '../../js/runtime.js';
import { uniform } from '../../js/train/init.js';
import { Arena } from '../../js/train/memory.js';
import { OPTIMIZERS } from '../../js/train/optimizers.js';
import { Parameters } from '../../js/train/parameters.js';
import { Random } from '../../js/train/random.js';
import { builds } from '../helpers/builds.js';
import { random } from '../helpers/random.js';

const STEPS = 200;
const RATE = 0.01;
const SETTINGS = { momentum: 0.9, betas: [0.9, 0.98], eps: 1e-8, weightDecay: 0.1 };

/** Each is given the state it keeps, all zeros, and the step, from 1 on. */
const FLOAT64 = {
  sgd(state, values, gradient) {
    for (const [i, g] of gradient.entries()) {
      state.m[i] = SETTINGS.momentum * state.m[i] + g;
      values[i] -= RATE * state.m[i];
    }
  },
  adam(state, values, gradient, step) {
    const [beta1, beta2] = SETTINGS.betas;
    for (const [i, g] of gradient.entries()) {
      state.m[i] = beta1 * state.m[i] + (1 - beta1) * g;
      state.v[i] = beta2 * state.v[i] + (1 - beta2) * g * g;
      const m = state.m[i] / (1 - beta1 ** step);
      const v = state.v[i] / (1 - beta2 ** step);
      values[i] = (1 - RATE * SETTINGS.weightDecay) * values[i];
      values[i] -= (RATE * m) / (Math.sqrt(v) + SETTINGS.eps);
    }
  },
};

for (const [name, expected] of Object.entries(FLOAT64)) {
  for (const build of builds.train) {
    test(`${name}: ${STEPS} steps against float64, ${build.name}`, () => {
      const runtime = new Runtime(build.name, build.exports);
      const arena = new Arena(runtime.heap, 'test');
      const parameters = new Parameters();
      const parts = [7, 20].map((length, i) => parameters.add(`p${i}`, [length], uniform([1], 1)));
      parameters.allocate(arena);
      parameters.initialize(new Random(1));
      const optimizer = new OPTIMIZERS[name](runtime.kernels, arena, parameters, SETTINGS);

      const want = parts.flatMap(({ values }) => [...values]);
      const state = { m: want.map(() => 0), v: want.map(() => 0) };
      const next = random(name);
      for (let step = 1; step <= STEPS; step++) {
        const gradient = want.map((_, i) => Math.fround((0.1 + next()) * 10 ** ((i % 5) - 3)));
        parameters.gradients.data.set(gradient);
        optimizer.step({ rate: RATE });
        expected(state, want, gradient, step);
      }
      const got = parts.flatMap(({ values }) => [...values]);
      for (const [i, value] of want.entries()) {
        const error = Math.abs(got[i] - value);
        assert.ok(
          error <= 5e-6 * (1 + Math.abs(value)),
          `[${i}]: expected ${value}, got ${got[i]}`,
        );
      }
      arena.dispose();
    });
  }
}
