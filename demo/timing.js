/** How long one call takes, where a call is far shorter than what the clock can tell apart. */

const BATCHES = 15;
/** Browsers round their clock to as much as 1 ms; a batch must be much longer. */
const BATCH_MS = 5;

/** Milliseconds that so many calls take. */
function elapsed(fn, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) fn();
  return performance.now() - start;
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Calls fn many times, in batches with pauses, so that the page stays usable. While a batch is too
 * short for the clock, it is doubled and what was measured is forgotten: the first calls are slow,
 * as the engine compiles what it runs, and must not count.
 *
 * @param {() => void} fn
 * @param {AbortSignal} signal
 * @returns {Promise<{ microseconds: number, batches: number, calls: number }>} the median of the
 *   batches, in microseconds a call, and how many calls a batch had
 */
export async function measure(fn, signal) {
  let calls = 1;
  let times = [];
  while (times.length < BATCHES) {
    await nextTask();
    signal.throwIfAborted();
    const milliseconds = elapsed(fn, calls);
    times.push((milliseconds * 1000) / calls);
    if (milliseconds < BATCH_MS) {
      calls *= 2;
      times = [];
    }
  }
  times.sort((a, b) => a - b);
  return { microseconds: times[(BATCHES - 1) / 2], batches: BATCHES, calls };
}
