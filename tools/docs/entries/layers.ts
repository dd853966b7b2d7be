/**
 * axisnorm/layers: the norms as layers with parameters, gradients, running statistics and saved
 * state, named and ordered as in torch.nn; what workers share for SyncBatchNorm; folding; and which
 * norm to choose.
 *
 *     const bn = new BatchNorm(await load(), 64);
 *
 * @module layers
 */

export type { BatchNormLayerSettings } from '../../../js/layers/batch_norm.js';
export type { ChunkSettings } from '../../../js/layers/chunk_batch_norm.js';
export type { Conventions } from '../../../js/layers/conventions.js';
export type { FoldedWeights } from '../../../js/layers/fold_batch_norm.js';
export type { GroupNormLayerSettings } from '../../../js/layers/group_norm.js';
export * from '../../../js/layers/index.js';
export type { InstanceNormLayerSettings } from '../../../js/layers/instance_norm.js';
export type { Layer } from '../../../js/layers/layer.js';
export type { NormName, NormRecommendation, Source } from '../../../js/layers/norm_rules.js';
export type { Architecture, NormTask } from '../../../js/layers/recommend_norm.js';
export type { LoadStateResult, StateValue } from '../../../js/layers/state.js';
