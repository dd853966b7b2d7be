/*
 * The default race of the page, with the page's own code: the same models, data and settings, over
 * several seeds.
 */
import { DEFAULTS, lane } from '../../demo/figures/race/presets.js';
import { laneRun } from '../../demo/figures/race/run.js';

export const SEEDS = [1, 2, 3, 4, 5];

/** From here on a lane has learned the task. */
const LEARNED = 0.15;
/** Steps that the loss is averaged over: single batches scatter. */
const WINDOW = 20;

/**
 * What each lane has to show: the loss on held-out data in the end, for so many of the seeds.
 *
 * @type {Record<string, { lane: object, holds: (loss: number, chance: number) => boolean,
 *   claim: string, atLeast: number }>}
 */
export const LANES = {
  'Pre-LN, no warm-up': {
    lane: lane('pre'),
    holds: (loss) => loss < LEARNED,
    claim: `below ${LEARNED}`,
    atLeast: 5,
  },
  'Post-LN, no warm-up': {
    lane: lane('post'),
    holds: (loss, chance) => loss > 0.9 * chance,
    claim: 'above 90 % of chance',
    atLeast: 5,
  },
  'Post-LN, warm-up': {
    lane: lane('post', { warmup: true }),
    holds: (loss) => loss < 0.3,
    claim: 'below 0.3',
    atLeast: 4,
  },
};

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * @typedef {object} Run
 * @property {number} seed
 * @property {number} chance  loss of guessing
 * @property {number} heldOut  loss on data that it was not trained on, in the end
 * @property {number} training  mean loss of the last batches
 * @property {number | undefined} learnedAt  the step from which on the mean loss of the batches
 *   before was small, if there is one
 * @property {number} milliseconds  a step
 */

/**
 * @param {any} t  what `load` of axisnorm/train gives
 * @param {object} one  a lane
 * @param {number} seed
 * @returns {Run}
 */
export function runLane(t, one, seed) {
  const run = laneRun(t, { ...DEFAULTS, lane: one, seeds: [seed] });
  const losses = [];
  let learnedAt;
  const start = performance.now();
  for (let step = 1; step <= DEFAULTS.steps && run.alive; step++) {
    run.advance();
    losses.push(run.row[1]);
    if (losses.length > WINDOW) losses.shift();
    if (learnedAt === undefined && mean(losses) < LEARNED) learnedAt = step;
  }
  const milliseconds = (performance.now() - start) / run.step;
  const [{ loss: heldOut }] = run.evaluate();
  const { chance } = run;
  run.dispose();
  return { seed, chance, heldOut, training: mean(losses), learnedAt, milliseconds };
}
