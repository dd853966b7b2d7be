/** Where the channels of an array are. */

/** @import { Block } from './block.js' */
/** @import { MaskOptions } from './mask.js' */
/** @import { Layout } from './types.js' */
import { describe, outOfRange, wrongKind } from './check.js';
import { Packing, readMask } from './mask.js';
import { format, sizeOf, toAxis } from './shape.js';

/**
 * @typedef {object} ChannelOptions
 * @property {Layout} [layout]  such as 'NCHW' or 'NHWC'; its number of axes must be that of x.
 *   Default 'channelsFirst'
 * @property {number} [channelAxis]  the same as a number, default 1; negative counts from the end
 */

/** Layout -> number of axes; 0 for any. */
const CHANNELS_FIRST = new Map(
  Object.entries({ NC: 2, NCL: 3, NCHW: 4, NCDHW: 5, channelsFirst: 0 }),
);
const CHANNELS_LAST = new Map(Object.entries({ NLC: 3, NHWC: 4, NDHWC: 5, channelsLast: 0 }));
const NAMES = [...CHANNELS_FIRST.keys(), ...CHANNELS_LAST.keys()].join(', ');

/**
 * The shape of an array with channels.
 *
 * @param {string} name
 * @param {Block} block
 */
export function shapeWithChannels(name, { shape }) {
  if (shape === null) throw wrongKind('shape', `the shape of ${name}`, 'undefined');
  if (shape.length < 2) {
    throw outOfRange(name, 'a batch axis and a channel axis', `shape ${format(shape)}`);
  }
  return shape;
}

/**
 * @param {readonly number[]} shape
 * @param {ChannelOptions} options
 * @returns {number} the axis of the channels, counted from the start
 */
export function toChannelAxis(shape, { layout, channelAxis }) {
  const axis = channelAxis === undefined ? undefined : toAxis('channelAxis', channelAxis, shape);
  if (layout === undefined) return axis ?? 1;
  const axisOfLayout = axisOf(layout, shape);
  if (axis !== undefined && axis !== axisOfLayout) {
    throw outOfRange(
      'channelAxis',
      `${axisOfLayout} as layout '${layout}' says`,
      describe(channelAxis),
    );
  }
  return axisOfLayout;
}

/**
 * @param {Layout} layout
 * @param {readonly number[]} shape
 */
function axisOf(layout, shape) {
  const isFirst = CHANNELS_FIRST.has(layout);
  const rank = isFirst ? CHANNELS_FIRST.get(layout) : CHANNELS_LAST.get(layout);
  if (rank === undefined) throw outOfRange('layout', `one of ${NAMES}`, describe(layout));
  if (rank !== 0 && rank !== shape.length) {
    throw outOfRange(
      'layout',
      `one of ${shape.length} axes as shape ${format(shape)}`,
      `'${layout}'`,
    );
  }
  return isFirst ? 1 : shape.length - 1;
}

/**
 * An array as [outer][channels][inner]. An array of no values has no outer part, wherever its 0 is.
 *
 * @param {readonly number[]} shape
 * @param {number} axis
 */
export function aroundChannels(shape, axis) {
  const channels = expectChannels(shape, axis);
  const outer = sizeOf(shape, 0, axis);
  const inner = sizeOf(shape, axis + 1);
  const isEmpty = outer === 0 || inner === 0;
  return isEmpty ? { outer: 0, channels, inner: 1 } : { outer, channels, inner };
}

/**
 * An array as [batch][channels][spatial] or [batch][spatial][channels].
 *
 * @param {readonly number[]} shape
 * @param {number} axis
 */
export function perExample(shape, axis) {
  const last = shape.length - 1;
  if (axis !== 1 && axis !== last) {
    throw outOfRange('channelAxis', `1 or ${last} for shape ${format(shape)}`, axis);
  }
  const channels = expectChannels(shape, axis);
  const spatial = axis === 1 ? sizeOf(shape, 2) : sizeOf(shape, 1, last);
  if (spatial === 0) {
    throw outOfRange('shape', 'sizes of at least 1 after the batch', format(shape));
  }
  return { batch: shape[0], channels, spatial, isLast: axis !== 1 };
}

/**
 * aroundChannels of the positions that a mask keeps, and how they are brought there.
 *
 * @param {MaskOptions} options
 * @param {readonly number[]} shape
 * @param {number} axis
 */
export function aroundKept(options, shape, axis) {
  const { outer, channels, inner } = aroundChannels(shape, axis);
  const kept = readMask(options, shape, axis);
  if (kept === null) return { outer, channels, inner, packing: null };
  const packing = new Packing(kept, shape[axis === 0 ? 1 : 0], channels, inner, false);
  const { total } = packing;
  if (inner === 1 || total === 0) return { outer: total, channels, inner: 1, packing };
  return { outer: 1, channels, inner: total, packing };
}

/**
 * perExample of the positions that a mask keeps.
 *
 * @param {MaskOptions} options
 * @param {readonly number[]} shape
 * @param {number} axis
 */
export function perKeptExample(options, shape, axis) {
  const { batch, channels, spatial, isLast } = perExample(shape, axis);
  const kept = readMask(options, shape, axis);
  if (kept === null) {
    const parts = [{ first: 0, count: batch, at: 0, spatial }];
    return { batch, channels, isLast, packing: null, parts };
  }
  const packing = new Packing(kept, batch, channels, isLast ? 1 : spatial, true);
  return { batch, channels, isLast, packing, parts: examplesOf(packing, channels) };
}

/**
 * The examples that have positions: `count` of them from `first` on, which start at the value `at`.
 *
 * @param {Packing} packing
 * @param {number} channels
 */
function examplesOf({ starts }, channels) {
  const parts = [];
  for (let n = 0; n + 1 < starts.length; n += 1) {
    const spatial = starts[n + 1] - starts[n];
    if (spatial > 0) parts.push({ first: n, count: 1, at: starts[n] * channels, spatial });
  }
  return parts;
}

/**
 * @param {readonly number[]} shape
 * @param {number} axis
 */
function expectChannels(shape, axis) {
  if (shape[axis] === 0) throw outOfRange('shape', 'at least 1 channel', format(shape));
  return shape[axis];
}
