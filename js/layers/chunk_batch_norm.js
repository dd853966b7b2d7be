/** BatchNorm of a batch that comes in chunks, whose Moments were merged before. */

/** @import { ChannelOptions } from '../layout.js' */
/** @import { Operand } from '../types.js' */
import { overlap, readArray } from '../arrays.js';
import {
  DEFAULT_EPS,
  describe,
  expectEps,
  expectOptions,
  outOfRange,
  wrongKind,
} from '../check.js';
import { format, sameArrangement } from '../shape.js';
import { inverseRoot, orConstant } from './channels.js';
import { readChunk } from './chunk.js';
import { Moments } from './moments.js';

/**
 * @typedef {object} ChunkSettings
 * @property {number | ArrayLike<number>} [shape]  of the chunk, where x is flat
 * @property {Operand} [gamma]  [channels]; ones if left out
 * @property {Operand} [beta]  [channels]; zeros if left out
 * @property {number} [eps]  default 1e-5
 * @property {Float32Array} [out]  where the result is written; may be x or dy
 */

/** @typedef {ChunkSettings & ChannelOptions} ChunkOptions */

/**
 * Sums over a chunk, a channel each, in float64. Those of all chunks, added up, are dbeta and
 * dgamma, and what chunkGradient needs.
 *
 * @typedef {object} ChunkSums
 * @property {Float64Array} dy  sum of dy: dbeta
 * @property {Float64Array} dyXhat  sum of dy * (x - mean) * rstd: dgamma
 */

const OPTIONS = new Set(['shape', 'layout', 'channelAxis', 'gamma', 'beta', 'eps', 'out']);

/**
 * y of a chunk, with the statistics of the whole batch:
 *
 *     y = (x - mean[c]) / sqrt(m2[c] / n + eps) * gamma[c] + beta[c]
 *
 * in float64, rounded once.
 *
 * @param {Operand} x
 * @param {Moments} moments  of all chunks
 * @param {ChunkOptions} [options]
 * @returns {Float32Array} shaped as x
 */
export function normalizeChunk(x, moments, options = {}) {
  const { chunk, rstd, gamma, out } = read('normalizeChunk', x, moments, options);
  if (options.beta !== undefined) expectApart(out, 'beta', readArray('beta', options.beta).data);
  const beta = orConstant('beta', options.beta, chunk.channels, 0);
  const { mean } = moments;
  const { values } = chunk;
  chunk.each((c, start, end) => {
    const scale = rstd[c] * gamma(c);
    const shift = beta(c);
    for (let i = start; i < end; i += 1) out[i] = (values[i] - mean[c]) * scale + shift;
  });
  return out;
}

/**
 * @param {Operand} dy
 * @param {Operand} x
 * @param {Moments} moments  of all chunks
 * @param {ChunkOptions} [options]
 * @returns {ChunkSums}
 */
export function chunkSums(dy, x, moments, options = {}) {
  const { chunk, rstd } = read('chunkSums', x, moments, options);
  const g = readLike('dy', dy, chunk);
  const sums = {
    dy: new Float64Array(chunk.channels),
    dyXhat: new Float64Array(chunk.channels),
  };
  const { mean } = moments;
  const { values } = chunk;
  chunk.each((c, start, end) => {
    let [sum, product] = [0, 0];
    for (let i = start; i < end; i += 1) {
      sum += g[i];
      product += g[i] * (values[i] - mean[c]);
    }
    sums.dy[c] += sum;
    sums.dyXhat[c] += product * rstd[c];
  });
  return sums;
}

/**
 * dx of a chunk. With n, mean and rstd of the whole batch and the sums of all chunks:
 *
 *     dx = gamma * rstd * (dy - sum(dy) / n - xhat * sum(dy * xhat) / n)
 *
 * @param {Operand} dy
 * @param {Operand} x
 * @param {Moments} moments  of all chunks
 * @param {ChunkSums} sums  of all chunks
 * @param {ChunkOptions} [options]
 * @returns {Float32Array} shaped as x
 */
export function chunkGradient(dy, x, moments, sums, options = {}) {
  const { chunk, rstd, gamma, out } = read('chunkGradient', x, moments, options);
  const g = readLike('dy', dy, chunk);
  expectInPlace(out, 'dy', g);
  expectSums(sums, chunk.channels);
  const { n, mean } = moments;
  const { values } = chunk;
  chunk.each((c, start, end) => {
    const scale = rstd[c] * gamma(c);
    const offset = sums.dy[c] / n;
    const slope = (sums.dyXhat[c] / n) * rstd[c];
    for (let i = start; i < end; i += 1) {
      out[i] = scale * (g[i] - offset - (values[i] - mean[c]) * slope);
    }
  });
  return out;
}

/**
 * @param {readonly ChunkSums[]} parts  at least one
 * @returns {ChunkSums}
 */
export function addSums(parts) {
  const add = (/** @type {Float64Array} */ a, /** @type {Float64Array} */ b) =>
    a.map((value, c) => value + b[c]);
  return parts.reduce((all, part) => ({
    dy: add(all.dy, part.dy),
    dyXhat: add(all.dyXhat, part.dyXhat),
  }));
}

/**
 * @param {string} caller
 * @param {unknown} x
 * @param {Moments} moments
 * @param {ChunkOptions} options
 */
function read(caller, x, moments, options) {
  expectOptions(caller, options, OPTIONS);
  const chunk = readChunk('x', x, options);
  const { channels, values } = chunk;
  if (!(moments instanceof Moments)) throw wrongKind('moments', 'Moments', describe(moments));
  if (moments.mean.length !== channels) {
    throw outOfRange('moments', `${channels} channels`, moments.mean.length);
  }
  const { eps = DEFAULT_EPS, out = new Float32Array(values.length) } = options;
  expectEps(eps);
  const data = readLike('out', out, chunk);
  expectInPlace(data, 'x', values);
  if (options.gamma !== undefined) {
    expectApart(data, 'gamma', readArray('gamma', options.gamma).data);
  }
  const gamma = orConstant('gamma', options.gamma, channels, 1);
  const rstd = moments.variance().map((variance) => inverseRoot(variance + eps));
  return { chunk, rstd, gamma, out: data };
}

/**
 * An array of as many values as x, and of its shape where it has one.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {import('./chunk.js').Chunk} chunk
 */
function readLike(name, value, { values, shape: expected }) {
  const { data, shape } = readArray(name, value);
  if (data.length !== values.length) {
    throw outOfRange(name, `length ${values.length}`, data.length);
  }
  if (shape !== null && shape.length > 1 && !sameArrangement(shape, expected)) {
    throw outOfRange(name, `shape ${format(expected)}`, format(shape));
  }
  return data;
}

/**
 * A result may be where an input is, but not beside it: values are read as others are written.
 *
 * @param {Float32Array} out
 * @param {string} name
 * @param {Float32Array} input
 */
function expectInPlace(out, name, input) {
  if (out.buffer !== input.buffer || out.byteOffset !== input.byteOffset) {
    expectApart(out, name, input);
  }
}

/**
 * @param {Float32Array} out
 * @param {string} name
 * @param {Float32Array} input
 */
function expectApart(out, name, input) {
  if (overlap(out, input))
    throw outOfRange('out', `memory apart from that of ${name}`, 'an overlap');
}

/**
 * @param {ChunkSums} sums
 * @param {number} channels
 */
function expectSums(sums, channels) {
  for (const name of /** @type {const} */ (['dy', 'dyXhat'])) {
    const length = sums?.[name]?.length;
    if (length !== channels) throw outOfRange(`sums.${name}`, `length ${channels}`, `${length}`);
  }
}
