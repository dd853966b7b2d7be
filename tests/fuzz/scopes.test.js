/*
 * Tensors and scopes at random, against a model of who is alive: a tensor keeps its values until it
 * is disposed of or its scope ends, and is refused from then on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { dice } from './dice.js';

const SEED = process.env.AXISNORM_SEED ?? 'axisnorm';
const ROUNDS = 300;
const THROWN = new Error('thrown on purpose');

/** Tensors with the value that each is filled with. */
class Model {
  alive = new Map();
  dead = [];
  #next = 1;

  add(tensor) {
    const value = this.#next++;
    tensor.data.fill(value);
    this.alive.set(tensor, value);
    return tensor;
  }

  end(tensors) {
    for (const tensor of tensors) if (this.alive.delete(tensor)) this.dead.push(tensor);
  }

  check(label) {
    for (const [tensor, value] of this.alive) {
      assert.ok(
        tensor.data.every((v) => v === value),
        `${label}: values were lost`,
      );
    }
    for (const tensor of this.dead.splice(0)) {
      assert.throws(() => tensor.data, ReferenceError, `${label}: alive after its end`);
    }
  }
}

/** Something that a scope can be used for; `own` are its tensors. */
const ACTIONS = {
  make: ({ d, scope, model, own }) => own.add(model.add(scope.tensor([1 + d.below(2000)]))),
  compute({ d, an, model, own }) {
    const x = d.pick([...model.alive.keys()]);
    if (x) own.add(model.add(an.layerNorm(x, { normalizedShape: x.length })));
  },
  refused({ d, an, model }) {
    const x = d.pick([...model.alive.keys()]);
    if (x) assert.throws(() => an.layerNorm(x, { gamma: new Float32Array(2001) }), RangeError);
  },
  outside: ({ d, an, model }) => model.add(an.tensor(1 + d.below(50))),
  keep({ d, scope, model, own }) {
    const tensor = d.pick([...own].filter((candidate) => model.alive.has(candidate)));
    if (tensor) own.delete(scope.keep(tensor));
  },
  dispose({ d, model, own }) {
    const tensor = d.pick([...model.alive.keys()]);
    tensor?.dispose();
    own.delete(tensor);
    if (tensor) model.end([tensor]);
  },
  nest({ d, an, model, depth }) {
    if (depth < 4) play(d, an, model, depth + 1);
  },
  fail() {
    throw THROWN;
  },
};

function play(d, an, model, depth = 0) {
  const own = new Set();
  try {
    an.scope((scope) => {
      for (let i = d.below(12); i > 0; i--) {
        ACTIONS[d.pick(Object.keys(ACTIONS))]({ d, an, scope, model, own, depth });
      }
    });
  } catch (error) {
    if (error !== THROWN) throw error;
  }
  model.end(own);
}

for (const build of ['scalar', 'simd128']) {
  test(`tensors live as long as their scopes (${build}, seed ${SEED})`, async () => {
    const an = await load({ build });
    const model = new Model();
    for (let i = 0; i < ROUNDS; i++) {
      const label = `${SEED} scopes ${i}`;
      play(dice(label), an, model);
      model.check(label);
    }
    for (const tensor of model.alive.keys()) tensor.dispose();
    assert.equal(an.memoryUsage().used, 0, 'memory was not freed');
  });
}
