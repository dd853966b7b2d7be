/** What is measured in workers, and what is known so far. Without a DOM. */

const NOT_LOADED = 'the program that measures could not be loaded';

/**
 * @param {object} options
 * @param {() => Worker} options.makeWorker
 * @param {() => void} options.onChange  something was found
 */
function listening({ makeWorker, onChange, onFound, onEnd, onTrouble }) {
  const worker = makeWorker();
  worker.onmessage = ({ data: { type, ...what } }) => {
    if (type === 'found') onFound(what);
    else if (type === 'end') onEnd();
    else onTrouble(what.message);
    onChange();
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    onTrouble(event.message || NOT_LOADED);
    onChange();
  };
  return worker;
}

/**
 * Models as they start: each is measured once, one after the other, while somebody looks.
 *
 * @param {{ makeWorker: () => Worker, onChange: () => void }} options
 */
export function startMeasuring(options) {
  /** @type {Map<string, import('./model.js').Probe[]>} */
  const known = new Map();
  /** @type {Worker | undefined} */
  let worker;
  let queue = [];
  let isBusy = false;
  let isWatched = false;
  let trouble = '';

  const keyOf = ({ placement, depth }) => `${placement}-${depth}`;
  const probesOf = (job) => known.get(keyOf(job)) ?? [];
  const has = (job) => probesOf(job)[job.seed] !== undefined;

  function next() {
    if (isBusy || !isWatched || queue.length === 0 || trouble) return;
    isBusy = true;
    worker ??= listening({
      ...options,
      onFound({ job, probe }) {
        const probes = probesOf(job);
        probes[job.seed] = probe;
        known.set(keyOf(job), probes);
      },
      onEnd() {
        isBusy = false;
        queue = queue.filter((job) => !has(job));
        if (queue.length === 0) release();
        next();
      },
      onTrouble(message) {
        trouble = message;
        release();
      },
    });
    worker.postMessage({ type: 'measure', ...queue[0] });
  }

  function release() {
    worker?.terminate();
    worker = undefined;
    isBusy = false;
  }

  return {
    /** Why it failed; empty if it did not. */
    get trouble() {
      return trouble;
    },
    /** How many are still to be measured. */
    get open() {
      return queue.length;
    },
    /**
     * What is to be measured now, in this order.
     *
     * @param {{ placement: string, depth: number, seed: number }[]} jobs
     */
    want(jobs) {
      queue = jobs.filter((job) => !has(job));
      next();
    },
    /** @param {boolean} now  whether somebody looks */
    watch(now) {
      isWatched = now;
      next();
    },
    /** Those of all seeds so far. */
    of: (placement, depth) => probesOf({ placement, depth }).filter(Boolean),
  };
}

/**
 * Models while they train.
 *
 * @param {{ makeWorker: () => Worker, onChange: () => void, depth: number }} options
 */
export function newTraining({ depth, ...options }) {
  /** @type {import('./model.js').Found[][]} by lane */
  const found = [];
  let trouble = '';
  /** @type {Worker | undefined} */
  let worker = listening({
    ...options,
    onFound(one) {
      found[one.lane] ??= [];
      found[one.lane].push(one);
    },
    onEnd: end,
    onTrouble(message) {
      trouble = message;
      end();
    },
  });
  worker.postMessage({ type: 'train', depth });

  function end() {
    worker?.terminate();
    worker = undefined;
  }

  return {
    depth,
    found,
    get trouble() {
      return trouble;
    },
    get isRunning() {
      return worker !== undefined;
    },
    end,
  };
}
