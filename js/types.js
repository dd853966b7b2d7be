/**
 * Types that the operations share; there is no code here.
 *
 * @import { Tensor } from './tensor.js'
 */

/**
 * An array with its shape: an ONNX Runtime tensor has `dims`, an ndarray has `shape`.
 *
 * @typedef {{ readonly data: Float32Array, readonly dims: ArrayLike<number> }
 *   | { readonly data: Float32Array, readonly shape: ArrayLike<number> }} ShapedArray
 */

/**
 * What every operation takes for an array. A Float32Array is a view at any offset of any buffer, of
 * this or another realm.
 *
 * @typedef {Float32Array | Tensor | ShapedArray} Operand
 */

/**
 * A Float32Array whose memory is not shared, for TypeScript that tells (from 5.7 on).
 *
 * @typedef {ReturnType<Float32ArrayConstructor['of']>} NewArray
 */

/**
 * What an operation returns: Tensors where its first argument is one, else new flat Float32Arrays.
 *
 * @template X
 * @typedef {X extends Tensor ? Tensor : NewArray} ResultOf
 */

/**
 * @template O
 * @typedef {object} OutOption
 * @property {O} [out]  where the result is written; may be the first argument itself
 */

/**
 * @template O
 * @typedef {object} OutsOption
 * @property {O} [out]  where results are written; y may be the first argument itself
 */

/** @typedef {'NC' | 'NCL' | 'NCHW' | 'NCDHW' | 'channelsFirst'} ChannelsFirst */
/** @typedef {'NLC' | 'NHWC' | 'NDHWC' | 'channelsLast'} ChannelsLast */

/**
 * Where the channels are; `N` is the batch, letters after it are axes in memory order.
 * `channelsFirst` (axis 1) and `channelsLast` (last axis) stand for any number of axes.
 *
 * @typedef {ChannelsFirst | ChannelsLast} Layout
 */

export {};
