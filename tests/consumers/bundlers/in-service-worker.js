// All in one file, so that nothing is imported while it runs.
import { load } from 'axisnorm';
import { checkNorms } from './check.js';

addEventListener('message', async ({ ports: [port] }) => {
  const line = await load().then(checkNorms, ({ message }) => `failed: ${message}`);
  port.postMessage(line);
});
