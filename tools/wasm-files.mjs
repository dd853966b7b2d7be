// Before packing: writes each module of js/wasm as a .wasm file beside it, for places that compile
// only files (Cloudflare Workers, a strict Content Security Policy).
import { writeFileSync } from 'node:fs';
import { bytesOf } from './packaged.mjs';

for (const folder of ['../js/wasm/', '../js/wasm/train/']) {
  for (const build of ['scalar', 'simd128']) {
    const file = new URL(`${folder}${build}.wasm`, import.meta.url);
    writeFileSync(file, bytesOf(await import(`${folder}${build}.js`)));
  }
}
