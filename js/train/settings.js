/** @import { ActivationKind } from './activation.js' */
/** @import { NormKind } from './norm.js' */
/** @import { PlacementKind } from './placement.js' */
import { expectChoice, expectFlag, expectOptions, outOfRange } from '../check.js';
import { ACTIVATIONS } from './activation.js';
import { expectWhole } from './check.js';
import { NORMS } from './norm.js';
import { PLACEMENTS } from './placement.js';

/**
 * @typedef {object} TransformerOptions
 * @property {PlacementKind} [placement]  where the norms are. Default 'pre'
 * @property {NormKind} [norm]  default 'layer'
 * @property {boolean} [finalNorm]  whether there is one behind the last block. Default: true for
 *   'pre' and 'sandwich', whose stream would reach the output unnormalized
 * @property {ActivationKind} [activation]  of the feed-forward layers. Default 'relu'
 * @property {number} [depth]  blocks, 1 to 24. Default 8
 * @property {number} [width]  of the stream, 1 to 1024; the feed-forward layers have four times as
 *   many units. Default 32
 * @property {number} [heads]  a divisor of width. Default 4
 * @property {number} vocabulary  how many different tokens there are, 2 to 65536
 * @property {number} tokens  of a sequence, 1 to 1024
 * @property {number} [batch]  sequences at a time, 1 to 1024. Default 16
 * @property {number} [seed]  of the parameters. Default 1
 */

/** @typedef {Readonly<Required<TransformerOptions>>} TransformerSettings */

const OPTIONS = new Set([
  ...['placement', 'norm', 'finalNorm', 'activation', 'depth', 'width', 'heads', 'vocabulary'],
  ...['tokens', 'batch', 'seed'],
]);

export const MAX_DEPTH = 24;
export const MAX_SEED = 2 ** 32 - 1;

/**
 * All settings, each within its range.
 *
 * @param {TransformerOptions} options
 * @returns {TransformerSettings}
 */
export function transformerSettings(options) {
  expectOptions('transformer', options, OPTIONS);
  const { placement = 'pre', norm = 'layer', activation = 'relu' } = options;
  const { depth = 8, width = 32, heads = 4, vocabulary, tokens, batch = 16, seed = 1 } = options;
  expectChoice('placement', placement, Object.keys(PLACEMENTS));
  expectChoice('norm', norm, Object.keys(NORMS));
  expectChoice('activation', activation, Object.keys(ACTIVATIONS));
  expectFlag('finalNorm', options.finalNorm);
  expectWhole('depth', depth, 1, MAX_DEPTH);
  expectWhole('width', width, 1, 1024);
  expectDivisor('heads', heads, 'width', width);
  expectWhole('vocabulary', vocabulary, 2, 65536);
  expectWhole('tokens', tokens, 1, 1024);
  expectWhole('batch', batch, 1, 1024);
  expectWhole('seed', seed, 0, MAX_SEED);
  const { finalNorm = PLACEMENTS[placement].finalNorm } = options;
  return Object.freeze({
    ...{ placement, norm, finalNorm, activation, depth, width, heads },
    ...{ vocabulary, tokens, batch, seed },
  });
}

/**
 * @param {string} name
 * @param {number} value
 * @param {string} of
 * @param {number} whole
 */
function expectDivisor(name, value, of, whole) {
  expectWhole(name, value, 1, whole);
  if (whole % value !== 0) throw outOfRange(name, `a divisor of ${of} ${whole}`, value);
}
