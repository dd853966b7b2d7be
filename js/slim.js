/**
 * axisnorm/slim: the same without a module inside, for pages that fetch axisnorm/wasm/*.wasm, for
 * Cloudflare Workers that hand a WebAssembly.Module in, and for bundles that want few norms: what
 * is not named does not come along.
 */
import { basics } from './basics.js';
import { describe, expectOptions, wrongKind } from './check.js';
import { loader } from './loader.js';

/** @import { Basics } from './basics.js' */
/** @import { SourceOption } from './loader.js' */
/** @import { Build } from './module.js' */
/** @import { Runtime } from './runtime.js' */

export { isSupported } from './module.js';
export { batchNorm } from './ops/batch_norm.js';
export { groupNorm } from './ops/group_norm.js';
export { instanceNorm } from './ops/instance_norm.js';
export { layerNorm } from './ops/layer_norm.js';
export { rmsNorm } from './ops/rms_norm.js';
export { weightStandardize } from './ops/weight_standardize.js';
export { Tensor } from './tensor.js';
export { VERSION } from './version.js';

/** @typedef {Record<string, (runtime: Runtime) => any>} Norms */

/**
 * @template {Norms} N
 * @typedef {Basics & { [K in keyof N]: ReturnType<N[K]> }} Slim
 */

/**
 * @template {Norms} N
 * @typedef {object} SlimOptions
 * @property {SourceOption} source  axisnorm/wasm/simd128.wasm or scalar.wasm: bytes, a URL, a
 *   Response, a WebAssembly.Module, or a function that gives one of them for a build
 * @property {N} norms  those that are wanted, as `{ layerNorm, rmsNorm }`
 * @property {Build} [build]  default: simd128 where the engine has it
 */

const OPTIONS = new Set(['source', 'norms', 'build']);

const runtimeOf = loader({
  name: 'axisnorm',
  kernel: 'an_layer_norm_forward',
  packaged: async () => {
    throw wrongKind('source', 'a module, which axisnorm/slim has none of', 'undefined');
  },
});

/**
 * Starts axisnorm with some norms. There is one instance of a build; the first load says where it
 * comes from.
 *
 *     const an = await load({ source: (build) => `/wasm/${build}.wasm`, norms: { layerNorm } });
 *
 * @template {Norms} N
 * @param {SlimOptions<N>} options
 * @returns {Promise<Slim<N>>}
 */
export async function load(options) {
  expectOptions('load', options, OPTIONS);
  const { norms, ...where } = options;
  if (norms === null || typeof norms !== 'object') {
    throw wrongKind('norms', 'an object of norms, as { layerNorm }', describe(norms));
  }
  for (const [name, norm] of Object.entries(norms)) {
    if (typeof norm !== 'function') throw wrongKind(`norms.${name}`, 'a norm', describe(norm));
  }
  const runtime = await runtimeOf(where);
  const made = Object.entries(norms).map(([name, norm]) => [name, norm(runtime)]);
  return Object.freeze({ ...Object.fromEntries(made), ...basics(runtime) });
}
