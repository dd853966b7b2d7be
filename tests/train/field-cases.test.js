// Field cases F27 and F29: how a deep residual stack behaves without a norm, and with one in either
// place. The expected numbers are float64's; the kernels have to give them as far as float32 goes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builds } from '../helpers/builds.js';
import { float64, kernelsOf } from './engines.js';

const LAYERS = 8;
const WIDTH = 4;
const START = [1, -2, 3, 0.5];
const TARGET = [0, 1, 0, -1];

/** The generator of tests/field-cases/data/README.md: seed 7, offset 0, scale 0.5. */
function weights() {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(0.5 * (2 * (state / 2 ** 32) - 1));
  };
  return Array.from({ length: LAYERS }, () => Array.from({ length: WIDTH * WIDTH }, next));
}

/** y = W x, with the gradients of W and x. */
function linear({ nn, nt, tn }, w, x) {
  const back = (dy) => ({
    dw: tn(dy, x, WIDTH, WIDTH, 1),
    dx: nn(dy, w, 1, WIDTH, WIDTH),
  });
  return { y: nt(x, w, 1, WIDTH, WIDTH), back };
}

/** One layer; back() gives the gradients of w and h. */
const LAYER = {
  /** h + W h */
  none(engine, w, h) {
    const f = linear(engine, w, h);
    const back = (dy) => {
      const { dw, dx } = f.back(dy);
      return { dw, dx: engine.add(dy, dx) };
    };
    return { y: engine.add(h, f.y), back };
  },
  /** LN(h + W h) */
  post(engine, w, h) {
    const inner = LAYER.none(engine, w, h);
    const norm = engine.layerNorm(inner.y);
    return { y: norm.y, back: (dy) => inner.back(norm.back(dy)) };
  },
  /** h + W LN(h) */
  pre(engine, w, h) {
    const norm = engine.layerNorm(h);
    const f = linear(engine, w, norm.y);
    const back = (dy) => {
      const { dw, dx } = f.back(dy);
      return { dw, dx: engine.add(dy, norm.back(dx)) };
    };
    return { y: engine.add(h, f.y), back };
  },
};

/** Loss and gradients of all layers. With norms there is one more at the end. */
function evaluate(engine, kind, stack) {
  const layers = [];
  let h = START;
  for (const w of stack) {
    layers.push(LAYER[kind](engine, w, h));
    h = layers.at(-1).y;
  }
  const last = kind === 'none' ? { y: h, back: (dy) => dy } : engine.layerNorm(h);
  const error = last.y.map((v, i) => v - TARGET[i]);
  const gradients = [];
  let dy = last.back(error);
  for (const layer of layers.toReversed()) {
    const { dw, dx } = layer.back(dy);
    gradients.unshift(dw);
    dy = dx;
  }
  return { loss: error.reduce((sum, e) => sum + e * e, 0) / 2, gradients };
}

/** Gradient descent: the loss before each step, and gradient norms at the start. */
function train(engine, kind, rate, steps) {
  const stack = weights();
  const losses = [];
  let norms;
  for (let step = 0; step <= steps; step++) {
    const { loss, gradients } = evaluate(engine, kind, stack);
    losses.push(loss);
    norms ??= gradients.map((gradient) => Math.hypot(...gradient));
    for (const [l, w] of stack.entries()) engine.descend(w, gradients[l], rate);
  }
  return { losses, first: norms[0], last: norms.at(-1) };
}

/** Losses at steps 0, 1, 10 and 50, and norms of the gradients of the first and last layer. */
const EXPECTED = {
  post: {
    losses: [5.79836038, 5.78828093, 4.93359249, 0.171569373],
    first: 0.0273998004,
    last: 0.333106219,
  },
  pre: {
    losses: [5.73627171, 5.72231239, 5.38953223, 0.171572155],
    first: 0.130947896,
    last: 0.211177834,
  },
};

const near = (got, want, tolerance, label) =>
  assert.ok(Math.abs(got / want - 1) <= tolerance, `${label}: expected ${want}, got ${got}`);

/** All digits that are given, and what is left of them in float32. */
const ENGINES = [
  { name: 'float64', make: () => float64, tolerance: 5e-9 },
  ...builds.train.map((build) => ({
    name: `kernels, ${build.name}`,
    make: () => {
      build.reset();
      return kernelsOf(build);
    },
    tolerance: 2e-6,
  })),
];

for (const { name, make, tolerance } of ENGINES) {
  describe(name, () => {
    for (const [kind, { losses, first, last }] of Object.entries(EXPECTED)) {
      test(`${kind}: losses and gradients`, () => {
        const got = train(make(), kind, 0.05, 50);
        for (const [i, step] of [0, 1, 10, 50].entries()) {
          near(got.losses[step], losses[i], tolerance, `loss at step ${step}`);
        }
        near(got.first, first, tolerance, 'first layer');
        near(got.last, last, tolerance, 'last layer');
      });
    }

    test('none: the loss explodes', () => {
      const { losses } = train(make(), 'none', 0.01, 2);
      near(losses[0], 337.8076, 2e-7, 'loss at step 0');
      near(losses[1], 2.917e9, 2e-4, 'loss at step 1');
      // What float64 still holds is far beyond float32.
      if (name === 'float64') near(losses[2], 3.1376e116, 1e-4, 'loss at step 2');
      else assert.ok(Number.isNaN(losses[2]), `${losses[2]}`);
    });
  });
}
