/*
 * The norms as data for suite.js: the pair of C functions, the axes for the oracle, and the sizes
 * of one set on its own.
 */
import * as oracle from './oracle.js';
import * as fn from './signatures.js';

/**
 * @typedef {object} Norm
 * @property {string} name
 * @property {object} forward  signatures
 * @property {object} backward
 * @property {(sizes: Record<string, number>) => oracle.Axes} axes
 * @property {(sizes: Record<string, number>) => Record<string, number>} alone  sizes of one set
 * @property {boolean} [center]  false: RMSNorm
 * @property {boolean} [frozen]  statistics are given
 * @property {boolean} [ownChannels]  a parameter belongs to one set, as its statistics do
 */

/** @type {Norm} */
export const layerNorm = {
  name: 'layer norm',
  forward: fn.layerNormForward,
  backward: fn.layerNormBackward,
  axes: oracle.layerNormAxes,
  alone: (sizes) => ({ ...sizes, rows: 1 }),
};

/** @type {Norm} */
export const rmsNorm = {
  name: 'RMS norm',
  forward: fn.rmsNormForward,
  backward: fn.rmsNormBackward,
  axes: oracle.rmsNormAxes,
  alone: (sizes) => ({ ...sizes, rows: 1 }),
  center: false,
};

/** @type {Norm} */
export const groupNorm = {
  name: 'group norm',
  forward: fn.groupNormForward,
  backward: fn.groupNormBackward,
  axes: oracle.groupNormAxes,
  alone: (sizes) => ({ ...sizes, batch: 1, channels: sizes.channels / sizes.groups, groups: 1 }),
};

const batchNorm = {
  axes: oracle.batchNormAxes,
  alone: (sizes) => ({ ...sizes, channels: 1 }),
  ownChannels: true,
};

/** @type {Norm} */
export const batchNormTraining = {
  ...batchNorm,
  name: 'batch norm in training',
  forward: fn.batchNormForwardTraining,
  backward: fn.batchNormBackwardTraining,
};

/** @type {Norm} */
export const batchNormInference = {
  ...batchNorm,
  name: 'batch norm in inference',
  forward: fn.batchNormForwardInference,
  backward: fn.batchNormBackwardInference,
  frozen: true,
};

/** @type {Norm} */
export const weightStandardize = {
  name: 'weight standardization',
  forward: fn.weightStandardizeForward,
  backward: fn.weightStandardizeBackward,
  axes: oracle.weightStandardizeAxes,
  alone: (sizes) => ({ ...sizes, filters: 1 }),
  ownChannels: true,
};
