/** @import { Operand } from '../types.js' */
import { readArray } from '../arrays.js';
import { describe, expectOptions, outOfRange, wrongKind } from '../check.js';
import { BatchNorm } from './batch_norm.js';
import { expectFeatures } from './channels.js';
import { addSums, chunkGradient, chunkSums, normalizeChunk } from './chunk_batch_norm.js';
import { isSameMemory } from './layer.js';
import { joined, Moments } from './moments.js';

/**
 * Gives the arrays of all workers, in the same order to each of them, once each has given its own.
 * All workers call it equally often.
 *
 * @callback Gather
 * @param {Float64Array} own  what this worker gives
 * @returns {Promise<readonly Float64Array[]>}
 */

/**
 * @typedef {object} SyncForwardOptions
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {Float32Array} [out]  where y is written
 */

/**
 * @typedef {object} SyncBackwardOptions
 * @property {Float32Array} [out]  where dx is written
 */

const FORWARD_OPTIONS = new Set(['shape', 'out']);
const BACKWARD_OPTIONS = new Set(['out']);
const NONE = 'a forward call before it';

/**
 * BatchNorm over the batches of several workers together, as torch.nn.SyncBatchNorm. Each worker has
 * a BatchNorm of the same state, and a part of the batch, of any size.
 *
 * y, dx, the running statistics and the gradients of weight and bias are those of the whole batch,
 * the same on all workers; the gradients are therefore not to be added up over workers once more.
 * It sends 1 + 2 channels values forward and 2 channels backward, and calculates in float64.
 * Where the layer takes its running statistics (eval), nothing is sent and the kernels do the work.
 */
export class SyncBatchNorm {
  #layer;
  #gather;
  /**
   * The last forward, null where the layer has it, or why there is none to go back from.
   *
   * @type {{ x: Operand, moments: Moments, options: any } | string | null}
   */
  #pass = NONE;
  #isBusy = false;

  /**
   * @param {BatchNorm} layer  has parameters, running statistics and mode
   * @param {Gather} gather  sends an array and gets those of all workers
   */
  constructor(layer, gather) {
    if (!(layer instanceof BatchNorm)) throw wrongKind('layer', 'a BatchNorm', describe(layer));
    if (typeof gather !== 'function') {
      throw wrongKind('gather', 'a function that gathers arrays', describe(gather));
    }
    this.#layer = layer;
    this.#gather = gather;
  }

  /**
   * @param {Operand} x  this worker's part: [batch][channels][...spatial], or as the layout says
   * @param {SyncForwardOptions} [options]
   * @returns {Promise<Float32Array>} y, shaped as x
   * @throws {RangeError} also for a single value per channel on all workers in training
   */
  forward(x, options = {}) {
    return this.#alone(() => this.#forward(x, options));
  }

  /**
   * @param {Operand} dy  gradient of the loss of all workers, shaped as x
   * @param {SyncBackwardOptions} [options]
   * @returns {Promise<Float32Array>} dx, shaped as x
   */
  backward(dy, options = {}) {
    return this.#alone(() => this.#backward(dy, options));
  }

  /**
   * Refuses a call while another waits for the other workers.
   *
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async #alone(call) {
    if (this.#isBusy) {
      throw new Error(
        'SyncBatchNorm: expected one call after the other, got one while another waits',
      );
    }
    this.#isBusy = true;
    try {
      return await call();
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * @param {Operand} x
   * @param {SyncForwardOptions} options
   * @returns {Promise<Float32Array>}
   */
  async #forward(x, options) {
    expectOptions('SyncBatchNorm.forward', options, FORWARD_OPTIONS);
    const layer = this.#layer;
    const isTraining = layer.training;
    this.#pass = NONE;
    if (!layer.isOfBatch) {
      const y = layer.forward(x, options);
      this.#pass = null;
      return /** @type {Float32Array} */ (y);
    }
    expectFeatures(layer.numFeatures, x, options, layer.own);
    const { eps, ...where } = layer.own;
    const { out, shape } = options;
    expectOut(out, x);
    const isOverX = isSameMemory('x', x, out);
    const local = Moments.of(x, { ...where, shape });
    const parts = await this.#all(local.toArray());
    const moments = Moments.merge(parts.map((part) => Moments.fromArray(part)));
    if (moments.n === 1) {
      throw outOfRange('x', 'more than 1 value per channel when training', 'one on all workers');
    }
    const call = { ...where, shape, eps, gamma: layer.weight?.value };
    const y = normalizeChunk(x, moments, { ...call, beta: layer.bias?.value, out });
    if (isTraining) layer.track(moments);
    const pass = { x, moments, options: call };
    this.#pass = isOverX ? 'an x that forward has not overwritten' : pass;
    return y;
  }

  /**
   * @param {Operand} dy
   * @param {SyncBackwardOptions} options
   * @returns {Promise<Float32Array>}
   */
  async #backward(dy, options) {
    expectOptions('SyncBatchNorm.backward', options, BACKWARD_OPTIONS);
    const layer = this.#layer;
    const pass = this.#pass;
    if (pass === null) return /** @type {Float32Array} */ (layer.backward(dy, options));
    if (typeof pass === 'string') {
      throw new ReferenceError(`SyncBatchNorm.backward: expected ${pass}`);
    }
    const { x, moments, options: call } = pass;
    expectOut(options.out, x);
    const isOverX = isSameMemory('x', x, options.out);
    const own = chunkSums(dy, x, moments, call);
    const parts = await this.#all(joined([own.dy, own.dyXhat]));
    const sums = addSums(parts.map(halves));
    const dx = chunkGradient(dy, x, moments, sums, { ...call, out: options.out });
    add(layer.weight, sums.dyXhat);
    add(layer.bias, sums.dy);
    if (isOverX) this.#pass = 'an x that backward has not overwritten';
    return dx;
  }

  /**
   * The arrays of all workers.
   *
   * @param {Float64Array} own
   */
  async #all(own) {
    const { length } = own; // of what gather may transfer
    const parts = await this.#gather(own);
    const isPart = (/** @type {unknown} */ part) =>
      part instanceof Float64Array && part.length === length;
    if (!Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) {
      const expected = `a list of Float64Arrays of length ${length}, one a worker`;
      throw wrongKind('gather', expected, describe(parts));
    }
    return parts;
  }
}

/**
 * Before the other workers are asked, who would else have done what this one refuses.
 *
 * @param {unknown} out
 * @param {unknown} x
 */
function expectOut(out, x) {
  if (out === undefined) return;
  const { length } = readArray('x', x).data;
  const found = readArray('out', out).data.length;
  if (found !== length) throw outOfRange('out', `length ${length}`, found);
}

/** @param {Float64Array} array */
function halves(array) {
  const channels = array.length / 2;
  return { dy: array.slice(0, channels), dyXhat: array.slice(channels) };
}

/**
 * @param {import('./parameter.js').Parameter | null} parameter
 * @param {Float64Array} gradient
 */
function add(parameter, gradient) {
  const sums = parameter?.gradient.data;
  for (let c = 0; sums !== undefined && c < sums.length; c += 1) sums[c] += gradient[c];
}
