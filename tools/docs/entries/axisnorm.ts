/**
 * LayerNorm, RMSNorm, BatchNorm, GroupNorm, InstanceNorm and weight standardization on typed arrays,
 * forward and backward, in WebAssembly. `an` is what `await load()` gives.
 *
 * @module axisnorm
 */
import type { AxisNorm } from '../../../js/axisnorm.js';

export { isSupported, load, Tensor, VERSION } from '../../../js/index.js';

declare const an: AxisNorm;

/** The module in use; both give the same bits. */
const build = an.build;
/** @function */
const scope = an.scope;
/** @function */
const tensor = an.tensor;
/** @function */
const memoryUsage = an.memoryUsage;
/** @function */
const layerNorm = an.layerNorm;
/** @function */
const layerNormForward = an.layerNorm.forward;
/** @function */
const layerNormBackward = an.layerNorm.backward;
/** @function */
const rmsNorm = an.rmsNorm;
/** @function */
const rmsNormForward = an.rmsNorm.forward;
/** @function */
const rmsNormBackward = an.rmsNorm.backward;
/** @function */
const batchNorm = an.batchNorm;
/** @function */
const batchNormForward = an.batchNorm.forward;
/** @function */
const batchNormBackward = an.batchNorm.backward;
/** @function */
const groupNorm = an.groupNorm;
/** @function */
const groupNormForward = an.groupNorm.forward;
/** @function */
const groupNormBackward = an.groupNorm.backward;
/** @function */
const instanceNorm = an.instanceNorm;
/** @function */
const instanceNormForward = an.instanceNorm.forward;
/** @function */
const instanceNormBackward = an.instanceNorm.backward;
/** @function */
const weightStandardize = an.weightStandardize;
/** @function */
const weightStandardizeForward = an.weightStandardize.forward;
/** @function */
const weightStandardizeBackward = an.weightStandardize.backward;

export type { AxisNorm } from '../../../js/axisnorm.js';
export type { MemoryUsage } from '../../../js/basics.js';
export type { ChannelOptions } from '../../../js/layout.js';
export type { Given, LoadOptions, SourceOption } from '../../../js/loader.js';
export type { MaskList, MaskValues } from '../../../js/mask.js';
export type { Build, Source } from '../../../js/module.js';
export type {
  BatchNormForwardResult,
  BatchNormInferenceResult,
  BatchNormTrainingResult,
} from '../../../js/ops/batch_norm.js';
export type { GroupNormForwardResult } from '../../../js/ops/group_norm.js';
export type { LayerNormForwardResult } from '../../../js/ops/layer_norm.js';
export type { RmsNormForwardResult } from '../../../js/ops/rms_norm.js';
export type { WeightStandardizeForwardResult } from '../../../js/ops/weight_standardize.js';
export type { Scope } from '../../../js/scope.js';
export type {
  ChannelsFirst,
  ChannelsLast,
  Layout,
  NewArray,
  Operand,
  ResultOf,
  ShapedArray,
} from '../../../js/types.js';
export {
  batchNorm as 'an.batchNorm',
  batchNormBackward as 'an.batchNorm.backward',
  batchNormForward as 'an.batchNorm.forward',
  build as 'an.build',
  groupNorm as 'an.groupNorm',
  groupNormBackward as 'an.groupNorm.backward',
  groupNormForward as 'an.groupNorm.forward',
  instanceNorm as 'an.instanceNorm',
  instanceNormBackward as 'an.instanceNorm.backward',
  instanceNormForward as 'an.instanceNorm.forward',
  layerNorm as 'an.layerNorm',
  layerNormBackward as 'an.layerNorm.backward',
  layerNormForward as 'an.layerNorm.forward',
  memoryUsage as 'an.memoryUsage',
  rmsNorm as 'an.rmsNorm',
  rmsNormBackward as 'an.rmsNorm.backward',
  rmsNormForward as 'an.rmsNorm.forward',
  scope as 'an.scope',
  tensor as 'an.tensor',
  weightStandardize as 'an.weightStandardize',
  weightStandardizeBackward as 'an.weightStandardize.backward',
  weightStandardizeForward as 'an.weightStandardize.forward',
};
