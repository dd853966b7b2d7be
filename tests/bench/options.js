/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';
import { SETTINGS } from './race.js';

const OPTIONS = {
  chromium: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
  growth: { type: 'boolean', default: false },
  calls: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  filter: { type: 'string', default: '' },
  rounds: { type: 'string', default: String(SETTINGS.rounds) },
};

/** @param {string[]} words */
export function readOptions(words) {
  const { values } = parseArgs({ args: words, options: OPTIONS });
  const { chromium, growth, calls, write, filter } = values;
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds: ${values.rounds}`);
  if (write && (filter !== '' || rounds !== SETTINGS.rounds)) {
    throw new Error('--write keeps the results of full runs, without --filter and --rounds');
  }
  const asked = [...(growth ? ['growth'] : []), ...(calls ? ['calls'] : [])];
  const kinds = asked.length > 0 ? asked : ['cases', 'returns'];
  const settings = { ...SETTINGS, rounds };
  return { chromium, write, plan: { kinds, filter, withPeers: values.peers, settings } };
}
