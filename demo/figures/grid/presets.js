/** The tables that the grid starts from. */
import { iris } from '../../iris.js';

/**
 * Examples by channels, each channel an image of h × w pixels; a plain table has 1 × 1.
 *
 * @typedef {object} Table
 * @property {number} n  examples
 * @property {number} c  channels, or features
 * @property {number} h
 * @property {number} w
 * @property {Float32Array} x  in the order N, C, H, W
 * @property {string[]} [examples]  their names
 * @property {number[]} [ids]  which irises they are
 * @property {string[]} [features]  their names
 * @property {string} [unit]
 * @property {boolean[]} [padding]  the examples that are padding; there a row is a token
 */

/** @typedef {Table & { label: string, about: string }} Preset */

/** Names of irises, by their index in the whole set. */
const irisNames = (ids) => ids.map((i) => `${i + 1} ${iris.species[i]}`);

const irisAt = (i) => iris.x.subarray(i * iris.cols, (i + 1) * iris.cols);

/** What is known of a table whose rows are irises; nothing where one does not exist. */
export const knownIrises = (ids) =>
  ids.every((i) => i in iris.species) && { ids, examples: irisNames(ids) };

/** An iris that is not among them, of another species than the last one. */
export function anotherIris(ids) {
  let id = ids.at(-1);
  do id = (id + 47) % iris.rows;
  while (ids.includes(id) && ids.length < iris.rows);
  return { id, x: irisAt(id) };
}

function someIrises(indices) {
  const { cols, features } = iris;
  return {
    n: indices.length,
    c: cols,
    h: 1,
    w: 1,
    x: Float32Array.from(indices.flatMap((i) => [...irisAt(i)])),
    ids: indices,
    examples: irisNames(indices),
    features,
    unit: 'cm',
  };
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

const table = (c, rows) => ({ n: rows.length, c, h: 1, w: 1, x: Float32Array.from(rows.flat()) });

const SENTENCES = [
  ['the', 'cat', 'sat', 'down'],
  ['birds', 'sing'],
  ['one', 'more', 'token'],
];
const TOKENS = 4;

/** A made-up embedding: the same word, the same numbers. */
const embed = (word) =>
  range(0, 4).map((k) => {
    const sum = [...word].reduce(
      (s, letter, i) => s + letter.charCodeAt(0) * (i + 2 + 3 * k),
      7 * k,
    );
    return (((sum * 37) % 41) - 12) / 10;
  });

function sentences() {
  const padded = SENTENCES.flatMap((words) => [...words, ...Array(TOKENS - words.length).fill('')]);
  return {
    ...table(
      4,
      padded.map((word) => (word ? embed(word) : [0, 0, 0, 0])),
    ),
    examples: padded.map((word, i) => `${Math.floor(i / TOKENS) + 1} ${word || '(pad)'}`),
    padding: padded.map((word) => word === ''),
  };
}

/** Three examples of six channels of 2 × 2 pixels, each channel with a level of its own. */
function images() {
  const [n, c, h, w] = [3, 6, 2, 2];
  const x = Float32Array.from({ length: n * c * h * w }, (_, i) => {
    const channel = Math.floor(i / (h * w)) % c;
    const example = Math.floor(i / (c * h * w));
    const noise = Math.sin(i * 12.9898 + 4) * 1.3;
    return Number(((channel - 2) * 0.7 + example * 0.5 - 0.5 + noise).toFixed(1)) || 0;
  });
  return { n, c, h, w, x };
}

/** @type {Record<string, Preset>} */
export const PRESETS = {
  iris: {
    label: 'Irises',
    about: 'Twelve of Fisher’s irises, four of each species, measured in centimetres.',
    ...someIrises([...range(0, 4), ...range(50, 54), ...range(100, 104)]),
  },
  irises: {
    label: '60 irises',
    about: 'Sixty of Fisher’s irises, twenty of each species, measured in centimetres.',
    ...someIrises([...range(0, 20), ...range(50, 70), ...range(100, 120)]),
  },
  outlier: {
    label: 'Outlier channel',
    about: 'Activations with one feature far larger than the others, as language models have them.',
    ...table(6, [
      [0.4, -0.9, 1.1, 38, -0.3, 0.7],
      [-0.6, 0.2, 0.8, 41, 0.5, -1.2],
      [1.3, -0.4, -0.7, 36, 0.9, 0.1],
      [0.1, 0.6, -1.4, 44, -0.8, 0.3],
      [-1.1, 1.2, 0.5, 39, 0.2, -0.5],
      [0.8, -0.2, 0.3, 42, -1.3, 1.0],
    ]),
  },
  constant: {
    label: 'Constant row',
    about:
      'In the third example all features are equal: its variance is 0, and ε alone is below the root.',
    ...table(4, [
      [1.2, -0.5, 0.3, 2.1],
      [0.4, 1.9, -1.3, 0.6],
      [0.7, 0.7, 0.7, 0.7],
      [-0.8, 0.2, 1.5, -1.1],
    ]),
  },
  padded: {
    label: 'Padded sentences',
    about: 'Three sentences, a row a token, padded with zeros to four tokens each.',
    ...sentences(),
  },
  single: {
    label: 'Single example',
    about: 'A batch of one: every feature has one value.',
    ...table(6, [[0.9, -1.4, 2.3, 0.2, -0.6, 1.1]]),
  },
  image: {
    label: 'Images',
    about:
      'Three images of six channels with 2\u00a0×\u00a02 pixels each. A channel has many values in every example.',
    ...images(),
  },
};
