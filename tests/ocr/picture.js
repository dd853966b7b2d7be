/* A picture of a line of text as the network takes it. */
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';

/** Of the network's input. The picture is drawn this high, so nothing is scaled. */
const HEIGHT = 48;
/** Blue, green, red, as OpenCV reads for PaddleOCR: where they are in a pixel of the PNG. */
const PLANES = [2, 1, 0];

/** 0 … 255 to -1 … 1, as in PaddleOCR's resize_norm_img. */
const normalized = (byte) => (byte / 255 - 0.5) / 0.5;

/** @returns {{ data: Float32Array, dims: number[] }} [1][3][48][width] */
export function readPicture(path) {
  const { width, height, data: pixels } = PNG.sync.read(readFileSync(path));
  if (height !== HEIGHT) throw new RangeError(`${path}: expected ${HEIGHT} rows, got ${height}`);
  const size = width * height;
  const data = new Float32Array(PLANES.length * size);
  for (const [plane, offset] of PLANES.entries()) {
    for (let i = 0; i < size; i += 1) data[plane * size + i] = normalized(pixels[4 * i + offset]);
  }
  return { data, dims: [1, PLANES.length, height, width] };
}
