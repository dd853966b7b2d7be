/** @import { BatchNorm } from './ops/batch_norm.js' */
/** @import { GroupNorm } from './ops/group_norm.js' */
/** @import { InstanceNorm } from './ops/instance_norm.js' */
/** @import { LayerNorm } from './ops/layer_norm.js' */
/** @import { RmsNorm } from './ops/rms_norm.js' */
/** @import { WeightStandardize } from './ops/weight_standardize.js' */
/** @import { Runtime } from './runtime.js' */
/** @import { Scope } from './scope.js' */
/** @import { Tensor } from './tensor.js' */
/** @import { Operand } from './types.js' */
import { newTensor } from './new-tensor.js';
import { batchNorm } from './ops/batch_norm.js';
import { groupNorm } from './ops/group_norm.js';
import { instanceNorm } from './ops/instance_norm.js';
import { layerNorm } from './ops/layer_norm.js';
import { rmsNorm } from './ops/rms_norm.js';
import { weightStandardize } from './ops/weight_standardize.js';
import { runInScope } from './scope.js';

/**
 * What `load()` gives. Every norm can be called for inference and has `forward`, which also returns
 * what `backward` needs.
 *
 * An array is a Float32Array, a Tensor or an object with `data` and `shape` (or `dims`). An
 * operation whose first argument is a Tensor returns Tensors, and with `out` copies and allocates
 * nothing; any other returns new Float32Arrays. Nothing that is refused has been written to.
 *
 * @typedef {object} AxisNorm
 * @property {'simd128' | 'scalar'} build  the module in use; both give the same bits
 * @property {LayerNorm} layerNorm  each row by itself, over trailing axes: `(x - mean) * rstd *
 *   gamma + beta` (Ba, Kiros & Hinton 2016)
 * @property {RmsNorm} rmsNorm  each row by itself, without a mean: `x * rstd * gamma` (Zhang &
 *   Sennrich 2019)
 * @property {BatchNorm} batchNorm  each channel over batch and space; by its running statistics
 *   when called for inference (Ioffe & Szegedy 2015)
 * @property {GroupNorm} groupNorm  each group of channels of each example (Wu & He 2018)
 * @property {InstanceNorm} instanceNorm  each channel of each example (Ulyanov et al. 2016)
 * @property {WeightStandardize} weightStandardize  the weights of each filter over its fan-in
 *   (Qiao et al. 2019)
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
 * @returns {AxisNorm}
 */
export function axisnorm(runtime) {
  return Object.freeze({
    build: runtime.build,
    layerNorm: layerNorm(runtime),
    rmsNorm: rmsNorm(runtime),
    batchNorm: batchNorm(runtime),
    groupNorm: groupNorm(runtime),
    instanceNorm: instanceNorm(runtime),
    weightStandardize: weightStandardize(runtime),
    /** @type {RunInScope} */
    scope: (fn) => runInScope(runtime, fn),
    /** @type {MakeTensor} */
    tensor: (shape, data) => newTensor(runtime, shape, data),
    memoryUsage: () => runtime.usage,
  });
}
