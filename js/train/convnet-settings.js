/** @import { ImageNormKind } from './image-norm.js' */
import {
  describe,
  expectChoice,
  expectNumber,
  expectOptions,
  outOfRange,
  wrongKind,
} from '../check.js';
import { expectWhole } from './check.js';
import { IMAGE_NORMS } from './image-norm.js';
import { MAX_SEED } from './settings.js';

/**
 * @typedef {object} ConvnetOptions
 * @property {ImageNormKind} [norm]  'batch' (default), 'group', 'layer' or 'none'. 'layer': each
 *   image over all channels and pixels, with one gamma and one beta a channel
 * @property {number} [groupSize]  channels of a group of 'group', a divisor of all channels.
 *   Default 4
 * @property {number} [momentum]  weight of a batch in the running statistics of 'batch', 0 to 1.
 *   Default 0.1
 * @property {number} [side]  of an image, in pixels: each block halves it, so a multiple of
 *   2 ** blocks, up to 256. Default 8
 * @property {number} [inputs]  channels of an image, 1 to 1024. Default 1
 * @property {readonly number[]} [channels]  of each block, each 1 to 1024. Default [8, 16, 32]
 * @property {number} [classes]  2 to 65536. Default 10
 * @property {number} [batch]  images at a time, 1 to 4096. Default 16
 * @property {number} [seed]  of the parameters. Default 1
 */

/** @typedef {Readonly<Required<ConvnetOptions>>} ConvnetSettings */

const OPTIONS = new Set([
  ...['norm', 'groupSize', 'momentum', 'side', 'inputs', 'channels', 'classes', 'batch', 'seed'],
]);

const MAX_BLOCKS = 8;
const MAX_CHANNELS = 1024;

/**
 * All settings, each within its range.
 *
 * @param {ConvnetOptions} options
 * @returns {ConvnetSettings}
 */
export function convnetSettings(options) {
  expectOptions('convnet', options, OPTIONS);
  const { norm = 'batch', groupSize = 4, momentum = 0.1, side = 8, inputs = 1 } = options;
  const { channels = [8, 16, 32], classes = 10, batch = 16, seed = 1 } = options;
  expectChoice('norm', norm, IMAGE_NORMS);
  expectNumber('momentum', momentum, 0, 1, 'a number from 0 to 1');
  expectWhole('inputs', inputs, 1, MAX_CHANNELS);
  expectChannels(channels);
  expectSide(side, channels.length);
  expectWhole('groupSize', groupSize, 1, MAX_CHANNELS);
  if (norm === 'group') expectGroups(groupSize, channels);
  expectWhole('classes', classes, 2, 65536);
  expectWhole('batch', batch, 1, 4096);
  expectWhole('seed', seed, 0, MAX_SEED);
  return Object.freeze({
    ...{ norm, groupSize, momentum, side, inputs, classes, batch, seed },
    channels: Object.freeze([...channels]),
  });
}

/** @param {readonly number[]} channels */
function expectChannels(channels) {
  if (!Array.isArray(channels)) throw wrongKind('channels', 'an array', describe(channels));
  const { length } = channels;
  if (length < 1 || length > MAX_BLOCKS) {
    throw outOfRange('channels', `1 to ${MAX_BLOCKS} numbers, one a block`, length);
  }
  channels.forEach((count, i) => {
    expectWhole(`channels[${i}]`, count, 1, MAX_CHANNELS);
  });
}

/**
 * @param {number} side
 * @param {number} blocks
 */
function expectSide(side, blocks) {
  const unit = 2 ** blocks;
  expectWhole('side', side, unit, 256);
  if (side % unit !== 0) throw outOfRange('side', `a multiple of ${unit}, 2 ** blocks`, side);
}

/**
 * @param {number} groupSize
 * @param {readonly number[]} channels
 */
function expectGroups(groupSize, channels) {
  const odd = channels.find((count) => count % groupSize !== 0);
  if (odd !== undefined) {
    throw outOfRange('groupSize', `a divisor of all channels ${channels.join(', ')}`, groupSize);
  }
}
