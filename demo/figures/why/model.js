/**
 * What the theory of Pre-LN speaks of, measured: gradients of the last feed-forward matrix of each
 * block, and the residual stream behind it. Without a DOM and outside of any worker.
 */
import { DEFAULTS, lane, TASK } from '../race/presets.js';
import { modelOptions, trainerOptions } from '../race/run.js';

export const DEPTHS = [1, 2, 4, 6, 8, 12, 16, 24];

/** The models that are compared as they start. */
export const PLACEMENTS = ['post', 'pre'];
export const START_WIDTH = 64;
/** What is averaged over: seeds, and single tokens' losses for each of them. */
export const SEEDS = [1, 2, 3, 4, 5, 6];
export const LOSSES = 16;

/** The models that are compared while they train. */
export const TRAINED = [lane('post'), lane('pre'), lane('post', { warmup: true })];
export const STEPS = 120;
const { rate, warmup, width, seed } = DEFAULTS;
export const TRAINING = { rate, warmup, width, seed };

/** The first steps decide; then every fifth will do. */
export const PROBED = Array.from({ length: STEPS + 1 }, (_, step) => step).filter(
  (step) => step <= 20 || step % 5 === 0,
);

/**
 * What t.probe() gives.
 *
 * @typedef {object} Probe
 * @property {number[]} gradientNorms  by block
 * @property {number[]} streamNorms  ‖x‖²/d behind the embedding and each block
 */

/** One sequence at a time: a probe takes the loss of one token after the other. */
const single = (t, settings) => t.transformer({ ...modelOptions(t, settings), batch: 1 });

/**
 * A model as it is before the first step.
 *
 * @param {any} t  what `load` of axisnorm/train gives
 * @param {{ placement: string, depth: number, seed: number }} which
 * @returns {Probe}
 */
export function measureStart(t, { placement, depth, seed }) {
  const model = single(t, { lane: lane(placement), depth, width: START_WIDTH, seed });
  const probe = t.probe(model, { ...TASK, losses: LOSSES, seed });
  model.dispose();
  return probe;
}

function trainedModel(t, own, depth) {
  const settings = { ...TRAINING, lane: own, depth };
  const model = t.transformer(modelOptions(t, settings));
  return {
    model,
    // Probing the model itself would compute a whole batch for each token.
    twin: single(t, settings),
    trainer: t.trainer(model, trainerOptions(settings)),
  };
}

function probeTwin(t, { model, twin }) {
  for (const [i, { values }] of model.parameters.entries()) twin.parameters[i].values.set(values);
  return t.probe(twin, { ...TASK, losses: LOSSES, seed });
}

/**
 * What a model is after some steps: its loss on the next batch, and its probe.
 *
 * @typedef {{ lane: number, step: number, loss: number, probe: Probe }} Found
 */

/**
 * Trains the models of TRAINED side by side and looks at them every few steps. It yields what it
 * finds, and nothing where a pause does no harm.
 *
 * @param {any} t
 * @param {number} depth
 * @returns {Generator<Found | undefined>}
 */
export function* trainAndProbe(t, depth) {
  const all = TRAINED.map((own) => trainedModel(t, own, depth));
  for (let step = 0; step <= STEPS; step++) {
    for (const [lane, one] of all.entries()) {
      const probe = PROBED.includes(step) ? probeTwin(t, one) : undefined;
      const { loss } = one.trainer.step();
      yield probe && { lane, step, loss, probe };
    }
  }
  for (const { model, twin } of all) {
    twin.dispose();
    model.dispose();
  }
}

/** Mean, least and largest over probes, place by place. */
export function spread(probes, name) {
  const places = probes[0]?.[name].length ?? 0;
  return Array.from({ length: places }, (_, i) => {
    const values = probes.map((probe) => probe[name][i]);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return { mean, low: Math.min(...values), high: Math.max(...values) };
  });
}

/** How the last block's gradient depends on the depth, up to a factor. */
export const SHAPES = { post: () => 1, pre: (depth) => 1 / Math.sqrt(depth) };

/**
 * The factor with which a shape is nearest to measured values, all of them counting alike on a
 * logarithmic scale.
 *
 * @param {(depth: number) => number} shape
 * @param {[number, number][]} measured  depth and value
 */
export function fitted(shape, measured) {
  const logs = measured.map(([depth, value]) => Math.log(value / shape(depth)));
  return Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
}

/** Lemma 2 of Xiong et al. (2020): between them lies ‖x‖²/d behind block l of a Pre-LN model. */
export const bounds = (l) => [1 + l / 2, 1 + (3 * l) / 2];
