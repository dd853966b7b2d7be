/*
 * Gradients of networks that mix norms: those of the float64 model against central differences of
 * its loss, and those of the library, norm by norm through the public API, against the model.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { random } from '../helpers/random.js';
import * as stack from './stacks.js';

const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

const STEP = 1e-5;
/**
 * Of 2^-23 of the largest that the gradients of an array are made from: for gamma and beta as in
 * helpers/ulp.js, else the gradients themselves. A single norm keeps to 8, but of the terms of dx,
 * which are several times the dx that they leave, and an error that the dx of a channel have in
 * common adds up in the sums over it before. The worst here is 18, most are below 4.
 */
const UNITS = 40;

const ROWS = 6;
const IMAGE = { batch: 2, channels: 6, spatial: [3, 4] };
const VALUES = IMAGE.batch * IMAGE.channels * 12;

const { linear, layerNorm, rmsNorm, batchNorm, tanh, relu, chain, residual } = stack;

const perceptron = (activation) =>
  chain(
    linear('first', 5, 8),
    layerNorm('layer', ROWS, 8),
    activation,
    linear('second', 8, 9, { bias: false }),
    batchNorm('batch', ROWS, 9),
  );

const images = (image) =>
  chain(
    stack.groupNorm('group', image, 3),
    tanh,
    stack.instanceNorm('instance', image),
    tanh,
    stack.batchNorm2d('batch', image),
  );

const feedForward = [linear('up', 8, 11), tanh, linear('down', 11, 8)];

const frozen = {
  runningMean: Float32Array.of(0.5, -0.25, 0, 1, -1, 0.125, 2, -2, 0.75),
  runningVar: Float32Array.of(1, 0.5, 2, 1.5, 0.25, 3, 1, 0.75, 4),
};

/** Name -> [network, length of its input]. */
const STACKS = {
  'linear, layerNorm, tanh, linear, batchNorm': [perceptron(tanh), ROWS * 5],
  'linear, layerNorm, relu, linear, batchNorm': [perceptron(relu), ROWS * 5],
  'groupNorm, instanceNorm, batchNorm, NCHW': [images(IMAGE), VALUES],
  'groupNorm, instanceNorm, batchNorm, NHWC': [images({ ...IMAGE, channelsLast: true }), VALUES],
  'residual block, rmsNorm before': [residual(rmsNorm('rms', ROWS, 8), ...feedForward), ROWS * 8],
  'residual block, rmsNorm behind': [
    chain(residual(...feedForward), rmsNorm('rms', ROWS, 8)),
    ROWS * 8,
  ],
  'two linear layers of standardized weights, layerNorm': [
    chain(
      stack.standardizedLinear('first', 7, 9),
      tanh,
      stack.standardizedLinear('second', 9, 8),
      layerNorm('layer', ROWS, 8),
    ),
    ROWS * 7,
  ],
  'linear, frozen batchNorm, relu, linear, layerNorm': [
    chain(
      linear('first', 5, 9),
      batchNorm('batch', ROWS, 9, frozen),
      relu,
      linear('second', 9, 8),
      layerNorm('layer', ROWS, 8),
    ),
    ROWS * 5,
  ],
};

const largest = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);

/** Float32 values, so that both engines start from the same. */
function draw(label, length, map) {
  const next = random(label);
  return Float64Array.from({ length }, () => Math.fround(map(next())));
}

function drawValues(name, network, length) {
  const values = { x: draw(`${name} x`, length, (u) => 2 * u + 0.25) };
  for (const [parameter, size] of Object.entries(network.parameters)) {
    const isScale = /(gamma|gain)$/.test(parameter);
    values[parameter] = draw(`${name} ${parameter}`, size, (u) => (isScale ? 1 + u / 2 : u));
  }
  return values;
}

/** loss = sum of (y - target)^2 / 2 */
function evaluate(name, network, values, engine) {
  const { y, back } = network.run(values.x, values, engine);
  const target = draw(`${name} target`, y.length, (u) => u);
  const error = y.map((v, i) => v - target[i]);
  const gradients = {};
  const loss = error.reduce((sum, e) => sum + (e * e) / 2, 0);
  return {
    loss,
    gradients: () => {
      const dx = back(error, gradients);
      return { ...gradients, x: { values: dx, scale: dx } };
    },
  };
}

for (const [name, [network, length]] of Object.entries(STACKS)) {
  const values = drawValues(name, network, length);
  const model = evaluate(name, network, values, stack.float64).gradients();

  test(`${name}: the model against differences`, () => {
    assert.deepEqual(Object.keys(model).sort(), Object.keys(values).sort());
    for (const [input, { values: gradient }] of Object.entries(model)) {
      const scale = largest(gradient);
      assert.ok(scale > 1e-3, `${input} has gradients`);
      for (let i = 0; i < gradient.length; i++) {
        const at = (offset) => {
          const moved = values[input].slice();
          moved[i] += offset;
          return evaluate(name, network, { ...values, [input]: moved }, stack.float64).loss;
        };
        const want = (at(STEP) - at(-STEP)) / (2 * STEP);
        assert.ok(
          Math.abs(gradient[i] - want) <= 1e-7 * scale + 1e-8,
          `${input}[${i}]: differences say ${want}, the model ${gradient[i]}`,
        );
      }
    }
  });

  for (const an of builds) {
    test(`${name}: the library against the model, ${an.build}`, () => {
      const got = evaluate(name, network, values, stack.library(an)).gradients();
      for (const [input, { values: want, scale }] of Object.entries(model)) {
        for (let i = 0; i < want.length; i++) {
          const found = got[input].values[i];
          const units = Math.abs(found - want[i]) / (2 ** -23 * largest(scale));
          assert.ok(
            units <= UNITS,
            `${input}[${i}]: ${units.toFixed(1)} units off, expected ${want[i]}, got ${found}`,
          );
        }
      }
    });
  }
}
