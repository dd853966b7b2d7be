/** What the tests of js/train share. */
import { load } from '../../js/train/index.js';
import { random } from '../helpers/random.js';

export const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

/** Name -> choices of every setting that changes the formulas. */
export const CHOICES = {
  placement: ['post', 'pre', 'sandwich', 'deepnorm', 'none'],
  norm: ['layer', 'rms'],
  finalNorm: [false, true],
  activation: ['relu', 'gelu'],
};

/** Small, and with sizes that are no multiples of each other. */
export const SMALL = { depth: 2, width: 6, heads: 2, vocabulary: 5, tokens: 4, batch: 2, seed: 3 };

/** Tokens, and targets of which one in four does not count. */
export function dataFor({ vocabulary, tokens, batch }, label) {
  const next = random(label);
  const draw = () => Math.floor((next() + 1) * 0.5 * vocabulary);
  const length = batch * tokens;
  return {
    ids: Uint32Array.from({ length }, draw),
    targets: Int32Array.from({ length }, (_, i) => (i % 4 === 1 ? -1 : draw())),
  };
}

/** Moves all parameters away from where they start, so that biases and gammas matter, too. */
export function shake(model, label) {
  const next = random(label);
  for (const { values } of model.parameters) {
    for (let i = 0; i < values.length; i++) values[i] += next() / 4;
  }
}
