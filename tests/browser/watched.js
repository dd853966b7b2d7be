/**
 * A page that keeps what goes wrong in it, for engines whose drivers do not tell: script errors,
 * rejections, files that do not arrive, and what is written to the console.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs in the page, before anything else. */
function watch() {
  const problems = [];
  window.problems = problems;
  const report = ({ message, target }) =>
    problems.push(message ?? `not loaded: ${target.outerHTML}`);
  addEventListener('error', report, true);
  addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejected: ${reason}`));
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...words) => {
      problems.push(`${level}: ${words.join(' ')}`);
      write.apply(console, words);
    };
  }
}

/**
 * Puts a watched copy of the page beside it.
 *
 * @param {string} folder  of the built page
 * @returns {string} the name of the copy
 */
export function watchedCopy(folder) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const watched = html.replace('<head>', `<head><script>(${watch})()</script>`);
  writeFileSync(join(folder, 'watched.html'), watched);
  return 'watched.html';
}
