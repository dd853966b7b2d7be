/**
 * The norms of this figure. All that tells them apart here is the tile: how many rows and columns
 * of the grid share their statistics.
 */
import { isImage, rowOf } from './table.js';

/** @typedef {import('./presets.js').Table} Table */

/**
 * @typedef {object} Norm
 * @property {string} label
 * @property {string} operation  its name in the library
 * @property {(table: Table, groups: number) => object} options  of the library's call
 * @property {(table: Table, groups: number) => { rows: number, cols: number }} tile
 * @property {boolean} centers  whether a mean is subtracted
 * @property {boolean} perElement  gamma and beta have an entry an element, not one a channel
 * @property {(table: Table, groups: number) => string} about
 */

const ONE_VALUE = 'every value is its own mean, and y is β.';

/** Sizes of the axes that LayerNorm and RMSNorm normalize. */
export const trailing = (table) => (isImage(table) ? [table.c, table.h, table.w] : [table.c]);

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

const elements = (table) =>
  isImage(table)
    ? `${table.c} channels of ${table.h * table.w} pixels`
    : plural(table.c, 'feature');

/** @param {number} groups */
function aboutGroups(table, groups) {
  const { c } = table;
  const size = c / groups;
  const family = 'Instance, Group and one group are one family.';
  if (groups === 1) {
    return isImage(table)
      ? `One group: every example has one mean and one variance, as LayerNorm over channels and pixels takes them. It is still not LayerNorm: γ and β are one a channel here, ${c} of each; LayerNorm has one an element, ${c * table.h * table.w} of each.`
      : 'One group holds all features of an example: in a table without pixels that is LayerNorm, as a channel is an element.';
  }
  if (groups === c) {
    return isImage(table)
      ? `Every channel is a group: this is InstanceNorm. ${family}`
      : `Each feature is a group: ${ONE_VALUE} This is InstanceNorm without pixels.`;
  }
  const start = `${groups} groups of ${plural(size, isImage(table) ? 'channel' : 'feature')}; each group of each example has its own mean and variance.`;
  if (isImage(table) || size > 2) return start;
  return `${start} Of two values, one is one standard deviation above their mean and one below: which is larger is all that remains.`;
}

/** @type {Record<string, Norm>} */
export const NORMS = {
  batch: {
    label: 'Batch',
    operation: 'batchNorm',
    options: () => ({}),
    tile: ({ n, h, w }) => ({ rows: n * h, cols: w }),
    centers: true,
    perElement: false,
    about: (table) =>
      `Each ${isImage(table) ? 'channel has its own mean and variance over all pixels of' : 'feature has its own mean and variance over'} all ${plural(table.n, rowOf(table))}, as in training. Every ${rowOf(table)} has a share in what becomes of the others.`,
  },
  layer: {
    label: 'Layer',
    operation: 'layerNorm',
    options: (table) => ({ normalizedShape: trailing(table) }),
    tile: ({ c, h, w }) => ({ rows: h, cols: c * w }),
    centers: true,
    perElement: true,
    about: (table) =>
      `Each ${rowOf(table)} has its own mean and variance over its ${elements(table)}. No ${rowOf(table)} has a share in another.`,
  },
  rms: {
    label: 'RMS',
    operation: 'rmsNorm',
    options: (table) => ({ normalizedShape: trailing(table) }),
    tile: ({ c, h, w }) => ({ rows: h, cols: c * w }),
    centers: false,
    perElement: true,
    about: (table) =>
      `Each ${rowOf(table)} is divided by the root mean square of its ${elements(table)}. No mean is subtracted: every sign stays as it was. There is no β.`,
  },
  group: {
    label: 'Group',
    operation: 'groupNorm',
    options: (_, groups) => ({ groups }),
    tile: ({ c, h, w }, groups) => ({ rows: h, cols: (c / groups) * w }),
    centers: true,
    perElement: false,
    about: aboutGroups,
  },
  instance: {
    label: 'Instance',
    operation: 'instanceNorm',
    options: () => ({}),
    tile: ({ h, w }) => ({ rows: h, cols: w }),
    centers: true,
    perElement: false,
    about: (table) =>
      isImage(table)
        ? 'Each channel of each example has its own mean and variance over its pixels.'
        : `Each feature of each example would be averaged over its pixels. A table has none: ${ONE_VALUE} The preset Images shows where it is of use.`,
  },
};

/** Numbers of groups that c channels can be split into, from each its own to one for all. */
export const groupsOf = (c) =>
  Array.from({ length: c }, (_, i) => c - i).filter((groups) => c % groups === 0);

/** The largest number of groups that is possible and not above the one wanted. */
export const possibleGroups = (c, wanted) => groupsOf(c).find((groups) => groups <= wanted);
