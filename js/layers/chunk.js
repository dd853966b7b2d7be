/** A part of a batch as float64 JavaScript sees it: runs of one channel after the other. */

/** @import { ChannelOptions } from '../layout.js' */
import { outOfRange } from '../check.js';
import { aroundChannels, toChannelAxis } from '../layout.js';
import { format } from '../shape.js';
import { readShaped } from './channels.js';

/** @typedef {(channel: number, start: number, end: number) => void} Visit */

/**
 * @typedef {object} Chunk
 * @property {Float32Array} values
 * @property {readonly number[]} shape
 * @property {number} channels
 * @property {number} count  values of a channel
 * @property {(visit: Visit) => void} each  visits every run of values of one channel
 */

/**
 * @param {string} name
 * @param {unknown} x
 * @param {{ shape?: any } & ChannelOptions} options
 * @returns {Chunk}
 */
export function readChunk(name, x, options) {
  const { data, shape } = readShaped(name, x, options.shape);
  if (shape.length < 2) {
    throw outOfRange(name, 'a batch axis and a channel axis', `shape ${format(shape)}`);
  }
  const { outer, channels, inner } = aroundChannels(shape, toChannelAxis(shape, options));
  return {
    values: data,
    shape,
    channels,
    count: outer * inner,
    each(visit) {
      for (let i = 0, c = 0; i < outer * channels * inner; i += inner) {
        visit(c, i, i + inner);
        c = c + 1 === channels ? 0 : c + 1;
      }
    },
  };
}
