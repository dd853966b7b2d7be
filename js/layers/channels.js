/** What the layers of norms with channels share. */

/** @import { ChannelOptions } from '../layout.js' */
import { readArray } from '../arrays.js';
import { outOfRange, wrongKind } from '../check.js';
import { toChannelAxis } from '../layout.js';
import { format, sameShape, sizeOf, toShape } from '../shape.js';

/**
 * The options that say where the channels are, where there are any.
 *
 * @param {ChannelOptions} options
 * @returns {ChannelOptions}
 */
export const channelOptions = ({ layout, channelAxis }) => ({
  ...(layout !== undefined && { layout }),
  ...(channelAxis !== undefined && { channelAxis }),
});

/**
 * Refuses an x of another number of channels. An x of no shape is left for the operation to refuse.
 *
 * @param {number} features  what the layer was made for
 * @param {any} x
 * @param {{ shape?: any }} options  of the call
 * @param {ChannelOptions} where
 */
export function expectFeatures(features, x, options, where) {
  const shape = options?.shape ?? x?.dims ?? x?.shape;
  if (shape === undefined || shape === null) return;
  const sizes = toShape('shape', shape);
  if (sizes.length < 2) return;
  const channels = sizes[toChannelAxis(sizes, where)];
  if (channels !== features) {
    throw outOfRange('x', `${features} channels`, `${channels} in shape ${format(sizes)}`);
  }
}

/**
 * An array with its shape, which an option may say.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {unknown} option
 */
export function readShaped(name, value, option) {
  const { data, shape: own } = readArray(name, value);
  const shape = option === undefined ? own : toShape('shape', option);
  if (shape === null) throw wrongKind('shape', `the shape of ${name}`, 'undefined');
  if (sizeOf(shape) !== data.length) {
    throw outOfRange(name, `length ${sizeOf(shape)} for shape ${format(shape)}`, data.length);
  }
  if (own !== null && own.length > 1 && !sameShape(own, shape)) {
    throw outOfRange('shape', `${format(own)} as ${name} has`, format(shape));
  }
  return { data, shape };
}

/**
 * 1 / sqrt(v), and 0 for 0, as in the kernels: a constant gives beta whatever eps is.
 *
 * @param {number} v
 */
export const inverseRoot = (v) => (v === 0 ? 0 : 1 / Math.sqrt(v));

/**
 * One value a channel.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {number} channels
 */
export function readChannel(name, value, channels) {
  const { data } = readArray(name, value);
  if (data.length !== channels) throw outOfRange(name, `length ${channels}`, data.length);
  return data;
}

/**
 * One value a channel, or the same for all where it is left out.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {number} channels
 * @param {number} constant
 * @returns {(c: number) => number}
 */
export function orConstant(name, value, channels, constant) {
  if (value === undefined || value === null) return () => constant;
  const data = readChannel(name, value, channels);
  return (c) => data[c];
}
