/** An operation at a shape, and the list of those that are measured. */
import { OPERATIONS } from './operations.js';

/**
 * @typedef {object} Case
 * @property {string} id  as `layerNorm 128×768`
 * @property {import('./operations.js').Operation} op
 * @property {string} shape  to read
 * @property {Record<string, number>} sizes
 * @property {number} eps  a float32
 * @property {Record<'x' | 'set' | 'channel', number>} lengths  of the arrays
 * @property {number[]} dims  shape of x as the library takes it
 * @property {number} bytes  that have to be moved: what is as large as x, read or written once
 */

/** What the sizes of a norm say: lengths of its arrays, and the shape of x. */
const LAYOUTS = {
  rows: ({ rows, cols }) => ({
    lengths: { x: rows * cols, set: rows, channel: cols },
    dims: [rows, cols],
  }),
  groups: ({ batch, channels, spatial, groups }) => ({
    lengths: { x: batch * channels * spatial, set: batch * groups, channel: channels },
    dims: [batch, channels, spatial],
  }),
  outer: ({ outer, channels, inner }) => ({
    lengths: { x: outer * channels * inner, set: channels, channel: channels },
    dims: [outer, channels, inner],
  }),
};

const layoutOf = (sizes) => LAYOUTS[Object.keys(LAYOUTS).find((name) => name in sizes)](sizes);

/** @returns {Case} */
export function caseOf(op, sizes, shape = layoutOf(sizes).dims.join('×')) {
  const { lengths, dims } = layoutOf(sizes);
  const large = [...op.inputs, ...op.outputs].filter(({ extent }) => extent === 'x').length;
  return {
    id: `${op.id} ${shape}`,
    op,
    shape,
    sizes,
    eps: Math.fround(1e-5),
    lengths,
    dims,
    bytes: 4 * large * lengths.x,
  };
}

export const rowSizes = (rows, cols) => ({ rows, cols });

const image = ([batch, channels, height, width], groups) => [
  { batch, channels, spatial: height * width, groups },
  `${[batch, channels, height, width].join('×')} g${groups}`,
];

const batch = ([outer, channels, ...spatial]) => [
  { outer, channels, inner: spatial.reduce((a, b) => a * b, 1) },
  [outer, channels, ...spatial].join('×'),
];

/** A sequence, one token, a large model, narrow rows, an odd width. */
const ROWS = [
  [rowSizes(128, 768)],
  [rowSizes(1, 768)],
  [rowSizes(512, 4096)],
  [rowSizes(4096, 64)],
  [rowSizes(2048, 33)],
];
/** GroupNorm, and InstanceNorm, which is a group for each channel. */
const GROUPS = [image([2, 256, 56, 56], 32), image([2, 256, 56, 56], 256)];
/** Large and small images, and none. */
const BATCHES = [batch([32, 64, 56, 56]), batch([8, 256, 14, 14]), batch([256, 1024])];

const SHAPES = {
  layerNorm: ROWS,
  layerNormBackward: ROWS,
  rmsNorm: ROWS,
  rmsNormBackward: ROWS,
  groupNorm: GROUPS,
  groupNormBackward: GROUPS,
  batchNormForward: BATCHES,
  batchNormBackward: BATCHES,
  batchNorm: BATCHES,
  batchNormFrozenBackward: BATCHES,
};

/** @type {Case[]} */
export const CASES = Object.entries(SHAPES).flatMap(([id, shapes]) =>
  shapes.map(([sizes, shape]) => caseOf(OPERATIONS[id], sizes, shape)),
);
