/** Trains one network after the other and reports what comes out. To stop it, end the worker. */
import { load } from 'axisnorm/train';
import { PIXELS, standardize, unpack } from '../../handwriting/digits.js';
import { newRun } from './run.js';

/** Milliseconds between reports. */
const REPORT_EVERY = 100;
/** Images that are shown. */
const SHOWN = 20;

async function fetchDigits(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the digits could not be fetched: status ${response.status}`);
  return unpack(new Uint8Array(await response.arrayBuffer()));
}

function train(t, images, job) {
  const run = newRun(t, images, job);
  let reported = performance.now();
  while (run.advance()) {
    if (performance.now() - reported < REPORT_EVERY) continue;
    reported = performance.now();
    postMessage({ type: 'progress', progress: run.progress });
  }
  postMessage({ type: 'found', job, result: run.result() });
  run.dispose();
}

self.onmessage = async ({ data: { address, jobs } }) => {
  try {
    const [t, levels] = await Promise.all([load(), fetchDigits(address)]);
    postMessage({ type: 'digits', levels: levels.slice(0, SHOWN * PIXELS) });
    const images = standardize(levels);
    for (const job of jobs) train(t, images, job);
    postMessage({ type: 'end' });
  } catch (error) {
    postMessage({ type: 'trouble', message: error.message });
  }
};
