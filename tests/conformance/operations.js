/*
 * How a case of data/ is computed with the public API: one function an operation, which returns
 * everything the case may expect.
 */
import { toTheEnd } from './axes.js';
import { trainingLoop } from './trajectory.js';

const floats = (values) => values && Float32Array.from(values);
export const floatsOf = (inputs) =>
  Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, floats(values)]));

/** What the library takes as absent it does not find in the options at all. */
export const present = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Forward, and backward if the case has dy. */
function bothWays(op, { x, dy, gamma, beta }, options) {
  const f = op.forward(x, present({ ...options, gamma, beta }));
  const gradients = dy ? op.backward(dy, present({ ...options, ...f, x, gamma })) : {};
  return { ...f, ...gradients };
}

function overRows(op, { shape, attrs, inputs }) {
  const { axes = shape.map((_, i) => i).slice(attrs.axis), epsilon: eps } = attrs;
  const { x, dy, gamma, beta } = floatsOf(inputs);
  const trailing = axes.every((axis, i) => axis === shape.length - axes.length + i);
  if (trailing) {
    const where =
      'axis' in attrs ? { axis: attrs.axis } : { normalizedShape: axes.map((a) => shape[a]) };
    // a shape without axes is one value
    const known = shape.length > 0 ? { shape, ...where } : { normalizedShape: 1 };
    return bothWays(op, { x, dy, gamma, beta }, { ...known, eps });
  }
  const moved = toTheEnd(shape, axes);
  const got = bothWays(
    op,
    { x: moved.there(x), dy: moved.there(dy), gamma, beta },
    { shape: moved.shape, normalizedShape: moved.sizes, eps },
  );
  return { ...got, y: moved.back(got.y), dx: moved.back(got.dx) };
}

function layerNorm(an, { shape, attrs, inputs }) {
  const got = overRows(an.layerNorm, { shape, attrs, inputs });
  return { ...got, var: got.rstd.map((r) => 1 / (r * r) - attrs.epsilon) };
}

const ACTIVATIONS = {
  sigmoid: (v) => 1 / (1 + Math.exp(-v)),
  silu: (v) => v / (1 + Math.exp(-v)),
};

function grouped(op, { shape, attrs, inputs }, options) {
  const { channelAxis, epsilon: eps, activation } = attrs;
  const got = bothWays(op, floatsOf(inputs), { shape, channelAxis, eps, ...options });
  return activation ? { ...got, y: got.y.map(ACTIVATIONS[activation]) } : got;
}

/** What a source states of the gradients of statistics follows from dgamma and dbeta. */
export function ofStatistics({ dgamma, dbeta }, { gamma, runningVar, eps }) {
  const rstd = runningVar.map((v) => 1 / Math.sqrt(v + eps));
  const gain = (c) => (gamma ? gamma[c] : 1);
  return {
    dmean: rstd.map((r, c) => -dbeta[c] * gain(c) * r),
    dvar: rstd.map((r, c) => -0.5 * dgamma[c] * gain(c) * r * r),
  };
}

function batchNormInference(an, { shape, attrs, inputs }) {
  const { x, dy, gamma, beta, mean: runningMean, var: runningVar } = floatsOf(inputs);
  const { channelAxis, epsilon: eps } = attrs;
  const options = { shape, channelAxis, eps, runningMean, runningVar };
  const y = an.batchNorm(x, present({ ...options, gamma, beta }));
  if (!dy) return { y };
  const f = an.batchNorm.forward(x, present({ ...options, gamma, beta, training: false }));
  const gradients = an.batchNorm.backward(dy, present({ ...f, x, gamma }));
  return { ...gradients, ...ofStatistics(gradients, { gamma, runningVar, eps }), y };
}

/** The variance of the batch is a running variance that takes all of the batch. */
function batchVariance(an, x, options, channels, runningVarEstimate) {
  const runningVar = new Float32Array(channels);
  const runningMean = new Float32Array(channels);
  const settings = { ...options, runningMean, runningVar, momentum: 1, runningVarEstimate };
  an.batchNorm.forward(x, settings);
  return runningVar;
}

