/*
 * The norms of the table. `view` says the same to every library that has to compose a norm: the
 * shape of x, the shape and axes that statistics are taken over, and the shape gamma broadcasts as.
 */
import * as shared from '../helpers/norms.js';

/**
 * @typedef {object} View
 * @property {number[]} shape  of x
 * @property {number[]} setShape  of the same values, where a set is `setAxes`
 * @property {number[]} setAxes
 * @property {number[]} paramShape
 */

const rows = ({ rows, cols }) => ({
  shape: [rows, cols],
  setShape: [rows, cols],
  setAxes: [1],
  paramShape: [1, cols],
});

const groups = ({ batch, channels, spatial, groups }) => ({
  shape: [batch, channels, spatial],
  setShape: [batch, groups, (channels / groups) * spatial],
  setAxes: [2],
  paramShape: [1, channels, 1],
});

const channels = ({ outer, channels, inner }) => ({
  shape: [outer, channels, inner],
  setShape: [outer, channels, inner],
  setAxes: [0, 2],
  paramShape: [1, channels, 1],
});

const filters = ({ filters, fanIn }) => ({
  shape: [filters, fanIn],
  setShape: [filters, fanIn],
  setAxes: [1],
  paramShape: [filters, 1],
});

/** What the norms have beside what the tests of the kernels know: an id, a title and the view. */
export const NORMS = [
  { ...shared.layerNorm, id: 'layerNorm', title: 'LayerNorm', view: rows },
  { ...shared.rmsNorm, id: 'rmsNorm', title: 'RMSNorm', view: rows, unshifted: true },
  { ...shared.groupNorm, id: 'groupNorm', title: 'GroupNorm', view: groups, layouts: true },
  { ...shared.groupNorm, id: 'instanceNorm', title: 'InstanceNorm', view: groups, layouts: true },
  {
    ...shared.batchNormTraining,
    id: 'batchNormTraining',
    title: 'BatchNorm, training',
    view: channels,
    layouts: true,
  },
  {
    ...shared.batchNormInference,
    id: 'batchNormInference',
    title: 'BatchNorm, inference',
    view: channels,
    layouts: true,
  },
  {
    ...shared.weightStandardize,
    id: 'weightStandardize',
    title: 'Weight standardization',
    view: filters,
    unshifted: true,
  },
];
