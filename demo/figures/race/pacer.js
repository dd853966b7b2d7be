/**
 * The clock of a lane: work in slices, between which the worker hears what it is told. Nothing is
 * made up for: what was slow or held back just ends later.
 */

import { nextTask } from '../../shared/slices.js';

/** Milliseconds of work without a pause, where a single piece does not take longer. */
const SLICE = 20;

/**
 * @param {object} settings
 * @param {() => 'part' | 'whole' | 'end'} settings.work  does a piece; whole: a step is complete
 * @param {(isIdle: boolean) => void} settings.rest  called after every slice; idle: no other will
 *   follow by itself
 * @param {() => number} [settings.now]  in milliseconds
 * @param {(run: () => void, delay: number) => void} [settings.later]  runs something as a task of
 *   its own
 */
export function pacer({ work, rest, now = () => performance.now(), later = asTask }) {
  let perSecond = Infinity;
  let due = 0;
  /** Steps that may be made without being due. */
  let allowed = 0;
  let isWaiting = false;

  const isDue = () => allowed > 0 && now() >= due;

  function slice() {
    isWaiting = false;
    const end = now() + SLICE;
    while (isDue()) {
      const done = work();
      if (done === 'end') allowed = 0;
      if (done === 'whole') {
        allowed -= 1;
        if (perSecond !== Infinity) due = now() + 1000 / perSecond;
      }
      if (now() >= end) break;
    }
    rest(allowed === 0);
    goOn();
  }

  function goOn() {
    if (isWaiting || allowed === 0) return;
    isWaiting = true;
    later(slice, Math.max(0, due - now()));
  }

  return {
    play() {
      allowed = Infinity;
      goOn();
    },
    pause() {
      allowed = 0;
    },
    /** One step, if it does not play. */
    step() {
      if (allowed > 0) return;
      allowed = 1;
      due = 0;
      goOn();
    },
    /** @param {number} steps  a second */
    setPace(steps) {
      perSecond = steps;
      due = Math.min(due, now() + 1000 / steps);
    },
  };
}

function asTask(run, delay) {
  if (delay > 0) setTimeout(run, delay);
  else nextTask().then(run);
}
