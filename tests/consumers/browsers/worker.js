import { report } from './report.js';

const worker = new Worker('./in-worker.js', { type: 'module' });
report(
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  }),
);
