/** Workers of SyncBatchNorm in one process, with a gather over promises. */
import { BatchNorm, SyncBatchNorm } from '../../js/layers/index.js';
import { builds } from './support.js';

/** A gather for each of the workers, and how often all have met. */
export function gathers(count) {
  const newRound = () => {
    const round = { parts: [], given: 0 };
    round.promise = new Promise((resolve) => {
      round.resolve = resolve;
    });
    return round;
  };
  let round = newRound();
  const met = { rounds: 0, values: [] };
  const list = Array.from({ length: count }, (_, k) => (own) => {
    const { promise, parts, resolve } = round;
    // As between threads, nobody has the array of another.
    parts[k] = structuredClone(own);
    round.given += 1;
    if (round.given === count) {
      met.rounds += 1;
      met.values.push(own.length);
      round = newRound();
      resolve(parts);
    }
    return promise;
  });
  return { list, met };
}

/**
 * Workers with a BatchNorm each, of the same state and of both builds in turn.
 *
 * @param {number} count
 * @param {number} channels
 * @param {object} options  of BatchNorm
 * @param {Record<string, Float32Array>} state
 */
export function workersOf(count, channels, options, { gamma, beta, runningMean, runningVar }) {
  const { list, met } = gathers(count);
  const workers = list.map((gather, k) => {
    const layer = new BatchNorm(builds[k % 2], channels, options);
    layer.weight?.value.set(gamma);
    layer.bias?.value.set(beta);
    layer.runningMean?.set(runningMean);
    layer.runningVar?.set(runningVar);
    return { layer, sync: new SyncBatchNorm(layer, gather) };
  });
  return { workers, met };
}

/** Runs fn for each worker at once and waits for all. */
export const together = (workers, fn) => Promise.all(workers.map((worker, k) => fn(worker, k)));

export function disposeAll(workers) {
  for (const { layer } of workers) layer.dispose();
}
