/** @import { ChannelOptions } from '../layout.js' */
/** @import { Operand } from '../types.js' */
import { describe, expectChoice, expectOptions, outOfRange, wrongKind } from '../check.js';
import { readChunk } from './chunk.js';

/** @typedef {{ shape?: number | ArrayLike<number> } & ChannelOptions} MomentsOptions */

const OPTIONS = new Set(['shape', 'layout', 'channelAxis']);

/**
 * Number of values, mean and sum of squared deviations of each channel, in float64. Those of parts
 * merge to those of the whole, in any order and split (Chan, Golub & LeVeque 1979): the statistics
 * of a batch that comes in chunks or lies with several workers.
 */
export class Moments {
  /** Values of a channel. */
  n;
  /** [channels], in units of x. */
  mean;
  /** [channels], sum of (x - mean)^2. */
  m2;

  /**
   * @param {number} n  values of a channel
   * @param {Float64Array} mean  [channels], in units of x
   * @param {Float64Array} m2  [channels], sum of (x - mean)^2
   */
  constructor(n, mean, m2) {
    if (!Number.isSafeInteger(n) || n < 0)
      throw outOfRange('n', 'a whole number >= 0', describe(n));
    if (!(mean instanceof Float64Array)) throw wrongKind('mean', 'a Float64Array', describe(mean));
    if (!(m2 instanceof Float64Array)) throw wrongKind('m2', 'a Float64Array', describe(m2));
    if (m2.length !== mean.length) throw outOfRange('m2', `length ${mean.length}`, m2.length);
    this.n = n;
    this.mean = mean;
    this.m2 = m2;
  }

  /**
   * The moments of one chunk.
   *
   * @param {Operand} x  [batch][channels][...spatial], or as the layout says
   * @param {MomentsOptions} [options]
   */
  static of(x, options = {}) {
    expectOptions('Moments.of', options, OPTIONS);
    const { values, channels, count, each } = readChunk('x', x, options);
    const mean = new Float64Array(channels);
    const m2 = new Float64Array(channels);
    if (count === 0) return new Moments(0, mean, m2);
    each((c, start, end) => {
      let sum = 0;
      for (let i = start; i < end; i += 1) sum += values[i];
      mean[c] += sum;
    });
    for (let c = 0; c < channels; c += 1) mean[c] /= count;
    each((c, start, end) => {
      let squares = 0;
      for (let i = start; i < end; i += 1) squares += (values[i] - mean[c]) ** 2;
      m2[c] += squares;
    });
    return new Moments(count, mean, m2);
  }

  /**
   * The moments of all parts together.
   *
   * @param {readonly Moments[]} parts  at least one
   * @returns {Moments}
   */
  static merge(parts) {
    if (!Array.isArray(parts) || parts.length === 0) {
      throw wrongKind('Moments.merge', 'a list of at least one Moments', describe(parts));
    }
    const [first, ...others] = parts;
    expectMoments(first);
    return others.reduce((all, part) => all.merge(part), first);
  }

  /**
   * The moments of the values of both.
   *
   * @param {Moments} other  of as many channels
   */
  merge(other) {
    const channels = this.mean.length;
    expectMoments(other);
    if (other.mean.length !== channels) {
      throw outOfRange('merge', `${channels} channels`, other.mean.length);
    }
    if (other.n === 0) return this;
    if (this.n === 0) return other;
    const n = this.n + other.n;
    const share = other.n / n;
    const mean = new Float64Array(channels);
    const m2 = new Float64Array(channels);
    for (let c = 0; c < channels; c += 1) {
      const delta = other.mean[c] - this.mean[c];
      mean[c] = this.mean[c] + delta * share;
      m2[c] = this.m2[c] + other.m2[c] + delta * delta * this.n * share;
    }
    return new Moments(n, mean, m2);
  }

  /**
   * Variance of each channel.
   *
   * @param {'biased' | 'unbiased'} [estimate]  divided by n (default) or by n - 1
   */
  variance(estimate = 'biased') {
    expectChoice('estimate', estimate, ['biased', 'unbiased']);
    const divisor = estimate === 'biased' ? this.n : this.n - 1;
    return this.m2.map((m2) => m2 / divisor);
  }

  /** One array, to be sent to other workers: n, means, sums of squares. */
  toArray() {
    return joined([Float64Array.of(this.n), this.mean, this.m2]);
  }

  /**
   * What toArray() has made.
   *
   * @param {Float64Array} array
   */
  static fromArray(array) {
    const channels = (array?.length - 1) / 2;
    if (!(array instanceof Float64Array) || !Number.isInteger(channels)) {
      throw wrongKind('fromArray', 'a Float64Array of 1 + 2 channels values', describe(array));
    }
    const m2 = array.slice(1 + channels);
    const bad = m2.findIndex((value) => value < 0);
    if (bad >= 0) throw outOfRange(`m2[${bad}]`, 'a sum of squares', m2[bad]);
    return new Moments(array[0], array.slice(1, 1 + channels), m2);
  }
}

/**
 * One array after the other. Not by spreading, which has a limit.
 *
 * @param {readonly Float64Array[]} arrays
 */
export function joined(arrays) {
  const all = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** @param {unknown} value */
function expectMoments(value) {
  if (!(value instanceof Moments)) throw wrongKind('merge', 'Moments', describe(value));
}
