/** Long work in pieces, so that the page answers in between. */

/** Milliseconds of work without a pause; a frame has 16. */
const SLICE = 8;

/** The next task; unlike a timer, a message is not held back when there were many. */
export function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Runs a generator to its end, with pauses at its yields.
 *
 * @template T
 * @param {Generator<undefined, T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export async function runInSlices(work, signal) {
  for (;;) {
    await nextTask();
    signal.throwIfAborted();
    const end = performance.now() + SLICE;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < end);
  }
}
