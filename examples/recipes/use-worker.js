const worker = new Worker(new URL('./norm-worker.js', import.meta.url), { type: 'module' });
const waiting = new Map();
let calls = 0;

worker.addEventListener('message', ({ data: { id, y, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(error);
  else resolve(y);
});

/** x is moved to the worker and is empty from then on; pass x.slice() to keep it. */
export const layerNorm = (x, options) =>
  new Promise((resolve, reject) => {
    calls += 1;
    waiting.set(calls, { resolve, reject });
    worker.postMessage({ id: calls, x, options }, [x.buffer]);
  });
