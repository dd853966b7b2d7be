/*
 * TensorFlow.js on its wasm and cpu backends. BatchNorm is tf.batchNorm of moments; the other norms
 * are composed of moments, sub, rsqrt, mul and add; gradients are those of tf.grads. As a library
 * of its own, tf.layers.layerNormalization.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const tf = require('@tensorflow/tfjs-core');
const { layers } = require('@tensorflow/tfjs-layers');
const wasm = require('@tensorflow/tfjs-backend-wasm');
require('@tensorflow/tfjs-backend-cpu');

/** (x - mean) * rsqrt(variance + eps), and without a mean in RMSNorm. */
function normalized(x, { norm, eps }, axes) {
  if (norm.center === false) {
    return tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), axes, true), eps)));
  }
  const { mean, variance } = tf.moments(x, axes, true);
  return tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, eps)));
}

function composed(one) {
  const { shape, setShape, setAxes, paramShape } = one.norm.view(one.sizes);
  return (x, gamma, beta) => {
    const xhat = tf.reshape(normalized(tf.reshape(x, setShape), one, setAxes), shape);
    const scaled = tf.mul(xhat, tf.reshape(gamma, paramShape));
    return beta ? tf.add(scaled, tf.reshape(beta, paramShape)) : scaled;
  };
}

/** tf.batchNorm wants the channels last. */
const CHANNELS_LAST = [0, 2, 1];

function batchNorm({ norm, eps, inputs }) {
  const known = () => ({
    mean: tf.tensor(inputs.runningMean),
    variance: tf.tensor(inputs.runningVar),
  });
  return (x, gamma, beta) => {
    const turned = tf.transpose(x, CHANNELS_LAST);
    const { mean, variance } = norm.frozen ? known() : tf.moments(turned, [0, 1]);
    return tf.transpose(tf.batchNorm(turned, mean, variance, beta, gamma, eps), CHANNELS_LAST);
  };
}

/** The function of a case, and its arguments. */
function prepare(one) {
  const { x, gamma, beta } = one.inputs;
  const isBatch = one.norm.id.startsWith('batchNorm');
  const args = [tf.tensor(x, one.norm.view(one.sizes).shape), tf.tensor(gamma)];
  if (beta) args.push(tf.tensor(beta));
  return { f: isBatch ? batchNorm(one) : composed(one), args };
}

const values = (tensors) => tensors.map((t) => Float32Array.from(t.dataSync()));

function forward(one) {
  const { f, args } = prepare(one);
  const [y] = values([f(...args)]);
  return { y };
}

function backward(one) {
  const { f, args } = prepare(one);
  const [dx, dgamma, dbeta] = values(tf.grads(f)(args, tf.tensor(one.inputs.dy, args[0].shape)));
  return { dx, dgamma, ...(dbeta && { dbeta }) };
}

function layerOf({ sizes, eps, inputs }) {
  const layer = layers.layerNormalization({ axis: -1, epsilon: eps });
  layer.build([sizes.rows, sizes.cols]);
  layer.setWeights([tf.tensor(inputs.gamma), tf.tensor(inputs.beta)]);
  return layer;
}

function layerForward(one) {
  const { rows, cols } = one.sizes;
  const [y] = values([layerOf(one).apply(tf.tensor(one.inputs.x, [rows, cols]))]);
  return { y };
}

/** Its backward copies the statistics column by column. */
const LONGEST_ROW = 2 ** 16;

function layerBackward(one) {
  const { rows, cols } = one.sizes;
  if (cols > LONGEST_ROW) throw new Error('not measured, because it takes minutes');
  const layer = layerOf(one);
  const x = tf.variable(tf.tensor(one.inputs.x, [rows, cols]));
  const dy = tf.tensor(one.inputs.dy, [rows, cols]);
  const [gamma, beta] = layer.trainableWeights.map((weight) => weight.val);
  const { grads } = tf.variableGrads(() => tf.sum(tf.mul(layer.apply(x), dy)), [x, gamma, beta]);
  const [dx, dgamma, dbeta] = values([x, gamma, beta].map(({ name }) => grads[name]));
  tf.dispose([x, gamma, beta]);
  return { dx, dgamma, dbeta };
}

/** A pass on a backend, with nothing left behind. */
const on = (backend, pass) => async (one) => {
  await tf.setBackend(backend);
  tf.engine().startScope();
  try {
    return pass(one);
  } finally {
    tf.engine().endScope();
  }
};

/** @returns {import('../measure.js').Library[]} */
export function tfjs() {
  const folder = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'));
  wasm.setWasmPaths(join(folder, 'dist/'));
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  return [
    {
      name: 'TensorFlow.js wasm',
      kind: 'float32',
      passes: [on('wasm', forward), on('wasm', backward)],
    },
    {
      name: 'TensorFlow.js wasm, layer',
      worstIn: null,
      kind: 'float32',
      applies: (norm) => norm.id === 'layerNorm',
      passes: [on('wasm', layerForward), on('wasm', layerBackward)],
    },
    {
      name: 'TensorFlow.js cpu',
      kind: 'mixed',
      passes: [on('cpu', forward), on('cpu', backward)],
    },
  ];
}
