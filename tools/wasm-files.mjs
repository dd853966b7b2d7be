// Before packing: writes each module of js/wasm as a .wasm file beside it, for places that compile
// only files (Cloudflare Workers, a strict Content Security Policy).
import { writeFileSync } from 'node:fs';

for (const build of ['scalar', 'simd128']) {
  const { default: base64 } = await import(`../js/wasm/${build}.js`);
  writeFileSync(
    new URL(`../js/wasm/${build}.wasm`, import.meta.url),
    Buffer.from(base64, 'base64'),
  );
}
