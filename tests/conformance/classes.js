/*
 * How a case with state is computed with the layers of axisnorm/layers: state under the names and
 * momentum in the count of the project that the case is from.
 */
import assert from 'node:assert/strict';
import {
  BatchNorm,
  CONVENTIONS,
  fromMomentum,
  LayerNorm,
  toMomentum,
} from '../../js/layers/index.js';
import { floatsOf, ofStatistics, present } from './operations.js';
import { descend, trainingLoop } from './trajectory.js';

/** Projects that do not follow PyTorch. */
const PROJECTS = {
  'onnx/onnx': 'onnx',
  'amd/ZenDNN-onnxruntime': 'onnx',
  'tensorflow/tfjs': 'keras',
  'tensorflow/swift-apis': 'keras',
  'emacslisp/tensorflow': 'keras',
  'nntrainer/nntrainer': 'keras',
};

export const conventionOf = ({ source }) => PROJECTS[source.repo] ?? 'torch';

/** Our names -> those in state dicts. */
const KEYS = {
  torch: { gamma: 'weight', beta: 'bias', mean: 'running_mean', var: 'running_var' },
  keras: { gamma: 'gamma', beta: 'beta', mean: 'moving_mean', var: 'moving_variance' },
  onnx: { gamma: 'scale', beta: 'B', mean: 'input_mean', var: 'input_var' },
};

/** Whether a case goes through a layer with state. */
export const hasState = ({ op, attrs }) =>
  op === 'trajectory' || (op === 'batchNorm' && !attrs.givenStats);

/** The momentum as the source has written it. */
function momentumOf({ momentum, sourceMomentum }, convention) {
  if (sourceMomentum === 'cumulative average') return null;
  return (
    sourceMomentum ?? (momentum === undefined ? undefined : fromMomentum(momentum, convention))
  );
}

/**
 * Where the momentum of a case is that of several passes on the same x, their number.
 *
 * @param {any} attrs
 * @param {import('../../js/layers/index.js').Convention} convention
 */
export function passesOf({ momentum, sourceMomentum, trainingPasses }, convention) {
  if (trainingPasses !== undefined) return trainingPasses;
  if (typeof sourceMomentum !== 'number' || CONVENTIONS[convention].weighs === 'new') return 1;
  return Math.round(Math.log(1 - momentum) / Math.log(1 - toMomentum(sourceMomentum, convention)));
}

/** A BatchNorm of the settings of a case. */
function batchNormLayer(an, one, affine) {
  const { shape, attrs } = one;
  const { channelAxis, epsilon: eps, runningVar } = attrs;
  const convention = conventionOf(one);
  return new BatchNorm(an, shape[channelAxis], {
    ...present({ convention, eps, runningVar, momentum: momentumOf(attrs, convention) }),
    ...{ channelAxis, affine },
  });
}

/** Loads what a case states of the state, under the names of its project. */
function loadState(layer, one, values) {
  const convention = conventionOf(one);
  const entries = Object.entries(present(values));
  const dict = entries.map(([name, value]) => [KEYS[convention][name], value]);
  const options = { convention, strict: false };
  assert.deepEqual(layer.loadStateDict(new Map(dict), '', options).unexpected, []);
}

function batchNorm(an, one) {
  const { shape, attrs } = one;
  const { x, dy, xInference = x, ...inputs } = floatsOf(one.inputs);
  const { gamma, beta, mean = inputs.runningMean, var: variance = inputs.runningVar } = inputs;
  const layer = batchNormLayer(an, one, Boolean(gamma || beta));
  loadState(layer, one, { gamma, beta, mean, var: variance });
  const isFrozen = attrs.mode === 'inference';
  layer.train(!isFrozen);
  const got = {};
  for (let pass = 0; pass < passesOf(attrs, conventionOf(one)); pass++) {
    got.y = layer.forward(x, { shape });
  }
  if (dy) {
    got.dx = layer.backward(dy);
    got.dgamma = layer.weight.gradient.slice();
    got.dbeta = layer.bias.gradient.slice();
    const statistics = { gamma, runningVar: variance, eps: attrs.epsilon };
    if (isFrozen) Object.assign(got, ofStatistics(got, statistics));
  }
  got.runningMean = layer.runningMean.slice();
  got.runningVar = layer.runningVar.slice();
  if (attrs.mode === 'sequence') {
    got.yInference = layer.eval().forward(xInference, { shape: attrs.inferenceShape ?? shape });
  }
  layer.dispose();
  return got;
}

/** A layer in the training loop. */
const learning = (layer, shape) => ({
  shape,
  get state() {
    return present({
      gamma: layer.weight.value.slice(),
      beta: layer.bias.value.slice(),
      runningMean: layer.runningMean?.slice(),
      runningVar: layer.runningVar?.slice(),
    });
  },
  forward: (x) => layer.forward(x, { shape }),
  backward(dy, lr) {
    const dx = layer.backward(dy);
    for (const { value, gradient } of layer.parameters()) descend(value.data, gradient.data, lr);
    layer.zeroGrad();
    return dx;
  },
});

function trajectory(an, one) {
  const layers = [];
  const made = (layer, shape) => {
    layers.push(layer);
    return learning(layer, shape);
  };
  const got = trainingLoop(an, one, {
    layerNorm(_, { axes, epsilon: eps }, shape) {
      const sizes = axes.map((axis) => shape[axis]);
      return made(new LayerNorm(an, sizes, { eps }), shape);
    },
    batchNorm: (_, settings, shape) =>
      made(batchNormLayer(an, { ...one, shape, attrs: settings }, true), shape),
  });
  for (const layer of layers) layer.dispose();
  return got;
}

const OPERATIONS = { batchNorm, trajectory };

/**
 * @param {any} an  what load() gives
 * @param {any} one  a case that has state
 * @returns {Record<string, ArrayLike<number>>}
 */
export const computeWithLayers = (an, one) => OPERATIONS[one.op](an, one);
