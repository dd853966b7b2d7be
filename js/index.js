/**
 * axisnorm: LayerNorm, RMSNorm, BatchNorm, GroupNorm, InstanceNorm and weight standardization on
 * typed arrays, forward and backward, in WebAssembly.
 *
 * Importing does nothing yet; `await load()` gives the object that has the operations.
 */
export { load } from './load.js';
export { isSupported } from './module.js';
export { Tensor } from './tensor.js';
export { VERSION } from './version.js';

/** @typedef {import('./axisnorm.js').AxisNorm} AxisNorm */
/** @typedef {import('./module.js').Build} Build */
/** @typedef {import('./loader.js').LoadOptions} LoadOptions */
/** @typedef {import('./scope.js').Scope} Scope */
/** @typedef {import('./types.js').Operand} Operand */
/** @typedef {import('./types.js').ShapedArray} ShapedArray */
