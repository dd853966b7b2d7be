/**
 * The norms of this figure. All that tells them apart here is the tile: how many rows and columns
 * of the table share their statistics.
 */

/**
 * @typedef {object} Norm
 * @property {string} label
 * @property {string} operation  its name in the library
 * @property {(table: Table, groups: number) => object} options  of the library's call
 * @property {(table: Table, groups: number) => { rows: number, cols: number }} tile
 * @property {boolean} centers  whether a mean is subtracted
 * @property {(table: Table, groups: number) => string} about
 */

/** @typedef {{ rows: number, cols: number }} Table */

const ONE_VALUE = 'every value is its own mean, and y is β, here 0.';

/** @param {number} groups */
function aboutGroups({ cols }, groups) {
  const each = 'each group of each example has its own mean and variance.';
  if (groups === 1) {
    return 'One group holds all features of an example: in a table that is layer norm.';
  }
  if (groups === cols) return `Each feature is a group: ${ONE_VALUE} This is instance norm.`;
  const start = `Neighbouring features form ${groups} groups; ${each}`;
  if (cols / groups > 2) return start;
  return `${start} Of two values, one is one standard deviation above their mean and one below: only which is larger remains.`;
}

/** @type {Record<string, Norm>} */
export const NORMS = {
  batch: {
    label: 'Batch',
    operation: 'batchNorm',
    options: () => ({}),
    tile: ({ rows }) => ({ rows, cols: 1 }),
    centers: true,
    about: ({ rows }) =>
      `Each feature has its own mean and variance over all ${rows} examples, as in training. Every example has a share in what becomes of the others.`,
  },
  layer: {
    label: 'Layer',
    operation: 'layerNorm',
    options: () => ({ axis: -1 }),
    tile: ({ cols }) => ({ rows: 1, cols }),
    centers: true,
    about: ({ cols }) =>
      `Each example has its own mean and variance over its ${cols} features. No example has a share in another.`,
  },
  rms: {
    label: 'RMS',
    operation: 'rmsNorm',
    options: () => ({ axis: -1 }),
    tile: ({ cols }) => ({ rows: 1, cols }),
    centers: false,
    about: ({ cols }) =>
      `Each example is divided by the root mean square of its ${cols} features. No mean is subtracted: all values here stay positive.`,
  },
  group: {
    label: 'Group',
    operation: 'groupNorm',
    options: (_, groups) => ({ groups }),
    tile: ({ cols }, groups) => ({ rows: 1, cols: cols / groups }),
    centers: true,
    about: aboutGroups,
  },
  instance: {
    label: 'Instance',
    operation: 'instanceNorm',
    options: () => ({}),
    tile: () => ({ rows: 1, cols: 1 }),
    centers: true,
    about: () =>
      `Each feature of each example would be averaged over space. A table has no space: ${ONE_VALUE} Images have many values per channel, and there it is of use.`,
  },
};
