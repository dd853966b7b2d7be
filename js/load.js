/** Choosing, fetching and starting the wasm module. */
import { axisnorm } from './axisnorm.js';
import { describe, expectOptions, outOfRange, wrongKind } from './check.js';
import { Runtime } from './runtime.js';

/** @import { AxisNorm } from './axisnorm.js' */

/** @typedef {'simd128' | 'scalar'} Build */

/**
 * A wasm module: its bytes, where to fetch it, what was fetched, or the module compiled.
 *
 * @typedef {BufferSource | string | URL | Response | WebAssembly.Module} Source
 */

/**
 * @typedef {object} LoadOptions
 * @property {Build} [build]  default: simd128 where the engine has it. Both give the same bits
 * @property {Source | Promise<Source>} [source]  where the first load of a build takes it from;
 *   default: the module inside this package. For places that compile no bytes: Cloudflare Workers,
 *   a strict Content Security Policy
 */

const BUILDS = ['simd128', 'scalar'];
const OPTIONS = new Set(['build', 'source']);

/** The smallest module that uses SIMD (i8x16.splat and i8x16.popcnt). */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** @type {Map<Build, Promise<AxisNorm>>} */
const instances = new Map();

/** Whether this engine has WebAssembly at all; load() fails where it has not. */
export const isSupported = () =>
  typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';

/**
 * Starts axisnorm. There is one instance of a build however often, and from wherever, load() is
 * called. A load that failed is forgotten, so that the next call tries again.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<AxisNorm>}
 */
export async function load(options = {}) {
  expectOptions('load', options, OPTIONS);
  if (!isSupported()) throw new Error('load: expected an engine with WebAssembly, got one without');
  const { build = bestBuild(), source } = options;
  expectBuild(build);
  const known = instances.get(build);
  if (known !== undefined) return known;
  const started = start(build, source);
  instances.set(build, started);
  started.catch(() => instances.delete(build));
  return started;
}

const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

/** @returns {Build} */
const bestBuild = () => (hasSimd() ? 'simd128' : 'scalar');

/** @param {Build} build */
function expectBuild(build) {
  if (!BUILDS.includes(build)) throw outOfRange('build', `'simd128' or 'scalar'`, describe(build));
  if (build === 'simd128' && !hasSimd()) {
    throw outOfRange('build', `'scalar' in an engine without SIMD`, describe(build));
  }
}

/**
 * @param {Build} build
 * @param {LoadOptions['source']} source
 */
async function start(build, source) {
  const module = await (source === undefined ? packagedModule(build) : toModule(await source));
  const { exports } = await WebAssembly.instantiate(module, {});
  expectKernels(exports);
  if (typeof exports._initialize === 'function') exports._initialize();
  return axisnorm(new Runtime(build, exports));
}

/**
 * Only the build that is used is imported.
 *
 * @param {Build} build
 */
async function packagedModule(build) {
  const { default: base64 } = await (build === 'scalar'
    ? import('./wasm/scalar.js')
    : import('./wasm/simd128.js'));
  return WebAssembly.compile(decode(base64));
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
 * @param {any} source  a Source
 * @returns {Promise<WebAssembly.Module>}
 */
async function toModule(source) {
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

/** @param {WebAssembly.Exports} exports */
function expectKernels(exports) {
  if (typeof exports.an_layer_norm_forward !== 'function') {
    throw wrongKind('source', 'the module of axisnorm', 'a module without its functions');
  }
}
