// BatchNorm over a batch that lies with three workers: node examples/sync_batch_norm.js
//
// Each has some of the examples, normalizes them with the statistics of all, and gets the gradients
// of all. The main thread compares with one BatchNorm that has the whole batch.
import { isMainThread, MessageChannel, parentPort, Worker, workerData } from 'node:worker_threads';
import { load } from 'axisnorm';
import { BatchNorm, SyncBatchNorm } from 'axisnorm/layers';
import { allGather, serveAllGather } from './all_gather.js';
import { normal, seeded } from './program.js';

const EXAMPLES = [5, 2, 9]; // of each worker
const [CHANNELS, HEIGHT, WIDTH] = [6, 4, 4];
const SIZE = CHANNELS * HEIGHT * WIDTH;
const shapeOf = (x) => [x.length / SIZE, CHANNELS, HEIGHT, WIDTH];

/** What training changes in a layer. */
const learned = ({ weight, bias, runningMean, runningVar }) => ({
  dweight: weight.gradient.slice(),
  dbias: bias.gradient.slice(),
  runningMean: runningMean.slice(),
  runningVar: runningVar.slice(),
});

/** One step of one worker, with its part of x and dy. */
async function work({ x, dy, port }) {
  const layer = new BatchNorm(await load(), CHANNELS);
  const norm = new SyncBatchNorm(layer, allGather(port));
  const y = await norm.forward(x, { shape: shapeOf(x) });
  const dx = await norm.backward(dy);
  port.close();
  parentPort.postMessage({ y, dx, ...learned(layer) });
}

/** The results of all workers, in their order. */
function runWorkers(x, dy) {
  const channels = EXAMPLES.map(() => new MessageChannel());
  serveAllGather(channels.map(({ port1 }) => port1));
  let end = 0;
  const results = EXAMPLES.map((examples, i) => {
    const start = end;
    end += examples * SIZE;
    const port = channels[i].port2;
    const data = { x: x.slice(start, end), dy: dy.slice(start, end), port };
    const worker = new Worker(new URL(import.meta.url), { workerData: data, transferList: [port] });
    return new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  return Promise.all(results);
}

/** The same step in one go. */
async function whole(x, dy) {
  const layer = new BatchNorm(await load(), CHANNELS);
  const y = layer.forward(x, { shape: shapeOf(x) });
  return { y, dx: layer.backward(dy), ...learned(layer) };
}

/** The largest difference, in units in the last place of the largest value: 2^-23 of it. */
function units(got, want) {
  const largest = want.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  return got.reduce((m, v, i) => Math.max(m, Math.abs(v - want[i])), 0) / (largest * 2 ** -23);
}

const concatenate = (arrays) => Float32Array.from(arrays.flatMap((array) => [...array]));

async function main() {
  const draw = seeded(1);
  const length = EXAMPLES.reduce((a, b) => a + b) * SIZE;
  const x = normal(length, draw, { mean: 3, deviation: 2 });
  const dy = normal(length, draw);

  const parts = await runWorkers(x, dy);
  const want = await whole(x, dy);
  console.log(`${parts.length} workers with ${EXAMPLES.join(', ')} examples`);
  const differences = Object.entries(want).map(([name, values]) => {
    // y and dx are in parts; the rest is the same everywhere.
    const isInParts = values.length === length;
    const all = parts.map((part) => part[name]);
    const got = isInParts ? [concatenate(all)] : all;
    const difference = Math.max(...got.map((array) => units(array, values)));
    console.log(`${name.padEnd(11)} ${difference.toFixed(2)}`);
    return difference;
  });
  const largest = Math.max(...differences).toFixed(2);
  console.log(`largest difference from one BatchNorm: ${largest} units in the last place`);
}

await (isMainThread ? main() : work(workerData));
