/**
 * Handwritten digits: 8 × 8 pixels of 16 levels. Those that are trained on come first, then those
 * that are held out. Image i shows the digit i mod 10, so that every digit is there as often.
 */

/** Pixels of a side. */
export const SIDE = 8;
export const PIXELS = SIDE * SIDE;
export const CLASSES = 10;

export const TRAINING = 1500;
export const HELD_OUT = 500;
export const COUNT = TRAINING + HELD_OUT;

/** Levels of a pixel, from paper to ink. */
export const LEVELS = 16;

export const digitOf = (image) => image % CLASSES;

/**
 * All levels, [COUNT][PIXELS], of what the page has fetched: raw deflate of two pixels a byte, the
 * first in the lower half, [PIXELS][COUNT], as the same pixel of many images is often empty.
 *
 * @param {Uint8Array} packed
 * @returns {Promise<Uint8Array>}
 */
export async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length !== (COUNT * PIXELS) / 2) {
    throw new RangeError(`digits: expected ${(COUNT * PIXELS) / 2} bytes, got ${bytes.length}`);
  }
  return Uint8Array.from({ length: COUNT * PIXELS }, (_, i) => {
    const at = (i % PIXELS) * COUNT + Math.floor(i / PIXELS);
    return at % 2 === 0 ? bytes[at / 2] & 15 : bytes[(at - 1) / 2] >> 4;
  });
}

/**
 * Pixels as networks like them, [COUNT][PIXELS]: those of the images that are trained on have mean
 * 0 and variance 1. Sums of whole numbers and one root give the same bits in every engine.
 *
 * @param {Uint8Array} levels
 */
export function standardize(levels) {
  const seen = levels.subarray(0, TRAINING * PIXELS);
  const mean = seen.reduce((sum, v) => sum + v, 0) / seen.length;
  const squares = seen.reduce((sum, v) => sum + v * v, 0) / seen.length;
  const spread = Math.sqrt(squares - mean * mean);
  return Float32Array.from(levels, (v) => (v - mean) / spread);
}
