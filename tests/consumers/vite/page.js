import wasm from 'axisnorm/wasm/simd128.wasm?url';
import { checkAll } from './all.js';
import { report } from './report.js';

/** What a module worker that Vite bundles says. */
const inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });

const here = await checkAll(wasm).catch((error) => `failed: ${error.message}`);
report(inWorker().then((line) => `${here}; worker ${line}`));
