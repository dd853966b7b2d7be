/** Runs a listing of the page as a reader would, in Node. */
import { load } from '../../js/index.js';

const IMPORT = "import { load } from 'axisnorm';\n";
const AsyncFunction = (async () => {}).constructor;

/**
 * @param {string} text  a module that imports nothing but `load` from axisnorm
 * @returns {Promise<unknown[]>} what it logs, one entry an argument
 */
export async function runListing(text) {
  if (!text.startsWith(IMPORT)) throw new Error(`a listing must begin with ${IMPORT}`);
  const logged = [];
  const console = { log: (...values) => logged.push(...values) };
  await new AsyncFunction('load', 'console', text.slice(IMPORT.length))(load, console);
  return logged;
}
