/** What there is beside the norms: memory. */

/** @import { Build } from './module.js' */
/** @import { Runtime } from './runtime.js' */
/** @import { Scope } from './scope.js' */
/** @import { Tensor } from './tensor.js' */
/** @import { Operand } from './types.js' */
import { newTensor } from './new-tensor.js';
import { runInScope } from './scope.js';

/**
 * @typedef {object} Basics
 * @property {Build} build  the module in use; both give the same bits
 * @property {RunInScope} scope  runs a function and frees the tensors that were made in it
 * @property {MakeTensor} tensor  a tensor that lives until its `dispose()`
 * @property {() => MemoryUsage} memoryUsage  how much wasm memory there is and is in use
 */

/**
 * Calls fn with a scope. Tensors made until fn ends, by the scope and by operations, are freed when
 * it returns or throws. Scopes nest. A function that returns a promise is refused.
 *
 * @returns what fn returned
 * @throws {TypeError} fn returned a promise
 *
 * @typedef {<T>(fn: (scope: Scope) => T) => T} RunInScope
 */

/**
 * A tensor that is the caller's until `dispose()`, whatever scope is open.
 *
 * @callback MakeTensor
 * @param {number | ArrayLike<number>} shape  sizes of the axes
 * @param {Operand} [data]  values to copy in; zeros if left out
 * @returns {Tensor}
 * @throws {RangeError} a shape that does not fit data, or no memory left
 */

/**
 * @typedef {object} MemoryUsage
 * @property {number} total  bytes of wasm memory, which never shrinks
 * @property {number} used  bytes of it that tensors take
 */

/**
 * @param {Runtime} runtime
 * @returns {Basics}
 */
export const basics = (runtime) => ({
  build: runtime.build,
  scope: (fn) => runInScope(runtime, fn),
  tensor: (shape, data) => newTensor(runtime, shape, data),
  memoryUsage: () => runtime.usage,
});
