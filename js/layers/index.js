/**
 * axisnorm/layers: the norms as layers with parameters, gradients, running statistics and saved
 * state, named and ordered as in torch.nn; what workers share for SyncBatchNorm; folding; and which
 * norm to choose.
 *
 *     const bn = new BatchNorm(await load(), 64);
 */
export { BatchNorm } from './batch_norm.js';
export { addSums, chunkGradient, chunkSums, normalizeChunk } from './chunk_batch_norm.js';
export { CONVENTIONS, fromMomentum, toMomentum } from './conventions.js';
export { foldBatchNorm } from './fold_batch_norm.js';
export { GroupNorm } from './group_norm.js';
export { InstanceNorm } from './instance_norm.js';
export { LayerNorm } from './layer_norm.js';
export { Moments } from './moments.js';
export { Parameter } from './parameter.js';
export { recommendNorm } from './recommend_norm.js';
export { RMSNorm } from './rms_norm.js';
export { SyncBatchNorm } from './sync_batch_norm.js';

/** @typedef {import('./batch_norm.js').BatchNormLayerOptions} BatchNormLayerOptions */
/** @typedef {import('./chunk_batch_norm.js').ChunkOptions} ChunkOptions */
/** @typedef {import('./chunk_batch_norm.js').ChunkSums} ChunkSums */
/** @typedef {import('./conventions.js').Convention} Convention */
/** @typedef {import('./group_norm.js').GroupNormLayerOptions} GroupNormLayerOptions */
/** @typedef {import('./instance_norm.js').InstanceNormLayerOptions} InstanceNormLayerOptions */
/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('./layer_norm.js').LayerNormLayerOptions} LayerNormLayerOptions */
/** @typedef {import('./recommend_norm.js').RecommendNormOptions} RecommendNormOptions */
/** @typedef {import('./rms_norm.js').RMSNormLayerOptions} RMSNormLayerOptions */
/** @typedef {import('./state.js').LoadStateOptions} LoadStateOptions */
/** @typedef {import('./state.js').StateDict} StateDict */
/** @typedef {import('./sync_batch_norm.js').Gather} Gather */
