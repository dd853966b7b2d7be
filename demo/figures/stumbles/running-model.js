/** Running statistics over batches, as PyTorch and as Keras read one number, without a DOM. */
import { iris } from '../../iris.js';
import { random } from '../../shared/random.js';
import { varianceOf } from './statistics.js';

export const BATCHES = 40;
export const BATCH_SIZE = 16;
const NAME = 'petal length';

export const MOMENTA = [0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99];

/** Weight that a new batch gets, and which of the two variances enters. */
export const READINGS = {
  pytorch: {
    label: 'PyTorch',
    formula: '(1 − m)·running + m·batch',
    weight: (m) => m,
    runningVarEstimate: 'unbiased',
  },
  keras: {
    label: 'Keras and ONNX',
    formula: 'm·running + (1 − m)·batch',
    weight: (m) => 1 - m,
    runningVarEstimate: 'biased',
  },
};

const column = iris.features.indexOf(NAME);
const values = Array.from({ length: iris.rows }, (_, row) => iris.x[row * iris.cols + column]);

/** The batches that are ever drawn, each one of 16 irises. */
const batches = (() => {
  const next = random(11);
  const draw = () => values[Math.floor(next() * values.length)];
  return Array.from({ length: BATCHES }, () => Float32Array.from({ length: BATCH_SIZE }, draw));
})();

/** How many of the newest batches make up half of the running statistics. */
export const halfLife = (weight) => Math.ceil(Math.log(0.5) / Math.log(1 - weight) - 1e-9) || 1;

function follow(an, { weight, runningVarEstimate }, momentum) {
  const runningMean = new Float32Array(1);
  const runningVar = new Float32Array(1).fill(1);
  const steps = [{ mean: 0, variance: 1 }];
  for (const x of batches) {
    an.batchNorm.forward(x, {
      shape: [BATCH_SIZE, 1],
      runningMean,
      runningVar,
      momentum: weight(momentum),
      runningVarEstimate,
    });
    steps.push({ mean: runningMean[0], variance: runningVar[0] });
  }
  return steps;
}

/** Mean and variance of some values, by the library. */
function statisticsOf(an, x) {
  const { mean, rstd } = an.batchNorm.forward(x, { shape: [x.length, 1] });
  return { mean: mean[0], variance: varianceOf(rstd[0]) };
}

/**
 * All batches at once.
 *
 * @param {import('axisnorm').AxisNorm} an
 * @param {number} momentum
 * @returns statistics after 0, 1, … batches for each reading; those of each batch; those of all
 *   irises
 */
export function history(an, momentum) {
  return {
    readings: Object.fromEntries(
      Object.entries(READINGS).map(([key, reading]) => [key, follow(an, reading, momentum)]),
    ),
    batches: batches.map((x) => statisticsOf(an, x)),
    all: statisticsOf(an, Float32Array.from(values)),
  };
}

/**
 * What becomes of one batch.
 *
 * @param {import('axisnorm').AxisNorm} an
 * @param {number} index  of the batch
 * @param {{ mean: number, variance: number }} [frozen]  running statistics, for inference
 */
export function normalized(an, index, frozen) {
  const shape = [BATCH_SIZE, 1];
  const x = batches[index];
  const y =
    frozen === undefined
      ? an.batchNorm.forward(x, { shape }).y
      : an.batchNorm(x, {
          shape,
          runningMean: Float32Array.of(frozen.mean),
          runningVar: Float32Array.of(frozen.variance),
        });
  return { x, y, ...statisticsOf(an, y) };
}

/** The values of the first batches, one after the other. */
export const batchesUpTo = (count) =>
  Float32Array.from(batches.slice(0, count).flatMap((x) => Array.from(x)));
