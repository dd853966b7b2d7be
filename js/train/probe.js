/** How large gradients and the stream are, block by block. */

/** @import { Values } from './context.js' */
/** @import { Parameter } from './parameters.js' */
/** @import { Task, TaskOptions } from './tasks.js' */
/** @import { Transformer } from './transformer.js' */
import { expectOptions } from '../check.js';
import { expectWhole } from './check.js';
import { IGNORED } from './cross-entropy.js';
import { Magnitude } from './magnitude.js';
import { Arena } from './memory.js';
import { Random } from './random.js';
import { MAX_SEED } from './settings.js';
import { taskOf } from './tasks.js';
import { expectTransformer } from './transformer.js';

/**
 * @typedef {object} ProbeOptions
 * @property {number} [losses]  how many tokens' losses are averaged over. Default 16
 * @property {number} [seed]  of the data. Default 1
 */

/**
 * @typedef {object} Probe
 * @property {number[]} gradientNorms  [depth]: Frobenius norm of the gradient of the last
 *   feed-forward matrix of each block
 * @property {number[]} streamNorms  [depth + 1]: ‖x‖²/width behind the embedding and each block
 */

const OPTIONS = new Set(['task', 'symbols', 'length', 'losses', 'seed']);
/** Stream of random numbers. */
const PROBE = 3;

/**
 * Measures a model at any time, with losses of one token each, as the argument of Xiong et al.
 * (2020) has it: in the mean over a batch, gradients of different tokens cancel. Parameters stay as
 * they are; tokens, targets, logits and gradients of the model are overwritten.
 *
 * @param {Transformer} model
 * @param {TaskOptions & ProbeOptions} [options]
 * @returns {Probe}
 */
export function probe(model, options = {}) {
  expectTransformer(model);
  expectOptions('probe', options, OPTIONS);
  const { losses = 16, seed = 1, ...taskOptions } = options;
  expectWhole('losses', losses, 1, 65536);
  expectWhole('seed', seed, 0, MAX_SEED);
  const task = taskOf(taskOptions);
  task.expectFit(model.settings);
  const arena = new Arena(model.arena.heap, 'probe', model.arena);
  try {
    const magnitude = new Magnitude(model.context.kernels, arena);
    return measure(model, task, magnitude, new Random(seed, PROBE), losses);
  } finally {
    arena.dispose();
  }
}

/**
 * @param {Transformer} model
 * @param {Task} task
 * @param {Magnitude} magnitude
 * @param {Random} random
 * @param {number} losses
 * @returns {Probe}
 */
function measure(model, task, magnitude, random, losses) {
  const { depth, batch, tokens } = model.settings;
  const batches = Math.ceil(losses / batch);
  const gradientNorms = new Array(depth).fill(0);
  const streamNorms = new Array(depth + 1).fill(0);
  for (let i = 0; i < batches; i += 1) {
    task.fill(model.ids, model.targets, random, false);
    const answers = model.targets.slice();
    model.forward();
    for (let l = 0; l <= depth; l += 1) {
      streamNorms[l] += meanSquare(model.streamAt(l), magnitude) / batches;
    }
    const sequences = Math.min(batch, losses - i * batch);
    for (let sequence = 0; sequence < sequences; sequence += 1) {
      const token = task.firstAnswer + random.below(tokens - task.firstAnswer);
      const row = sequence * tokens + token;
      model.targets.fill(IGNORED)[row] = answers[row];
      model.loss();
      model.backward();
      for (let l = 0; l < depth; l += 1) {
        const { gradientPtr, length } = lastMatrix(model, l);
        magnitude.measure(gradientPtr, length);
        gradientNorms[l] += magnitude.value / losses;
      }
    }
  }
  return { gradientNorms, streamNorms };
}

/**
 * @param {Values} values
 * @param {Magnitude} magnitude
 */
function meanSquare({ ptr, length }, magnitude) {
  magnitude.measure(ptr, length);
  return magnitude.value ** 2 / length;
}

/**
 * @param {Transformer} model
 * @param {number} block
 */
function lastMatrix(model, block) {
  const name = `blocks.${block}.feedForward.down.weight`;
  return /** @type {Parameter} */ (model.parameters.find((p) => p.name === name));
}
