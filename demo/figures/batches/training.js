/** Runs in a worker, one after the other, and how far they are. Without a DOM. */

/** @import { Job, Result } from './run.js' */

const NOT_LOADED = 'the program that trains could not be loaded';

/**
 * @param {object} options
 * @param {() => Worker} options.makeWorker
 * @param {string} options.address  of the packed digits
 * @param {Job[]} options.jobs
 * @param {(job: Job, result: Result) => void} options.onFound
 * @param {(levels: Uint8Array) => void} options.onDigits  some of the images
 * @param {() => void} options.onChange  called after every message
 */
export function newTraining({ makeWorker, address, jobs, onFound, onDigits, onChange }) {
  let done = 0;
  /** Of the run that is on, 0 to 1. */
  let part = 0;
  let trouble = '';
  /** @type {Worker | undefined} */
  let worker = makeWorker();

  const HEARD = {
    digits: ({ levels }) => onDigits(levels),
    progress({ progress }) {
      part = progress;
    },
    found({ job, result }) {
      done += 1;
      part = 0;
      onFound(job, result);
    },
    end,
    trouble({ message }) {
      trouble = message;
      end();
    },
  };

  worker.onmessage = ({ data: { type, ...what } }) => {
    // What was on its way when it was stopped.
    if (worker === undefined) return;
    HEARD[type](what);
    onChange();
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    HEARD.trouble({ message: event.message || NOT_LOADED });
    onChange();
  };
  worker.postMessage({ address, jobs });

  function end() {
    worker?.terminate();
    worker = undefined;
  }

  return {
    get isRunning() {
      return worker !== undefined;
    },
    /** Why it failed; empty if it did not. */
    get trouble() {
      return trouble;
    },
    /** Runs that are done, and the share of the one that is on. */
    get done() {
      return done + part;
    },
    end,
  };
}
