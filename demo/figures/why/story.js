/** What has been measured, in words. */
import { short } from '../../numbers.js';
import { PLACEMENTS, SEEDS, STEPS } from './model.js';

export const NAMES = { post: 'Post-LN', pre: 'Pre-LN' };

/** From 4 to 16 blocks, where both are known. */
function scaling(lastOf) {
  const [post, pre] = PLACEMENTS.map((placement) => lastOf(placement, 4) / lastOf(placement, 16));
  if (Number.isNaN(post + pre)) return '';
  return ` From 4 to 16 blocks Pre-LN’s falls by a factor of ${pre.toFixed(2)}, where 1/√depth gives 2; Post-LN’s by ${post.toFixed(2)}, where the theory gives 1.`;
}

/**
 * @param {number} depth
 * @param {(placement: string, depth: number) => number} lastOf  gradient of the last block
 */
export function startStory(depth, lastOf) {
  const [post, pre] = PLACEMENTS.map((placement) => lastOf(placement, depth));
  if (Number.isNaN(post + pre)) return 'Measuring.';
  const blocks = depth === 1 ? '1 block' : `${depth} blocks`;
  return `With ${blocks}, the gradient of the last block has norm ${short(post)} in Post-LN and ${short(pre)} in Pre-LN.${scaling(lastOf)}`;
}

/** @param {{ name: string, first: number, last: number }[]} lanes  as they are shown */
export function trainingStory(step, lanes) {
  if (lanes.length === 0) return `Three models will be trained for ${STEPS} steps.`;
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
