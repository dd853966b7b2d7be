/** The modules inside the package: base64 of deflated bytes. */

/** @import { Build } from './module.js' */
import { outOfRange, wrongKind } from './check.js';
import { compile } from './module.js';

/**
 * What `npm run build` writes: a module's bytes, deflated (RFC 1951) and as base64, and how many
 * they are.
 *
 * @typedef {{ default: string, size: number }} Packaged
 */

/**
 * @param {Record<Build, () => Promise<Packaged>>} files  only that of the build in use is imported
 * @returns {(build: Build) => Promise<WebAssembly.Module>}
 */
export const packagedModule = (files) => async (build) => {
  const { default: base64, size } = await imported(files[build]);
  return compile(await inflated(decode(base64), size));
};

/** @param {() => Promise<Packaged>} file */
async function imported(file) {
  try {
    return await file();
  } catch (cause) {
    if (!IMPORTS_NOTHING.some((scope) => scope in globalThis)) throw cause;
    const module =
      'a module in a service worker or worklet, which cannot import that of the package';
    throw wrongKind('source', module, 'undefined');
  }
}

/** Where import() is forbidden, unless a bundler has put all into one file. */
const IMPORTS_NOTHING = ['ServiceWorkerGlobalScope', 'WorkletGlobalScope'];

/**
 * @param {string} base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
function decode(base64) {
  const { fromBase64 } = /** @type {any} */ (Uint8Array);
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64);
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/**
 * @param {Uint8Array<ArrayBuffer>} deflated
 * @param {number} size
 */
async function inflated(deflated, size) {
  const stream = inflatingStream();
  if (stream === undefined) return (await import('./inflate.js')).inflate(deflated, size);
  const writer = stream.writable.getWriter();
  // All three fail where one does.
  const [bytes] = await Promise.all([
    readAll(stream.readable.getReader(), size),
    writer.write(deflated),
    writer.close(),
  ]);
  return bytes;
}

/** Not every engine has it, and those that have know different formats. */
function inflatingStream() {
  try {
    return new DecompressionStream('deflate-raw');
  } catch {
    return undefined;
  }
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {number} size  of all that is read
 */
async function readAll(reader, size) {
  const bytes = new Uint8Array(size);
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes.set(next.value, length); // refuses what is too much
    length += next.value.length;
  }
  if (length < size) throw outOfRange('wasm module', `${size} bytes`, length);
  return bytes;
}
