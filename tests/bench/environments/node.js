/** What measuring needs of Node. */
import { existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../tools/lib.mjs';

/** Time on a processor, time waiting for one, both in nanoseconds, and turns of this thread. */
const SCHEDULER = '/proc/thread-self/schedstat';

/** @returns {import('../timing.js').Clock} */
function clock() {
  const now = () => performance.now();
  if (!existsSync(SCHEDULER)) return { now };
  const file = openSync(SCHEDULER, 'r');
  const buffer = Buffer.alloc(128);
  const waited = () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.latin1Slice(0, length).split(' ')[1]) / 1e6;
  };
  return { now, waited };
}

/** The peers are installed beside the table of their errors. */
const require = createRequire(join(root, 'tests/accuracy/package.json'));

/** @returns {import('../measure.js').Environment} */
export const nodeEnvironment = () => ({
  clock: clock(),
  bytes: async (path) => readFileSync(join(root, path)),
  async onnxruntime() {
    const folder = join(root, 'tests/accuracy/node_modules/onnxruntime-web/dist');
    return import(pathToFileURL(join(folder, 'ort.node.min.mjs')).href);
  },
  async tensorflow() {
    const tf = require('@tensorflow/tfjs-core');
    require('@tensorflow/tfjs-layers'); // registers the gradients
    const wasm = require('@tensorflow/tfjs-backend-wasm');
    const main = require.resolve('@tensorflow/tfjs-backend-wasm/package.json');
    return { tf, wasm, folder: join(dirname(main), 'dist/') };
  },
});

/** What the tables say of Node. */
export const nodeEngine = () => ({
  id: `Node ${process.versions.node.split('.')[0]}`,
  version: `Node ${process.versions.node} (V8 ${process.versions.v8})`,
  clock: existsSync(SCHEDULER)
    ? 'time minus what the thread waited for a processor'
    : 'time that passed',
});
