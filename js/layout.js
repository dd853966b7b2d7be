/** Where the channels of an array are. */

/** @import { Block } from './block.js' */
/** @import { Layout } from './types.js' */
import { describe, outOfRange, wrongKind } from './check.js';
import { format, sizeOf, toAxis } from './shape.js';

/**
 * @typedef {object} ChannelOptions
 * @property {Layout} [layout]  such as 'NCHW' or 'NHWC'; its number of axes must be that of x
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
 * @param {readonly number[]} shape
 * @param {number} axis
 */
function expectChannels(shape, axis) {
  if (shape[axis] === 0) throw outOfRange('shape', 'at least 1 channel', format(shape));
  return shape[axis];
}
