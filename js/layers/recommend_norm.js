/** @import { NormRecommendation, Rule, Source } from './norm_rules.js' */
import { expectChoice, expectCount, expectOptions } from '../check.js';
import {
  cnn,
  detection,
  diffusion,
  LARGE,
  llm,
  rnn,
  style,
  table,
  transformer,
  WU,
} from './norm_rules.js';

/**
 * What is built: a convolutional network ('cnn'), one that finds or outlines objects ('detection'),
 * the U-Net of a diffusion model, a large language model ('llm'), a recurrent network ('rnn'), style
 * transfer, a dense network on a table, or a transformer encoder or vision transformer.
 *
 * @typedef {'cnn' | 'detection' | 'diffusion' | 'llm' | 'rnn' | 'style' | 'table'
 *   | 'transformer'} Architecture
 */

/** @typedef {'training' | 'finetuning' | 'inference'} NormTask */

/**
 * @typedef {object} RecommendNormOptions
 * @property {Architecture} architecture  what is built
 * @property {number} [batchSize]  examples on one device, a whole number >= 1. To be given for
 *   training and fine-tuning of 'cnn', 'detection' and 'table'; elsewhere it changes nothing
 * @property {NormTask} [task]  'training' (default): from scratch. 'finetuning': a trained network
 *   goes on training. 'inference': it is used
 */

/** @type {Record<Architecture, Rule>} */
const RULES = { cnn, detection, diffusion, llm, rnn, style, table, transformer };

const KEEP =
  'Keep the norm that the network was trained with, most likely this one: its weights are made for it.';

/** @typedef {{ text: string, source?: Source }} Ending  of a reason, and a paper to name with it */

/**
 * A trained network keeps its norm, most likely the one for large batches.
 *
 * @param {Rule} rule
 * @param {Ending} ofBatchNorm
 * @param {Ending} ofOthers
 * @returns {NormRecommendation}
 */
function keep(rule, ofBatchNorm, ofOthers) {
  const { norms, sources } = rule(LARGE);
  const { text, source } = norms[0] === 'BatchNorm' ? ofBatchNorm : ofOthers;
  return {
    norms: [norms[0]],
    reason: `${KEEP} ${text}`,
    sources: source ? [sources[0], source] : [sources[0]],
  };
}

const UPDATED = { text: 'A batch of 32 or more may go on updating its running statistics.' };
const FROZEN = {
  text: 'Freeze its running statistics, which a batch below 32 would estimate worse: normalize with them and leave them as they are (training: false).',
  source: WU,
};
const INDEPENDENT = { text: 'It does not depend on the batch.' };
const FOLDED = {
  text: 'With running statistics it is a scale and a shift of each channel, which fold into the layer before it.',
};
const SAME = { text: 'It computes the same as in training.' };

/** @type {Record<NormTask, (rule: Rule, batch: number) => NormRecommendation>} */
const TASKS = {
  training: (rule, batch) => rule(batch),
  finetuning: (rule, batch) => keep(rule, batch >= LARGE ? UPDATED : FROZEN, INDEPENDENT),
  inference: (rule) => keep(rule, FOLDED, SAME),
};

const OPTIONS = new Set(['architecture', 'batchSize', 'task']);

/**
 * The norm to start with, and why. This is guidance from papers, not law: where two norms are named,
 * try both. docs/choosing.md has all answers in one table.
 *
 * The architecture is asked about before the batch, which only BatchNorm depends on: a language
 * model with a small batch takes RMSNorm like any other. Sources: Ioffe & Szegedy 2015 (BatchNorm),
 * Ba, Kiros & Hinton 2016 (LayerNorm), Ulyanov, Vedaldi & Lempitsky 2016 (InstanceNorm), Wu & He
 * 2018 (GroupNorm by batch size; BatchNorm frozen in fine-tuning), Peng et al. 2018 (synchronized
 * BatchNorm), Qiao et al. 2019 (weight standardization with GroupNorm), Zhang & Sennrich 2019 and
 * Touvron et al. 2023 (RMSNorm), Xiong et al. 2020 (Pre-LN and its final norm), Ho, Jain & Abbeel
 * 2020 (GroupNorm in diffusion models). The limits 8 and 32 are rules of thumb.
 *
 * @param {RecommendNormOptions} options
 * @returns {NormRecommendation}  of a trained network `norms` is the one it most likely has
 * @throws {RangeError | TypeError} if an option is unknown or does not fit
 * @example
 * recommendNorm({ architecture: 'cnn', batchSize: 4 }).norms; // ['GroupNorm']
 * recommendNorm({ architecture: 'llm', batchSize: 1 }).norms; // ['RMSNorm']
 */
export function recommendNorm(options) {
  expectOptions('recommendNorm', options, OPTIONS);
  const { architecture, batchSize, task = 'training' } = options;
  expectChoice('architecture', architecture, Object.keys(RULES));
  expectChoice('task', task, Object.keys(TASKS));
  const rule = RULES[architecture];
  const isNeeded = rule.length > 0 && task !== 'inference';
  if (isNeeded || batchSize !== undefined) expectCount('batchSize', batchSize);
  const advice = TASKS[task](rule, batchSize ?? LARGE);
  // A copy: rules share their sources.
  return { ...advice, sources: advice.sources.map((source) => ({ ...source })) };
}
