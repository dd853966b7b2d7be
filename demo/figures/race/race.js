/** A race: lanes that train in workers of their own, and what they have reported. Without a DOM. */
import { append, newHistory } from './history.js';
import { namesOf } from './lanes.js';

/**
 * @typedef {object} RaceLane
 * @property {string} name
 * @property {import('./presets.js').Lane} lane
 * @property {number[]} seeds
 * @property {import('./history.js').History} history
 * @property {(number | undefined)[]} divergedAt  by seed: the step whose loss was not finite
 * @property {'loading' | 'training' | 'over' | 'failed'} status
 * @property {string} [trouble]  why it failed
 * @property {{ loss: number, accuracy: number }[]} [unseen]  by seed, in the end
 */

export const seedsOf = ({ seed, runs }) => Array.from({ length: runs }, (_, i) => seed + i);

const NOT_LOADED = 'the program that trains could not be loaded';

/**
 * @param {object} options
 * @param {Record<string, any>} options.settings  a state of the figure
 * @param {number} options.perSecond  steps that a lane may take in a second
 * @param {() => Worker} options.makeWorker
 * @param {() => void} options.onChange  something was reported
 * @param {() => number} [options.now]  in milliseconds
 */
export function newRace({
  settings,
  perSecond,
  makeWorker,
  onChange,
  now = () => performance.now(),
}) {
  const { depth, width, rate, warmup, steps } = settings;
  const seeds = seedsOf(settings);
  const names = namesOf(settings.lanes);
  let isPlaying = false;
  /** Where the lanes were when they last began to play. */
  let start = { time: 0, lengths: [] };

  const lanes = settings.lanes.map((lane, i) => {
    /** @type {RaceLane & { worker?: Worker }} */
    const one = {
      ...{ name: names[i], lane, seeds, status: 'loading' },
      history: newHistory(steps, seeds.length),
      divergedAt: seeds.map(() => undefined),
    };
    try {
      one.worker = makeWorker();
    } catch (error) {
      fail(one, error.message);
      return one;
    }
    one.worker.onmessage = ({ data }) => hear(one, data);
    one.worker.onerror = (event) => {
      event.preventDefault?.();
      fail(one, event.message || NOT_LOADED);
      onChange();
    };
    const own = { lane, depth, width, rate, warmup, seeds, steps };
    one.worker.postMessage({ type: 'begin', settings: own });
    return one;
  });
  tell({ type: 'pace', perSecond });

  function release(one) {
    one.worker?.terminate();
    one.worker = undefined;
  }

  function fail(one, trouble) {
    release(one);
    one.status = 'failed';
    one.trouble = trouble;
  }

  const HEARD = {
    ready(one) {
      one.status = 'training';
    },
    rows(one, { values, divergedAt }) {
      append(one.history, values);
      one.divergedAt = divergedAt;
    },
    end(one, { unseen }) {
      release(one);
      one.status = 'over';
      one.unseen = unseen;
    },
    trouble: (one, { message }) => fail(one, message),
  };

  function hear(one, { type, ...data }) {
    if (one.worker === undefined) return; // what was still on its way
    HEARD[type](one, data);
    onChange();
  }

  function tell(message) {
    for (const { worker } of lanes) worker?.postMessage(message);
  }

  const isOver = () => lanes.every(({ worker }) => worker === undefined);

  return {
    lanes,
    steps,
    get isPlaying() {
      return isPlaying && !isOver();
    },
    /** Nobody trains any more. */
    get isOver() {
      return isOver();
    },
    /** All have come to their end by themselves. */
    get isComplete() {
      return lanes.every(({ status }) => status === 'over');
    },
    play() {
      isPlaying = true;
      start = { time: now(), lengths: lanes.map(({ history }) => history.length) };
      tell({ type: 'play' });
    },
    pause() {
      isPlaying = false;
      tell({ type: 'pause' });
    },
    step() {
      tell({ type: 'step' });
    },
    setPace(steps) {
      start = { time: now(), lengths: lanes.map(({ history }) => history.length) };
      tell({ type: 'pace', perSecond: steps });
    },
    /** Steps that the slowest lane takes in a second, and seconds that are left, as far as known. */
    get speed() {
      const passed = (now() - start.time) / 1000;
      const speeds = lanes.flatMap(({ worker, history }, i) => {
        if (worker === undefined) return [];
        const perSecond = (history.length - start.lengths[i]) / passed;
        return [{ perSecond, left: (steps - history.length) / perSecond }];
      });
      if (passed < 0.5 || speeds.length === 0) return undefined;
      return speeds.reduce((a, b) => (a.left > b.left ? a : b));
    },
    /** Ends the workers; what they have reported stays. */
    end() {
      isPlaying = false;
      for (const one of lanes) if (one.worker) release(one);
    },
  };
}
