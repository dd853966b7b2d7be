import { layerNorm, load } from 'axisnorm/slim';
import module from 'axisnorm/wasm/simd128.wasm'; // wrangler makes it a WebAssembly.Module

const loading = load({ source: module, build: 'simd128', norms: { layerNorm } });

export default {
  async fetch(request) {
    const an = await loading;
    const x = new Float32Array(await request.arrayBuffer());
    return new Response(an.layerNorm(x, { normalizedShape: 768 }));
  },
};
