import { layerNorm, load } from 'axisnorm/slim';

// Copies of node_modules/axisnorm/js/wasm/*.wasm, served as application/wasm.
const source = (build) => new URL(`./wasm/${build}.wasm`, import.meta.url);

export const an = await load({ source, norms: { layerNorm } });
