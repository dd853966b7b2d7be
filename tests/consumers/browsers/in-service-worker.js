// A service worker must not import() while it runs, as the module inside axisnorm needs: it takes
// the file.

import { checkNorms } from './check.js';
import { load as loadWhole } from './node_modules/axisnorm/js/index.js';
import { layerNorm, load } from './node_modules/axisnorm/js/slim.js';

const wasm = './node_modules/axisnorm/js/wasm/simd128.wasm';

async function answer() {
  const without = await loadWhole().then(checkNorms, ({ message }) => message);
  const whole = checkNorms(await loadWhole({ source: wasm }));
  const slim = checkNorms(await load({ source: wasm, norms: { layerNorm } }));
  return `${whole}; slim ${slim}; without: ${without}`;
}

addEventListener('message', ({ ports: [port] }) => {
  answer().then(
    (line) => port.postMessage(line),
    (error) => port.postMessage(`failed: ${error.message}`),
  );
});
