/** Which build of a wasm module an engine takes, and how its bytes become a module. */
import { describe, outOfRange, wrongKind } from './check.js';

/** @typedef {'simd128' | 'scalar'} Build */

/**
 * A wasm module: its bytes, where to fetch it, what was fetched, or the module compiled.
 *
 * @typedef {BufferSource | string | URL | Response | WebAssembly.Module} Source
 */

const BUILDS = ['simd128', 'scalar'];

/** The smallest module that uses SIMD (i8x16.splat and i8x16.popcnt). */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Whether this engine has WebAssembly at all; load() fails where it has not. */
export const isSupported = () =>
  typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';

const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

/** @returns {Build} */
export const bestBuild = () => (hasSimd() ? 'simd128' : 'scalar');

/** @param {Build} build */
export function expectBuild(build) {
  if (!BUILDS.includes(build)) throw outOfRange('build', `'simd128' or 'scalar'`, describe(build));
  if (build === 'simd128' && !hasSimd()) {
    throw outOfRange('build', `'scalar' in an engine without SIMD`, describe(build));
  }
}

/**
 * What `npm run build` writes: a module's bytes, deflated (RFC 1951) and as base64, and how many
 * they are.
 *
 * @typedef {{ default: string, size: number }} Packaged
 */

/** @param {Promise<Packaged>} file */
export async function packagedModule(file) {
  const { default: base64, size } = await file;
  return WebAssembly.compile(await inflated(decode(base64), size));
}

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

/**
 * @param {any} source  a Source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function toModule(source) {
  const kind = Object.prototype.toString.call(source);
  if (kind === '[object WebAssembly.Module]') return source;
  // Not every engine compiles a DataView.
  if (ArrayBuffer.isView(source)) {
    const buffer = /** @type {ArrayBuffer} */ (source.buffer);
    return WebAssembly.compile(new Uint8Array(buffer, source.byteOffset, source.byteLength));
  }
  if (kind === '[object ArrayBuffer]') return WebAssembly.compile(source);
  if (kind === '[object String]' || kind === '[object URL]') return toModule(await fetch(source));
  if (kind === '[object Response]') return WebAssembly.compile(await bodyOf(source));
  throw wrongKind('source', 'bytes, a URL, a Response or a WebAssembly.Module', describe(source));
}

/** @param {Response} response */
function bodyOf(response) {
  if (!response.ok)
    throw outOfRange('source', 'a successful response', `status ${response.status}`);
  return response.arrayBuffer();
}
