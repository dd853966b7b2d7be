/** A batch that shrinks to one example, without a DOM. */
import { iris } from '../../iris.js';
import { gaussian } from '../../shared/random.js';
import { varianceOf } from './statistics.js';

export const LARGEST = 16;

/** Examples of all species, in no order: neighbours in the table are of one. */
const ORDER = Array.from({ length: iris.rows }, (_, i) => (i * 67) % iris.rows);

const table = {
  label: 'Rows',
  channels: iris.features,
  shape: (n) => [n, iris.cols],
  all: Float32Array.from(
    ORDER.flatMap((row) => Array.from(iris.x.subarray(row * iris.cols, (row + 1) * iris.cols))),
  ),
};

const SIDE = 3;
const CHANNELS = ['red', 'green', 'blue'];

/** Each image has a brightness, each channel a level, each pixel its own part. */
function images() {
  const next = gaussian(7);
  const values = [];
  for (let n = 0; n < 150; n++) {
    const brightness = next();
    for (let c = 0; c < CHANNELS.length; c++) {
      for (let i = 0; i < SIDE * SIDE; i++) values.push(3 + c + 0.6 * brightness + next());
    }
  }
  return Float32Array.from(values);
}

const image = {
  label: 'Images',
  channels: CHANNELS,
  shape: (n) => [n, CHANNELS.length, SIDE, SIDE],
  all: images(),
};

export const BLOCKS = { table, image };

const lengthOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Means and variances of the channels; the variances divided by n. */
const statistics = ({ mean, rstd }) =>
  Array.from(mean, (m, c) => ({ mean: m, variance: varianceOf(rstd[c]) }));

/** The library's own words where it refuses, and nothing else: other errors are errors. */
function attempt(fn) {
  try {
    return { result: fn() };
  } catch (error) {
    if (error instanceof RangeError) return { refusal: error.message };
    throw error;
  }
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {{ block: string, size: number }} state
 */
export function batch(an, { block, size }) {
  const { all, channels, shape: shapeOf } = BLOCKS[block];
  const shape = shapeOf(size);
  const [, , ...space] = shape;
  const one = lengthOf(shape.slice(1));
  const x = all.slice(0, lengthOf(shape));
  const whole = an.batchNorm.forward(all, { shape: shapeOf(all.length / one) });
  const { result, refusal } = attempt(() => an.batchNorm.forward(x, { shape }));
  const layer = an.layerNorm(x, { shape, normalizedShape: shape.slice(1) });
  return {
    shape,
    channels,
    /** values that share one mean: N, or N·H·W */
    perChannel: shape[0] * lengthOf(space),
    x,
    refusal,
    /** undefined where the library refused */
    batch: result && { y: result.y, channels: statistics(result) },
    /** of all 150 examples: what the batch's statistics estimate */
    all: statistics(whole),
    layer,
    /** values of one example */
    one,
  };
}
