/** A load() for a wasm module: one instance a build, and another try after a failure. */
import { expectOptions, wrongKind } from './check.js';
import { bestBuild, compileSource, expectBuild, isSupported, naming } from './module.js';
import { Runtime } from './runtime.js';

/** @import { Build, Source } from './module.js' */

/**
 * @typedef {object} LoadOptions
 * @property {Build} [build]  default: simd128 where the engine has it. Both give the same bits
 * @property {SourceOption} [source]  where the first load of a build takes it from; default: the
 *   module inside this package. For places that compile no bytes: Cloudflare Workers, a strict
 *   Content Security Policy
 */

/** @typedef {Source | Promise<Source>} Given */

/**
 * A module, or a function that gives the one of a build, as in
 * `(build) => new URL(`./wasm/${build}.wasm`, import.meta.url)`.
 *
 * @typedef {Given | ((build: Build) => Given)} SourceOption
 */

/**
 * @typedef {object} Loading
 * @property {string} name  of the module, for messages
 * @property {string} kernel  a function that no other module has
 * @property {(build: Build) => Promise<WebAssembly.Module>} packaged  the module that comes with the
 *   package, or an error that says there is none
 */

const OPTIONS = new Set(['build', 'source']);

/**
 * @param {Loading} loading
 * @returns {(options?: LoadOptions) => Promise<Runtime>}
 */
export function loader({ name, kernel, packaged }) {
  /** @type {Map<Build, Promise<Runtime>>} */
  const instances = new Map();

  /**
   * @param {Build} build
   * @param {SourceOption | undefined} source
   */
  async function instantiate(build, source) {
    const given = typeof source === 'function' ? source(build) : source;
    const module = await (given === undefined ? packaged(build) : compileSource(await given));
    const { exports } = await naming(WebAssembly.instantiate(module, {}));
    if (typeof exports[kernel] !== 'function') {
      throw wrongKind('source', `the module of ${name}`, 'a module without its functions');
    }
    if (typeof exports._initialize === 'function') exports._initialize();
    return new Runtime(build, exports);
  }

  return async (options = {}) => {
    expectOptions('load', options, OPTIONS);
    if (!isSupported()) {
      throw new Error('load: expected an engine with WebAssembly, got one without');
    }
    const { build = bestBuild(), source } = options;
    expectBuild(build);
    const known = instances.get(build);
    if (known !== undefined) return known;
    const started = instantiate(build, source);
    instances.set(build, started);
    started.catch(() => instances.delete(build));
    return started;
  };
}

/**
 * The same for what is made of a runtime, once.
 *
 * @template T
 * @param {Loading} loading
 * @param {(runtime: Runtime) => T} start
 * @returns {(options?: LoadOptions) => Promise<T>}
 */
export function loaderOf(loading, start) {
  const runtimeOf = loader(loading);
  /** @type {WeakMap<Runtime, T>} */
  const made = new WeakMap();
  return async (options) => {
    const runtime = await runtimeOf(options);
    if (!made.has(runtime)) made.set(runtime, start(runtime));
    return /** @type {T} */ (made.get(runtime));
  };
}
