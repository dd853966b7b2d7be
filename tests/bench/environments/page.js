/** What measuring needs of a page that the server of server.js has given; chromium.js calls it. */
import { measure } from '../measure.js';

const PEERS = '/tests/accuracy/node_modules';

/** @returns {import('../measure.js').Environment} */
const pageEnvironment = () => ({
  clock: { now: () => performance.now() },
  async bytes(path) {
    const response = await fetch(`/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.arrayBuffer();
  },
  onnxruntime: () => import(`${PEERS}/onnxruntime-web/dist/ort.wasm.min.mjs`),
  async tensorflow() {
    // These define a global variable `tf`.
    await import(`${PEERS}/@tensorflow/tfjs-core/dist/tf-core.min.js`);
    await import(`${PEERS}/@tensorflow/tfjs-layers/dist/tf-layers.min.js`); // and its gradients
    await import(`${PEERS}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
    const folder = `${PEERS}/@tensorflow/tfjs-backend-wasm/dist/`;
    return { tf: globalThis.tf, wasm: globalThis.tf.wasm, folder };
  },
});

/** @param {import('../measure.js').Plan} plan */
export function measureInPage(plan) {
  if (!globalThis.crossOriginIsolated) throw new Error('the clock of this page is coarse');
  return measure(pageEnvironment(), plan, (line) => console.log(line));
}
