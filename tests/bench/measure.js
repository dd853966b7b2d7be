/** Measures what a plan asks for, in any environment that has a clock and can read files. */
import { measureCalls } from './calls.js';
import { CASES } from './cases.js';
import { contestants } from './contestants/index.js';
import { measureGrowth } from './growth.js';
import { rowText } from './report/lines.js';
import { measureReturns } from './returns.js';
import { runCase } from './suite.js';

/**
 * @typedef {object} Environment
 * @property {import('./timing.js').Clock} clock
 * @property {(path: string) => Promise<BufferSource>} bytes  of a file of the project
 * @property {() => Promise<object>} onnxruntime  the peers, once they are installed
 * @property {() => Promise<{ tf: object, wasm: object, folder: string }>} tensorflow
 *
 * @typedef {object} Plan
 * @property {Kind[]} kinds
 * @property {string} filter  a regular expression; only what has an id that it matches is measured
 * @property {boolean} withPeers
 * @property {import('./race.js').Settings} settings
 *
 * @typedef {'cases' | 'returns' | 'growth' | 'calls'} Kind
 * @typedef {(environment: Environment, plan: Plan, say: (line: string) => void) => Promise<any>}
 *   Measure  what it gives can be cloned
 */

/** @type {Measure} */
async function measureCases(environment, { filter, withPeers, settings }, say) {
  const everyone = await contestants(environment, withPeers);
  const wanted = CASES.filter(({ id }) => new RegExp(filter).test(id));
  const rows = [];
  for (const one of wanted) {
    const row = await runCase(one, everyone, environment.clock, settings);
    say(rowText(row));
    rows.push(row);
  }
  return rows;
}

/** @type {Record<Kind, Measure>} */
const KINDS = {
  cases: measureCases,
  returns: measureReturns,
  growth: measureGrowth,
  calls: measureCalls,
};

/**
 * @param {Environment} environment
 * @param {Plan} plan
 * @param {(line: string) => void} say
 * @returns {Promise<Partial<Record<Kind, any>>>}
 */
export async function measure(environment, plan, say) {
  const results = {};
  for (const kind of plan.kinds) results[kind] = await KINDS[kind](environment, plan, say);
  return results;
}
