/** The time of one sample: so many calls in a row. */

/**
 * @typedef {object} Clock
 * @property {() => number} now  milliseconds
 * @property {() => number} [waited]  milliseconds that this thread has waited for a processor that
 *   others had; where the system counts them
 */

/** Tries that took longer end the search: of long samples none is undisturbed on a busy machine. */
const PATIENCE_MS = 24;

/**
 * run(n) calls f n times. It is code of its own for each f, as in a program that calls f in one
 * place: engines learn by place what is called there.
 *
 * @param {Function} f
 * @param {unknown[]} args
 * @param {boolean} [isAsync]  f returns promises
 * @returns {(n: number) => void | Promise<void>}
 */
export function repeat(f, args, isAsync = false) {
  const names = args.map((_, i) => `a${i}`);
  const call = `f(${names})`;
  const body = `for (let i = 0; i < n; i++) ${isAsync ? `await ${call}` : call};`;
  const source = `return ${isAsync ? 'async ' : ''}function run(n) { ${body} }`;
  return new Function('f', ...names, source)(f, ...args);
}

/**
 * Takes the time once. Where the thread had to wait meanwhile, what it waited is taken off.
 *
 * @param {Clock} clock
 */
async function once({ now, waited = () => 0 }, run, calls) {
  const first = now();
  const before = waited();
  const start = now();
  const pending = run(calls);
  if (pending) await pending;
  const end = now();
  const wait = waited() - before;
  if (wait === 0) return { time: end - start, isQuiet: true };
  // Waiting may have begun before `start` or ended after `end`.
  return { time: now() - first - wait, isQuiet: false };
}

/**
 * Milliseconds that some calls take: of an undisturbed try if there is one, else the least.
 *
 * @param {Clock} clock
 * @param {number} tries
 */
export async function sample(clock, run, calls, tries) {
  let least = Infinity;
  const end = clock.now() + PATIENCE_MS;
  for (let i = 0; i < tries; i++) {
    const { time, isQuiet } = await once(clock, run, calls);
    if (isQuiet && clock.waited) return time;
    least = Math.min(least, time);
    if (clock.now() > end) break;
  }
  return least;
}
