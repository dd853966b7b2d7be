/**
 * One lane of the race: a model, trained with one or several seeds side by side, without a DOM and
 * outside of any worker. The page, the tests and the experiment all train with this.
 */
import { SCHEDULE, TASK, TRAINING } from './presets.js';

/** Batches of sequences that no model was trained on, to look at in the end. */
export const UNSEEN_BATCHES = 4;

/**
 * @typedef {object} LaneSettings
 * @property {import('./presets.js').Lane} lane
 * @property {number} depth
 * @property {number} width
 * @property {number} rate
 * @property {number} warmup  steps, if the lane warms up
 * @property {number[]} seeds
 */

/** What a step says of each seed, in this order; before it stands the rate, which all share. */
export const PER_SEED = ['loss', 'accuracy', 'gradientNorm'];

/** Numbers that one step gives. */
export const rowLength = (seeds) => 1 + PER_SEED.length * seeds;

/** A model of the race, as t.transformer() takes it. */
export function modelOptions(t, { lane, depth, width, seed }) {
  const { placement, norm, finalNorm } = lane;
  const { heads, activation, batch } = TRAINING;
  return {
    ...{ placement, norm, finalNorm, activation, depth, width, heads, batch, seed },
    ...t.task(TASK).sizes,
  };
}

/** How it is trained, as t.trainer() takes it. */
export function trainerOptions({ lane, rate, warmup, seed }) {
  const { optimizer } = TRAINING;
  return { ...TASK, ...SCHEDULE, optimizer, rate, warmup: lane.warmup ? warmup : 0, seed };
}

function member(t, settings, seed) {
  const model = t.transformer(modelOptions(t, { ...settings, seed }));
  const trainer = t.trainer(model, trainerOptions({ ...settings, seed }));
  return { seed, model, trainer, divergedAt: undefined };
}

/**
 * @param {any} t  what `load` of axisnorm/train gives
 * @param {LaneSettings} settings
 */
export function laneRun(t, settings) {
  const members = settings.seeds.map((seed) => member(t, settings, seed));
  const row = new Float64Array(rowLength(members.length));
  let next = 0;
  let step = 0;

  let isAlive = true;

  /** A seed that has diverged is not trained any further. */
  function advanceMember(i) {
    const one = members[i];
    const at = 1 + i * PER_SEED.length;
    if (one.divergedAt !== undefined) {
      row.fill(Number.NaN, at, at + PER_SEED.length);
      return;
    }
    const result = one.trainer.step();
    if (!result.finite) one.divergedAt = step + 1;
    row[0] = result.rate;
    PER_SEED.forEach((name, k) => {
      row[at + k] = result[name];
    });
  }

  return {
    chance: members[0].trainer.chance,
    /** What the last step gave; the array is used again. */
    row,
    get step() {
      return step;
    },
    /** After the last row some seed can still be trained. */
    get alive() {
      return isAlive;
    },
    /** By seed: the step whose loss was not finite, or undefined. */
    get divergedAt() {
      return members.map(({ divergedAt }) => divergedAt);
    },
    /** One step of the next seed; true when all of them have made it and `row` is complete. */
    advance() {
      advanceMember(next);
      next = (next + 1) % members.length;
      if (next > 0) return false;
      step += 1;
      isAlive = members.some(({ divergedAt }) => divergedAt === undefined);
      return true;
    },
    /** Loss and accuracy on sequences that no model has seen; NaN where a seed has diverged. */
    evaluate: () =>
      members.map(({ trainer, divergedAt }) => {
        if (divergedAt !== undefined) return { loss: Number.NaN, accuracy: Number.NaN };
        const { loss, accuracy } = trainer.evaluate(UNSEEN_BATCHES);
        return { loss, accuracy };
      }),
    dispose() {
      for (const { model } of members) model.dispose();
    },
  };
}
