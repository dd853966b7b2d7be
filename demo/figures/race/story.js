/** What happens in a race, in words. */
import { significant } from '../../numbers.js';
import { median, newest } from './history.js';
import { TASK } from './presets.js';

/** Loss of guessing: every symbol is as likely as the others. */
export const CHANCE = Math.log(TASK.symbols);

/** From here on a model is said to guess. */
const GUESSING = 0.9;
/** Below it a model is said to have learned. */
const LEARNED = 0.15;

/** Three digits; what is very small is as good as nothing. */
export const lossText = (loss) => {
  if (loss < 1e-4) return '< 0.0001';
  return Math.abs(loss) < 0.1 ? loss.toFixed(4) : significant(loss, 3);
};

/** With a decimal, unless it is none or all. */
export const percent = (share) =>
  Number.isNaN(share) ? 'NaN' : `${(100 * share).toFixed(Number.isInteger(share) ? 0 : 1)} %`;

/** Median over the seeds of what unseen data gave. */
export const unseenOf = ({ unseen }, name) =>
  unseen === undefined ? Number.NaN : median(unseen.map((one) => one[name]));

/** Words between words, as in `a, b and c`. */
const listed = (words) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Which seeds diverged, at which step, and how. */
function divergence({ name, seeds, divergedAt, history }) {
  const fallen = seeds
    .map((seed, k) => ({ seed, k, step: divergedAt[k] }))
    .filter(({ step }) => step !== undefined);
  if (fallen.length === 0) return '';
  const which = fallen.map(({ seed, k, step }) => {
    const loss = history.values.loss[k][step - 1];
    const how = Number.isFinite(loss)
      ? `with a loss of ${significant(loss, 3)} and a gradient that is not finite`
      : `where its loss was ${significant(loss, 3)}`;
    return seeds.length === 1 ? `at step ${step}, ${how}` : `with seed ${seed} at step ${step}`;
  });
  return `${name} diverged ${listed(which)}. It was stopped there. `;
}

function ending(lane) {
  const loss = unseenOf(lane, 'loss');
  if (Number.isNaN(loss)) return '';
  const right = percent(unseenOf(lane, 'accuracy'));
  const first = median(lane.history.values.loss.map(([of]) => of));
  const from = first > 2 * CHANCE ? ` (it started at ${lossText(first)})` : '';
  const numbers = `a loss of ${lossText(loss)}${from}, ${right} right`;
  const { name } = lane;
  if (loss >= GUESSING * CHANCE) return `${name} is still guessing: ${numbers}. `;
  if (loss < LEARNED) return `${name} has learned it: ${numbers}. `;
  return `${name} is on its way: ${numbers}. `;
}

/** Where the lanes are, one after the other. */
export const standing = (lanes) =>
  lanes.map(({ name, history }) => `${name}: loss ${lossText(newest(history, 'loss'))}`).join(', ');

const COUNTS = { 2: 'Two', 3: 'Three', 4: 'Four' };

/**
 * @param {ReturnType<typeof import('./race.js').newRace> | undefined} race
 * @param {Record<string, any>} state
 */
export function story(race, { lanes, runs, steps }) {
  if (race === undefined) {
    const seeds = runs > 1 ? `with ${runs} seeds each, ` : '';
    return `${COUNTS[lanes.length]} models will learn to reverse ${TASK.length} symbols, ${seeds}on the same data, for ${steps} steps.`;
  }
  const diverged = race.lanes.map(divergence).join('');
  const guessing = `Guessing gives ln ${TASK.symbols} = ${lossText(CHANCE)}.`;
  if (!race.isOver) return `${diverged}${standing(race.lanes)}. ${guessing}`;
  const endings = race.lanes.map(ending).join('');
  const over = runs > 1 ? 'Medians over the seeds, on' : 'On';
  const intro = endings && `${over} sequences that no model has seen: `;
  return `${diverged}${intro}${endings}`.trim();
}

/** How far a race is. */
export function progressText(race, steps) {
  if (race === undefined) return 'Nothing is trained yet.';
  const made = race.lanes.map(({ history }) => history.length);
  if (race.lanes.every(({ status }) => status === 'failed')) return 'Nothing could be trained.';
  if (race.isOver) return `Done, ${Math.max(...made)} steps.`;
  const open = race.lanes.filter(({ worker }) => worker !== undefined);
  const at = Math.min(...open.map(({ history }) => history.length));
  if (!race.isPlaying) return `Paused at step ${at} of ${steps}.`;
  if (open.some(({ status }) => status === 'loading')) return 'Fetching the trainer.';
  const { speed } = race;
  if (speed === undefined || !(speed.perSecond > 0)) return `Step ${at} of ${steps}.`;
  const perSecond = speed.perSecond.toFixed(speed.perSecond < 10 ? 1 : 0);
  return `Step ${at} of ${steps}, ${perSecond} a second, ${Math.ceil(speed.left)} s left.`;
}

/** Why models could not be trained; empty if none failed. */
export const troubleText = (race) =>
  (race?.lanes ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name, trouble }) => `${name} could not be trained: ${trouble}`)
    .join('. ');

/** Where a lane is, in a word or two. */
export function laneText({ status, history, divergedAt }) {
  const fallen = divergedAt.filter((step) => step !== undefined);
  if (status === 'failed') return 'failed';
  if (fallen.length === divergedAt.length) return `diverged at step ${Math.max(...fallen)}`;
  return status === 'loading' ? 'loading' : `step ${history.length}`;
}
