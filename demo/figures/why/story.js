/** What has been measured, in words. */
import { short } from '../../numbers.js';
import { PLACEMENTS, SEEDS, STEPS } from './model.js';

export const NAMES = { post: 'Post-LN', pre: 'Pre-LN' };

/** From 4 to 16 blocks. */
function scaling(lastOf) {
  const [post, pre] = PLACEMENTS.map((placement) =>
    (lastOf(placement, 16) / lastOf(placement, 4)).toFixed(2),
  );
  return `Deeper: Post-LN’s line stays flat, Pre-LN’s falls. From 4 to 16 blocks the last block’s gradient goes ×${post} in Post-LN (theory: ×1) and ×${pre} in Pre-LN (theory: ×0.5). `;
}

/**
 * @param {number} depth
 * @param {(placement: string, depth: number) => number} lastOf  gradient of the last block
 * @param {boolean} isDone  all that there is to measure has been measured
 */
export function startStory(depth, lastOf, isDone) {
  const [post, pre] = PLACEMENTS.map((placement) => lastOf(placement, depth));
  if (Number.isNaN(post + pre)) return 'Measuring.';
  const blocks = depth === 1 ? '1 block' : `${depth} blocks`;
  return `${isDone ? scaling(lastOf) : ''}With ${blocks}, the last block’s gradient has norm ${short(post)} in Post-LN and ${short(pre)} in Pre-LN.`;
}

/** @param {{ name: string, first: number, last: number }[]} lanes  as they are shown */
export function trainingStory(step, lanes) {
  if (lanes.length === 0)
    return `Press Train: three models, ${STEPS} steps each, in less than a minute.`;
  const when = step === 0 ? 'Before the first step' : `After ${step} step${step === 1 ? '' : 's'}`;
  const texts = lanes.map(
    ({ name, first, last }) =>
      `${short(first)} in the first and ${short(last)} in the last block of ${name}`,
  );
  return `${when}, the gradient is ${texts.join('; ')}.`;
}

/** @param {number} open  measurements of so many in all that are still to be made */
export function startProgress(open, all) {
  const what = `Mean of ${SEEDS.length} seeds, band from the least to the largest.`;
  return open === 0 ? what : `${all - open} of ${all} models measured. ${what}`;
}

export function trainingProgress(training) {
  if (training === undefined) return 'Nothing is trained yet.';
  const step = training.found[0]?.at(-1)?.step;
  if (!training.isRunning)
    return step === STEPS ? `Done, ${STEPS} steps.` : `Stopped at step ${step ?? 0}.`;
  return step === undefined ? 'Fetching the trainer.' : `Step ${step} of ${STEPS}.`;
}
