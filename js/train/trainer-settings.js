/** @import { OptimizerKind } from './optimizers.js' */
/** @import { Decay } from './schedule.js' */
/** @import { TaskOptions } from './tasks.js' */
import {
  describe,
  expectChoice,
  expectNotNegative,
  expectNumber,
  expectOptions,
  outOfRange,
  wrongKind,
} from '../check.js';
import { expectWhole } from './check.js';
import { OPTIMIZERS } from './optimizers.js';
import { DECAYS } from './schedule.js';
import { MAX_SEED } from './settings.js';

/**
 * @typedef {object} TrainingOptions
 * @property {OptimizerKind} [optimizer]  'adam' or 'sgd'. Default 'adam'
 * @property {number} [rate]  the largest learning rate. Default 1e-3
 * @property {number} [warmup]  steps during which the rate grows to it. Default 0
 * @property {Decay} [decay]  what it does in the end: 'none', or 'inverseSqrt' to fall like
 *   1 / sqrt(step). Default 'none'
 * @property {number} [decayFrom]  the step after which it falls. Default: the end of the warm-up
 * @property {number} [clip]  the largest norm that all gradients together may have; longer ones are
 *   scaled down to it. Default 0: any
 * @property {readonly [number, number]} [betas]  of Adam, at least 0 and less than 1. Default 0.9
 *   and 0.98 (Vaswani et al. 2017)
 * @property {number} [eps]  of Adam, added to the root. Default 1e-8
 * @property {number} [weightDecay]  of Adam, decoupled. Default 0
 * @property {number} [momentum]  of SGD, 0 to 1. Default 0
 * @property {number} [seed]  of the data. Default 1
 */

/** @typedef {TaskOptions & TrainingOptions} TrainerOptions */

/** @typedef {Readonly<Required<TrainingOptions> & { task: TaskOptions }>} TrainerSettings */

const MAX_STEPS = 1e9;

const OPTIONS = new Set([
  ...['task', 'symbols', 'length'],
  ...['optimizer', 'rate', 'warmup', 'decay', 'decayFrom', 'clip', 'betas', 'eps', 'weightDecay'],
  ...['momentum', 'seed'],
]);

/**
 * All settings, each within its range; those of the task are checked with the task.
 *
 * @param {TrainerOptions} options
 * @returns {TrainerSettings}
 */
export function trainerSettings(options) {
  expectOptions('trainer', options, OPTIONS);
  const { task, symbols, length } = options;
  const { optimizer = 'adam', rate = 1e-3, warmup = 0, decay = 'none', clip = 0 } = options;
  const { decayFrom = warmup } = options;
  const { betas = [0.9, 0.98], eps = 1e-8, weightDecay = 0, momentum = 0, seed = 1 } = options;
  expectChoice('optimizer', optimizer, Object.keys(OPTIMIZERS));
  expectNotNegative('rate', rate);
  expectWhole('warmup', warmup, 0, MAX_STEPS);
  expectChoice('decay', decay, DECAYS);
  expectWhole('decayFrom', decayFrom, 0, MAX_STEPS);
  expectNotNegative('clip', clip);
  expectBetas(betas);
  expectNotNegative('eps', eps);
  expectNotNegative('weightDecay', weightDecay);
  expectNumber('momentum', momentum, 0, 1, 'a number from 0 to 1');
  expectWhole('seed', seed, 0, MAX_SEED);
  return Object.freeze({
    task: { task, symbols, length },
    ...{ optimizer, rate, warmup, decay, decayFrom, clip, betas, eps, weightDecay, momentum, seed },
  });
}

/** @param {unknown} betas */
function expectBetas(betas) {
  const expected = 'two numbers';
  if (!Array.isArray(betas)) throw wrongKind('betas', expected, describe(betas));
  if (betas.length !== 2) throw outOfRange('betas', expected, betas.length);
  for (const [i, beta] of betas.entries()) {
    const name = `betas[${i}]`;
    const range = 'a number >= 0 and < 1';
    expectNumber(name, beta, 0, 1, range);
    if (beta === 1) throw outOfRange(name, range, beta);
  }
}
