/** What has come out, in words. */
import { SEEN } from './fields.js';
import { sizesOf } from './results.js';
import { NORMS } from './run.js';

/** A share as a percentage with one digit, which is what 500 images can tell. */
export const percent = (share) => (Number.isNaN(share) ? 'diverged' : (100 * share).toFixed(1));

const withUnit = (share) => (Number.isNaN(share) ? 'diverged' : `${percent(share)}\u00a0%`);

const listed = (words) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Both norms that the figure is about are known there. */
const isKnown = (results, state, size) =>
  ['batch', 'group'].every((norm) => results.summary(state, 'inference', norm, size));

const meanOf = (results, state, kind, norm, size) => results.summary(state, kind, norm, size).mean;

function change(results, state, [from, to]) {
  const each = ['batch', 'group'].map((norm) => {
    const [a, b] = [from, to].map((size) => meanOf(results, state, 'inference', norm, size));
    return `${NORMS[norm].label}’s from ${withUnit(a)} to ${withUnit(b)}`;
  });
  return `From ${from} images a batch to ${to}, the error in inference goes: ${listed(each)}.`;
}

function atOne(results, state, size) {
  const known = Object.keys(NORMS).filter((norm) =>
    results.summary(state, 'inference', norm, size),
  );
  const each = known.map(
    (norm) => `${NORMS[norm].label} ${withUnit(meanOf(results, state, 'inference', norm, size))}`,
  );
  return `With ${size} images a batch, the error in inference is: ${listed(each)}.`;
}

function whileTraining(results, state, size) {
  const [batch, group] = ['batch', 'group'].map((norm) =>
    withUnit(meanOf(results, state, 'training', norm, size)),
  );
  return `While training with ${size}, BatchNorm is wrong on ${batch}, GroupNorm on ${group}.`;
}

export function story(results, state) {
  const sizes = sizesOf(state).filter((size) => isKnown(results, state, size));
  if (sizes.length === 0) {
    const { seeds } = state;
    const count = Object.keys(NORMS).length * sizesOf(state).length * seeds;
    const one = seeds === 1 ? 'one seed' : `${seeds} seeds`;
    return `${count} networks will learn to read digits, with ${one} for every norm and size. They are alike but for their norm and their batches.`;
  }
  const [first, last] = [sizes[0], sizes.at(-1)];
  const main = first === last ? atOne(results, state, last) : change(results, state, [first, last]);
  return `${main} ${whileTraining(results, state, last)}`;
}

/** How far the training is. */
export function progressText(training, open, all) {
  if (training?.trouble) return 'It was stopped.';
  if (training?.isRunning) {
    const at = all - open;
    return training.done === 0 && at === 0
      ? 'Fetching the trainer and the digits.'
      : `${at} of ${all} networks are trained.`;
  }
  if (open === all) return 'Nothing is trained yet.';
  return open > 0
    ? `Stopped: ${all - open} of ${all} networks are trained.`
    : `Done, ${all} networks.`;
}

const IMAGENET =
  'On ImageNet GroupNorm is half a point behind BatchNorm with 32 images and ahead from 8 down.';

/** What the toy can and cannot say, for the training that is set. */
export function remarkOf({ seen, update }) {
  if (seen >= SEEN[2]) {
    return `${IMAGENET} Trained this long, the toy nearly knows its 1,500 images by heart: what is left is overfitting, against which noise is no handicap, and the errors in inference come together. Those while training do not.`;
  }
  if (update === 'each') return IMAGENET;
  return `${IMAGENET} Here it is further behind with large batches and ahead with 2 alone: the network is small and its training short.`;
}
