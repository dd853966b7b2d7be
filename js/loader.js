/** A load() for a wasm module: one instance a build, and another try after a failure. */
import { expectOptions, wrongKind } from './check.js';
import { bestBuild, expectBuild, isSupported, packagedModule, toModule } from './module.js';
import { Runtime } from './runtime.js';

/** @import { Build, Packaged, Source } from './module.js' */

/**
 * @typedef {object} LoadOptions
 * @property {Build} [build]  default: simd128 where the engine has it. Both give the same bits
 * @property {Source | Promise<Source>} [source]  where the first load of a build takes it from;
 *   default: the module inside this package. For places that compile no bytes: Cloudflare Workers,
 *   a strict Content Security Policy
 */

/**
 * @template T
 * @typedef {object} Loading
 * @property {string} name  of the module, for messages
 * @property {string} kernel  a function that no other module has
 * @property {Record<Build, () => Promise<Packaged>>} files  the packaged builds; only
 *   the one that is used is imported
 * @property {(runtime: Runtime) => T} start  makes what load() gives
 */

const OPTIONS = new Set(['build', 'source']);

/**
 * @template T
 * @param {Loading<T>} loading
 * @returns {(options?: LoadOptions) => Promise<T>}
 */
export function loader({ name, kernel, files, start }) {
  /** @type {Map<Build, Promise<T>>} */
  const instances = new Map();

  /**
   * @param {Build} build
   * @param {LoadOptions['source']} source
   */
  async function instantiate(build, source) {
    const module = await (source === undefined
      ? packagedModule(files[build]())
      : toModule(await source));
    const { exports } = await WebAssembly.instantiate(module, {});
    if (typeof exports[kernel] !== 'function') {
      throw wrongKind('source', `the module of ${name}`, 'a module without its functions');
    }
    if (typeof exports._initialize === 'function') exports._initialize();
    return start(new Runtime(build, exports));
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
