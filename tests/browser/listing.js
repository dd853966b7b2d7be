/** Runs a listing of the page as a reader would, in Node. */
import { load } from '../../js/index.js';
import { load as loadTraining } from '../../js/train/index.js';

const IMPORTS = {
  "import { load } from 'axisnorm';\n": load,
  "import { load } from 'axisnorm/train';\n": loadTraining,
};
const AsyncFunction = (async () => {}).constructor;

/**
 * @param {string} text  a module that imports nothing but `load`, from axisnorm or axisnorm/train
 * @returns {Promise<unknown[]>} what it logs, one entry an argument
 */
export async function runListing(text) {
  const known = Object.keys(IMPORTS).find((line) => text.startsWith(line));
  if (known === undefined) throw new Error(`a listing must begin with ${Object.keys(IMPORTS)[0]}`);
  const logged = [];
  const console = { log: (...values) => logged.push(...values) };
  await new AsyncFunction('load', 'console', text.slice(known.length))(IMPORTS[known], console);
  return logged;
}
