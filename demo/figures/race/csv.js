/** The numbers of a race as a table for other programs. */

const COLUMNS = ['model', 'seed', 'step', 'loss', 'accuracy', 'rate', 'gradient_norm'];

/** Lines that are made without a pause. */
const LINES_AT_ONCE = 200;

/** As RFC 4180 has it. */
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * A line for each step of each seed of each model, with all digits. A seed that has diverged has no
 * lines after the step at which it did.
 *
 * @param {{ name: string, seeds: number[], history: import('./history.js').History,
 *   divergedAt: (number | undefined)[] }[]} lanes
 * @returns {Generator<undefined, string[]>} pieces of the file
 */
export function* csvOf(lanes) {
  const pieces = [`${COLUMNS.join()}\r\n`];
  let lines = 0;
  for (const { name, seeds, history, divergedAt } of lanes) {
    for (const [k, seed] of seeds.entries()) {
      const { rate, values } = history;
      const last = divergedAt[k] ?? history.length;
      for (let i = 0; i < last; i++) {
        const numbers = [
          ...[seed, i + 1, values.loss[k][i], values.accuracy[k][i]],
          ...[rate[i], values.gradientNorm[k][i]],
        ];
        pieces.push(`${quoted(name)},${numbers.join()}\r\n`);
        if (++lines % LINES_AT_ONCE === 0) yield;
      }
    }
  }
  return pieces;
}
