// All-gather for worker threads: the main thread collects an array of each, and gives all to all.

/**
 * In the main thread: waits until each port has sent an array, answers all ports with the list, and
 * begins again. The order is that of the ports, for everyone, so that sums come out with equal bits.
 *
 * @param {import('node:worker_threads').MessagePort[]} ports  one to each worker
 */
export function serveAllGather(ports) {
  let arrays = new Map();
  for (const [rank, port] of ports.entries()) {
    port.on('message', (array) => {
      arrays.set(rank, array);
      if (arrays.size < ports.length) return;
      const all = ports.map((_, i) => arrays.get(i));
      arrays = new Map();
      for (const each of ports) each.postMessage(all);
    });
  }
}

/**
 * In a worker: the function that SyncBatchNorm takes. Several layers may share it; their calls go one
 * after the other, in the same order on all workers.
 *
 * @param {import('node:worker_threads').MessagePort} port  to the main thread
 * @returns {import('axisnorm/layers').Gather}
 */
export function allGather(port) {
  let last = Promise.resolve();
  const exchange = (own) =>
    new Promise((resolve) => {
      port.once('message', resolve);
      port.postMessage(own);
    });
  return (own) => {
    const next = last.then(() => exchange(own));
    last = next;
    return next;
  };
}
