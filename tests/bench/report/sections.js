/** Each kind of measurement as a section: where it belongs in docs/performance.md, and its text. */
import { callsReport } from './calls.js';
import { casesReport } from './cases.js';
import { growthReport } from './growth.js';
import { returnsReport } from './returns.js';

const KINDS = {
  cases: { heading: 'Every case', report: casesReport },
  returns: { heading: 'Ways to get a result', report: returnsReport },
  growth: { heading: 'How cost grows', report: growthReport },
  calls: { heading: 'What a call costs', report: callsReport },
};

/**
 * What has to be known of a run.
 *
 * @typedef {object} Run
 * @property {{ id: string, version: string, clock: string }} engine
 * @property {string} command
 * @property {string} machine
 * @property {string} date
 * @property {number} rounds
 * @property {string} peers  their versions; empty where there are none
 */

const provenance = ({ engine, command, machine, date, rounds, peers }) =>
  `\`${command}\`: ${[engine.version, machine, date, peers].filter(Boolean).join('; ')}. Medians of ` +
  `${rounds} rounds, ${engine.clock}.`;

/**
 * @param {object} results  of measure()
 * @param {Run} run
 * @returns {{ heading: string, id: string, text: string }[]}
 */
export const sections = (results, run) =>
  Object.entries(KINDS)
    .filter(([kind]) => results[kind])
    .map(([kind, { heading, report }]) => ({
      heading,
      id: `${kind}, ${run.engine.id}`,
      text: `### ${run.engine.id}\n\n${provenance(run)}\n\n${report(results[kind])}`,
    }));
