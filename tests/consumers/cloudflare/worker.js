import { load as loadWhole } from 'axisnorm';
import * as layers from 'axisnorm/layers';
import { layerNorm, load as loadSlim } from 'axisnorm/slim';
import { load as loadTraining } from 'axisnorm/train';
import simd128 from 'axisnorm/wasm/simd128.wasm';
import trainSimd128 from 'axisnorm/wasm/train/simd128.wasm';
import { checkLayers, checkNorms, checkTraining } from './check.js';

/** Path -> what answers. Cloudflare compiles files when a worker is deployed, and no bytes later. */
const ANSWERS = {
  '/': () => 'ready',
  '/without': () => loadWhole().then(checkNorms, ({ message }) => message),
  '/slim': async () => checkNorms(await loadSlim({ source: simd128, norms: { layerNorm } })),
  '/whole': async () => checkNorms(await loadWhole({ source: simd128 })),
  '/layers': async () => checkLayers(await loadWhole({ source: simd128 }), layers),
  '/training': async () => checkTraining(await loadTraining({ source: trainSimd128 })),
};

export default {
  async fetch(request) {
    try {
      return new Response(await ANSWERS[new URL(request.url).pathname]());
    } catch (error) {
      return new Response(`failed: ${error.stack}`);
    }
  },
};
