/** @import { Basics } from './basics.js' */
/** @import { BatchNorm } from './ops/batch_norm.js' */
/** @import { GroupNorm } from './ops/group_norm.js' */
/** @import { InstanceNorm } from './ops/instance_norm.js' */
/** @import { LayerNorm } from './ops/layer_norm.js' */
/** @import { RmsNorm } from './ops/rms_norm.js' */
/** @import { WeightStandardize } from './ops/weight_standardize.js' */
/** @import { Runtime } from './runtime.js' */
import { basics } from './basics.js';
import { batchNorm } from './ops/batch_norm.js';
import { groupNorm } from './ops/group_norm.js';
import { instanceNorm } from './ops/instance_norm.js';
import { layerNorm } from './ops/layer_norm.js';
import { rmsNorm } from './ops/rms_norm.js';
import { weightStandardize } from './ops/weight_standardize.js';

/**
 * Every norm can be called for inference and has `forward`, which also returns what `backward`
 * needs.
 *
 * @typedef {object} Norms
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
 */

/**
 * What `load()` gives.
 *
 * An array is a Float32Array, a Tensor or an object with `data` and `shape` (or `dims`). An
 * operation whose first argument is a Tensor returns Tensors, and with `out` copies and allocates
 * nothing; any other returns new Float32Arrays. Nothing that is refused has been written to.
 *
 * @typedef {Basics & Norms} AxisNorm
 */

/**
 * @param {Runtime} runtime
 * @returns {AxisNorm}
 */
export function axisnorm(runtime) {
  return Object.freeze({
    ...basics(runtime),
    layerNorm: layerNorm(runtime),
    rmsNorm: rmsNorm(runtime),
    batchNorm: batchNorm(runtime),
    groupNorm: groupNorm(runtime),
    instanceNorm: instanceNorm(runtime),
    weightStandardize: weightStandardize(runtime),
  });
}
