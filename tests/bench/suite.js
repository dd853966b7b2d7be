/** Cases and contestants to times: everyone is checked first, then those who are right race. */
import { mistakeIn, problemOf } from './problem.js';
import { race } from './race.js';
import { repeat } from './timing.js';

/**
 * @typedef {object} Entry  what a contestant has prepared for a case
 * @property {[Function, ...unknown[]]} call  a function and what it is called with
 * @property {boolean} [isAsync]  it returns promises
 * @property {() => Record<string, Float32Array>} [results]  of the last call; absent: there are none
 * @property {() => unknown} [end]  gives back what was taken
 *
 * @typedef {object} Contestant
 * @property {string} id
 * @property {(one: import('./cases.js').Case, inputs: Record<string, Float32Array>) =>
 *   Entry | undefined | Promise<Entry | undefined>} prepare  undefined: does not take part
 *
 * @typedef {object} Row
 * @property {string} id  of the case
 * @property {string} operation  its title
 * @property {string} shape
 * @property {number} elements  of x
 * @property {number} bytes
 * @property {Record<string, number[]>} times  of each contestant, nanoseconds a call in every round
 * @property {Record<string, string>} refused  why contestants have none
 */

/** Everyone who takes part in a case, and why others cannot. */
async function gather(contestants, one, inputs) {
  const entries = [];
  const refused = {};
  for (const { id, prepare } of contestants) {
    try {
      const entry = await prepare(one, inputs);
      if (entry) entries.push({ id, ...entry });
    } catch (error) {
      refused[id] = String(error);
    }
  }
  return { entries, refused };
}

/** Calls an entry once and says what is wrong with its results. */
async function firstCall({ call: [f, ...args], results }, one, want) {
  try {
    await f(...args);
    return results && mistakeIn(one, results(), want);
  } catch (error) {
    return String(error);
  }
}

/** What is wrong with each entry, where something is. */
async function mistakesOf(entries, one, want) {
  const mistakes = {};
  for (const entry of entries) {
    const mistake = await firstCall(entry, one, want);
    if (mistake) mistakes[entry.id] = mistake;
  }
  return mistakes;
}

const runOf = ({ call: [f, ...args], isAsync }) => repeat(f, args, isAsync);

/**
 * @param {import('./cases.js').Case} one
 * @param {Contestant[]} contestants
 * @param {import('./timing.js').Clock} clock
 * @param {import('./race.js').Settings} settings
 * @returns {Promise<Row>}
 */
export async function runCase(one, contestants, clock, settings) {
  const { inputs, expected } = problemOf(one);
  const { entries, refused } = await gather(contestants, one, inputs);
  try {
    Object.assign(refused, await mistakesOf(entries, one, expected()));
    const accepted = entries.filter(({ id }) => !refused[id]);
    const times = await race(accepted.map(runOf), clock, settings);
    return {
      id: one.id,
      operation: one.op.title,
      shape: one.shape,
      elements: one.lengths.x,
      bytes: one.bytes,
      times: Object.fromEntries(accepted.map(({ id }, i) => [id, times[i]])),
      refused,
    };
  } finally {
    for (const { end } of entries) await end?.();
  }
}
