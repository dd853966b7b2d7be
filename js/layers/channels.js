/** What the layers of norms with channels share. */

/** @import { ChannelOptions } from '../layout.js' */
import { readArray } from '../arrays.js';
import { outOfRange } from '../check.js';
import { toChannelAxis } from '../layout.js';
import { format, toShape } from '../shape.js';

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
export function expectFeatures(features, x, { shape = x?.dims ?? x?.shape }, where) {
  if (shape === undefined || shape === null) return;
  const sizes = toShape('shape', shape);
  if (sizes.length < 2) return;
  const channels = sizes[toChannelAxis(sizes, where)];
  if (channels !== features) {
    throw outOfRange('x', `${features} channels`, `${channels} in shape ${format(sizes)}`);
  }
}

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
  if (value === undefined) return () => constant;
  const data = readChannel(name, value, channels);
  return (c) => data[c];
}