function batchNormTraining(an, { shape, attrs, inputs }) {
  const { channelAxis, epsilon: eps, momentum, runningVar: runningVarEstimate } = attrs;
  const { x, dy, gamma, beta, runningMean, runningVar } = floatsOf(inputs);
  const known = { shape, channelAxis, eps };
  const running = runningMean ? { runningMean, runningVar, momentum, runningVarEstimate } : {};
  const f = an.batchNorm.forward(x, present({ ...known, ...running, gamma, beta }));
  const gradients = dy ? an.batchNorm.backward(dy, present({ ...f, x, gamma })) : {};
  return {
    ...f,
    ...gradients,
    runningMean,
    runningVar,
    var: batchVariance(an, x, known, shape[channelAxis], 'biased'),
    varUnbiased: batchVariance(an, x, known, shape[channelAxis], 'unbiased'),
  };
}

function batchNormSequence(an, { shape, attrs, inputs }) {
  const { channelAxis, epsilon: eps, momentum, runningVar: runningVarEstimate } = attrs;
  const { x, gamma, beta, runningMean, runningVar, xInference = x } = floatsOf(inputs);
  const running = { runningMean, runningVar };
  const known = present({ channelAxis, eps, gamma, beta, ...running });
  let y;
  for (let pass = 0; pass < attrs.trainingPasses; pass++) {
    ({ y } = an.batchNorm.forward(x, { ...known, shape, momentum, runningVarEstimate }));
  }
  const yInference = an.batchNorm(xInference, { ...known, shape: attrs.inferenceShape ?? shape });
  return { y, yInference, ...running };
}

const BATCH_MODES = {
  inference: batchNormInference,
  training: batchNormTraining,
  sequence: batchNormSequence,
};

function skipLayerNorm(an, { shape, attrs, inputs }) {
  const { x, skip, bias, gamma, beta } = floatsOf(inputs);
  const cols = shape.at(-1);
  const sum = x.map((v, i) => v + skip[i % skip.length] + (bias ? bias[i % cols] : 0));
  const op = attrs.simplified ? an.rmsNorm : an.layerNorm;
  const options = { shape, normalizedShape: cols, eps: attrs.epsilon };
  return { ...bothWays(op, { x: sum, gamma, beta }, options), sum };
}

/** epsilonAfterSqrt is 1e-9 of standard deviations near 1: less than a rounding. */
function meanVarianceNorm(an, { shape, attrs, inputs }) {
  return overRows(an.layerNorm, { shape, attrs: { axes: attrs.axes, epsilon: 0 }, inputs });
}

function l2Norm(an, { shape, attrs, inputs }) {
  const gamma = new Float32Array(shape[attrs.axis]).fill(1 / Math.sqrt(shape[attrs.axis]));
  return overRows(an.rmsNorm, {
    shape,
    attrs: { axes: [attrs.axis], epsilon: 0 },
    inputs: { ...inputs, gamma },
  });
}

const OPERATIONS = {
  layerNorm,
  rmsNorm: (an, one) => overRows(an.rmsNorm, one),
  groupNorm: (an, one) => grouped(an.groupNorm, one, { groups: one.attrs.groups }),
  instanceNorm: (an, one) => grouped(an.instanceNorm, one, {}),
  batchNorm: (an, one) => BATCH_MODES[one.attrs.mode](an, one),
  skipLayerNorm,
  mvn: meanVarianceNorm,
  lpNorm: l2Norm,
  trajectory: (an, one) => trainingLoop(an, one),
};

/**
 * @param {any} an  what load() gives
 * @param {any} one  a case
 * @returns {Record<string, ArrayLike<number>>}
 */
export const compute = (an, one) => OPERATIONS[one.op](an, one);
