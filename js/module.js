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
 * @param {any} source  a Source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileSource(source) {
  const kind = Object.prototype.toString.call(source);
  if (kind === '[object WebAssembly.Module]') return source;
  // Not every engine compiles a DataView.
  if (ArrayBuffer.isView(source)) {
    const buffer = /** @type {ArrayBuffer} */ (source.buffer);
    return compile(new Uint8Array(buffer, source.byteOffset, source.byteLength));
  }
  if (kind === '[object ArrayBuffer]') return compile(source);
  if (kind === '[object String]' || kind === '[object URL]') return compileUrl(String(source));
  if (kind === '[object Response]') return compileResponse(source);
  throw wrongKind('source', 'bytes, a URL, a Response or a WebAssembly.Module', describe(source));
}

/**
 * @param {string} url
 * @returns {Promise<WebAssembly.Module>}
 */
async function compileUrl(url) {
  if (!isFileInNode(url)) return compileResponse(await fetch(url));
  // A name that bundlers do not look into. Jest imports nothing from CommonJS, but knows the first
  // way, which Node has from 20.16 on.
  const name = 'node:fs/promises';
  const { readFile } =
    globalThis.process.getBuiltinModule?.(name) ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ name));
  return compile(await readFile(new URL(url)));
}

/**
 * Node's fetch() takes no files.
 *
 * @param {string} url
 */
const isFileInNode = (url) =>
  url.startsWith('file:') && typeof globalThis.process?.versions?.node === 'string';

/**
 * While it arrives, where the server says what it is.
 *
 * @param {Response} response
 */
async function compileResponse(response) {
  if (!response.ok) {
    throw outOfRange('source', 'a successful response', `status ${response.status}`);
  }
  const isWasm = response.headers.get('content-type')?.startsWith('application/wasm');
  return isWasm && typeof WebAssembly.compileStreaming === 'function'
    ? naming(WebAssembly.compileStreaming(response))
    : compile(await response.arrayBuffer());
}

/** @param {BufferSource} bytes */
export const compile = (bytes) => naming(WebAssembly.compile(bytes));

/**
 * What the engine makes of a module, or an error that names the policy where one forbids it: most
 * engines when they compile, WebKit when it instantiates.
 *
 * @template T
 * @param {Promise<T>} made
 */
export async function naming(made) {
  try {
    return await made;
  } catch (cause) {
    if (!/security policy|\bCSP\b|by embedder|unsafe-eval/i.test(String(cause))) throw cause;
    const policy = "a Content Security Policy with 'wasm-unsafe-eval' in script-src";
    throw new Error(`load: expected ${policy}, got one that forbids WebAssembly`, { cause });
  }
}
