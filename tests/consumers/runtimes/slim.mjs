import { layerNorm, load } from 'axisnorm/slim';
import { checkNorms } from './check.js';

// A file: URL, which encodes the spaces and letters of this folder's path.
const source = (build) => new URL(import.meta.resolve(`axisnorm/wasm/${build}.wasm`));
console.log(checkNorms(await load({ source, norms: { layerNorm } })));
