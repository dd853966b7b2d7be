import { load } from 'axisnorm';

const loading = load();

self.addEventListener('message', async ({ data: { id, x, options } }) => {
  const an = await loading;
  try {
    const y = an.layerNorm(x, options);
    self.postMessage({ id, y }, { transfer: [y.buffer] });
  } catch (error) {
    self.postMessage({ id, error });
  }
});
