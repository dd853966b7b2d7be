/**
 * axisnorm/slim: the same without a module inside, for pages that fetch axisnorm/wasm/*.wasm, for
 * Cloudflare Workers that hand a WebAssembly.Module in, and for bundles that want few norms: what
 * is not named does not come along.
 *
 * `batchNorm`, `groupNorm`, `instanceNorm`, `layerNorm`, `rmsNorm` and `weightStandardize` are for
 * `norms` of `load`. `isSupported`, `Tensor` and `VERSION` are exported, too; they are those of
 * axisnorm.
 *
 * @module slim
 */

export type { Norms, Slim, SlimOptions } from '../../../js/slim.js';
export { load } from '../../../js/slim.js';
