/*
 * Small batches with the page's own code: the digits, learned with every norm and batch size. Alone
 * it prints its table, for other settings than the page's default too:
 *
 *   node tests/experiments/digits.js seeds=5 seen=51200 update=each
 */
import { fileURLToPath } from 'node:url';
import { FIELDS } from '../../demo/figures/batches/fields.js';
import { jobsOf, newResults, sizesOf } from '../../demo/figures/batches/results.js';
import { NORMS, runAll } from '../../demo/figures/batches/run.js';
import { percent } from '../../demo/figures/batches/story.js';
import { standardize } from '../../demo/handwriting/digits.js';
import { readDigits } from '../../demo/handwriting/extract.js';
import { initialState, readState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';

export const DEFAULTS = initialState(FIELDS);
const KINDS = ['training', 'inference'];

/**
 * All runs of a state.
 *
 * @param {any} t  what `load` of axisnorm/train gives
 * @param {Record<string, any>} state  as the figure has it
 */
export function trainAll(t, state) {
  const images = standardize(readDigits());
  const results = newResults();
  for (const job of jobsOf(state)) results.add(job, runAll(t, images, job));
  return results;
}

/** What the page says of its default setting. */
export function claimsOf(results, state) {
  const mean = (kind, norm, size) => results.summary(state, kind, norm, size).mean;
  const stays = (norm) =>
    KINDS.every((kind) => Math.abs(mean(kind, norm, 2) - mean(kind, norm, 64)) < 0.01);
  return {
    'BatchNorm’s error in inference is a quarter larger with 2 images than with 64':
      mean('inference', 'batch', 2) > 1.25 * mean('inference', 'batch', 64),
    'that while training is three times as large':
      mean('training', 'batch', 2) > 3 * mean('training', 'batch', 64),
    'with 2 images, inference is better than training':
      mean('inference', 'batch', 2) < 0.8 * mean('training', 'batch', 2),
    'the errors of the others stay': ['group', 'layer', 'none'].every(stays),
    'GroupNorm is behind BatchNorm with 64 images and ahead with 2':
      mean('inference', 'group', 64) > mean('inference', 'batch', 64) &&
      mean('inference', 'group', 2) < mean('inference', 'batch', 2),
  };
}

function cell({ mean, low, high }) {
  return `${percent(mean)} (${percent(low)}–${percent(high)})`.padStart(18);
}

/** Errors in percent: mean over the seeds, and the best and the worst of them. */
export function tableOf(results, state) {
  const names = Object.values(NORMS).map(({ label }) => label.padStart(18));
  return KINDS.map((kind) => {
    const rows = sizesOf(state).map((size) => {
      const cells = Object.keys(NORMS).map((norm) =>
        cell(results.summary(state, kind, norm, size)),
      );
      return `  ${String(size).padStart(14)}${cells.join('')}`;
    });
    return `  ${kind}\n  images a batch${names.join('')}\n${rows.join('\n')}\n`;
  }).join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const hash = process.argv.slice(2).map((word) => `batches.${word}`);
  const state = readState('batches', FIELDS, `#${hash.join('&')}`);
  console.log(tableOf(trainAll(await load(), state), state));
}
