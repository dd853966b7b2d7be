/** Measures in a worker: one model at a time as it starts, or some while they train. */
import { load } from 'axisnorm/train';
import { nextTask } from '../../shared/slices.js';
import { measureStart, trainAndProbe } from './model.js';

const WORK = {
  *measure(t, job) {
    yield { job, probe: measureStart(t, job) };
  },
  train: (t, { depth }) => trainAndProbe(t, depth),
};

addEventListener('message', async ({ data: { type, ...what } }) => {
  try {
    const t = await load();
    for (const found of WORK[type](t, what)) {
      if (found) postMessage({ type: 'found', ...found });
      await nextTask();
    }
    postMessage({ type: 'end' });
  } catch (error) {
    postMessage({ type: 'trouble', message: error.message });
  }
});
