/** Takes the times of several in rounds, so that what disturbs the machine disturbs all alike. */
import { sample } from './timing.js';

/**
 * @typedef {object} Settings
 * @property {number} rounds
 * @property {number} sampleMs  how long a sample lasts, at least one call
 * @property {number} warmUpMs  and
 * @property {number} warmUpCalls  are what V8 needs until its compilers have done their best
 * @property {number} tries  for an undisturbed sample
 */

/** @type {Settings} */
export const SETTINGS = { rounds: 31, sampleMs: 0.8, warmUpMs: 60, warmUpCalls: 30, tries: 5 };

/** Calls until everything is compiled, and gives how many make a sample. */
async function warmUp(run, clock, { sampleMs, warmUpMs, warmUpCalls, tries }) {
  let [calls, made, spent, time] = [1, 0, 0, 0];
  while (spent < warmUpMs || made < warmUpCalls) {
    time = await sample(clock, run, calls, 1);
    made += calls;
    spent += time;
    if (time < sampleMs) calls *= 2;
  }
  time = await sample(clock, run, calls, tries);
  return Math.max(1, Math.round((sampleMs * calls) / time));
}

/**
 * @param {((n: number) => void | Promise<void>)[]} runs
 * @param {import('./timing.js').Clock} clock
 * @param {Settings} settings
 * @returns {Promise<number[][]>} of each, nanoseconds a call in every round
 */
export async function race(runs, clock, settings) {
  // Twice: what an engine compiles in the background is ready when all the others have had a turn.
  let calls = [];
  for (let pass = 0; pass < 2; pass++) {
    calls = [];
    for (const run of runs) calls.push(await warmUp(run, clock, settings));
  }
  const times = runs.map(() => []);
  for (let round = 0; round < settings.rounds; round++) {
    for (let i = 0; i < runs.length; i++) {
      const turn = (round + i) % runs.length; // nobody is always first
      const run = runs[turn];
      // One's own arrays come back into the cache, unless a call alone fills the sample.
      if (calls[turn] > 1) await run(1);
      const time = await sample(clock, run, calls[turn], settings.tries);
      times[turn].push((time * 1e6) / calls[turn]);
    }
  }
  return times;
}
