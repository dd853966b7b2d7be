/** Sentences of unequal length, padded with zeros to one length, without a DOM. */
import { gaussian } from '../../shared/random.js';
import { changed, varianceOf } from './statistics.js';

export const SENTENCES = [
  'the cat sat on the warm mat',
  'rain fell all night',
  'she smiled',
  'where did you put it',
].map((sentence) => sentence.split(' '));

const LONGEST = Math.max(...SENTENCES.map((tokens) => tokens.length));
export const LENGTHS = { min: LONGEST, max: LONGEST + 17 };
export const FEATURES = 3;

/** Where the features of all words lie: not around 0, as after a ReLU or a bias. */
const LEVELS = [3, -1, 0.5];

/** How many tokens of each sentence count. */
const lengths = SENTENCES.map((sentence) => sentence.length);

/** A word has the same features wherever it stands. */
const words = (() => {
  const next = gaussian(3);
  const known = new Map();
  for (const word of SENTENCES.flat()) {
    if (!known.has(word))
      known.set(
        word,
        LEVELS.map((level) => Math.fround(level + next())),
      );
  }
  return known;
})();

export const featuresOf = (word) => words.get(word);

/** The tokens alone, [tokens][features]. */
const tokens = Float32Array.from(SENTENCES.flat().flatMap(featuresOf));

/** [sentences][length][features], zeros where a sentence has ended. */
function padded(length) {
  const x = new Float32Array(SENTENCES.length * length * FEATURES);
  SENTENCES.forEach((sentence, n) => {
    x.set(sentence.flatMap(featuresOf), n * length * FEATURES);
  });
  return x;
}

/** Of what was computed for the padded block, the rows that are tokens. */
function rowsOfTokens(y, length) {
  return Float32Array.from(
    SENTENCES.flatMap((sentence, n) => {
      const start = n * length * FEATURES;
      return Array.from(y.subarray(start, start + sentence.length * FEATURES));
    }),
  );
}

const statistics = ({ mean, rstd }) =>
  Array.from(mean, (m, c) => ({ mean: m, variance: varianceOf(rstd[c]) }));

/**
 * Batch and layer norm of the padded block, and of the tokens alone. All y are [tokens][features].
 *
 * @param {import('axisnorm').AxisNorm} an
 * @param {{ length: number, mask?: boolean }} state  mask: whether BatchNorm is told the lengths
 */
export function padding(an, { length, mask }) {
  const x = padded(length);
  const shape = [SENTENCES.length, length, FEATURES];
  const alone = [tokens.length / FEATURES, FEATURES];

  const dirty = an.batchNorm.forward(x, { shape, layout: 'NLC', ...(mask && { lengths }) });
  const clean = an.batchNorm.forward(tokens, { shape: alone });
  const layerPadded = rowsOfTokens(an.layerNorm(x, { shape, axis: -1 }), length);
  const layerAlone = an.layerNorm(tokens, { shape: alone, axis: -1 });
  const batchPadded = rowsOfTokens(dirty.y, length);
  return {
    x,
    tokens,
    shape,
    cells: SENTENCES.length * length,
    count: tokens.length / FEATURES,
    batch: {
      padded: { y: batchPadded, channels: statistics(dirty) },
      alone: { y: clean.y, channels: statistics(clean) },
      changed: changed(batchPadded, clean.y),
    },
    layer: {
      padded: { y: layerPadded },
      alone: { y: layerAlone },
      changed: changed(layerPadded, layerAlone),
    },
  };
}
