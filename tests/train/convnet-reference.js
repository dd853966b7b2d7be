/*
 * The network for images in float64, forward only and from its formulas: what js/train/convnet.js
 * and its kernels are compared with. Gradients come from differences of its loss.
 *
 * An image is a function of row, column and channel; an array of them is a batch.
 */

const EPS = Math.fround(1e-5);

const range = (length) => Array.from({ length }, (_, i) => i);
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const varianceOf = (values, around) => mean(values.map((v) => (v - around) ** 2));

/** A batch from a flat array, [batch][side][side][channels]. */
export const batchOf = (flat, { batch, side, channels }) =>
  range(batch).map((n) =>
    range(side).map((r) =>
      range(side).map((c) =>
        range(channels).map((k) => flat[((n * side + r) * side + c) * channels + k]),
      ),
    ),
  );

const map = (x, fn) =>
  x.map((image, n) =>
    image.map((row, r) => row.map((pixel, c) => pixel.map((v, k) => fn(v, { n, r, c, k })))),
  );

/** A convolution of 3 x 3 with zeros beyond the edges; weight [3][3][inputs][outputs]. */
function convolve(x, weight, bias) {
  const outputs = bias.length;
  const inputs = x[0][0][0].length;
  return x.map((image) =>
    image.map((row, r) =>
      row.map((_, c) =>
        range(outputs).map((o) => {
          let total = bias[o];
          for (let i = 0; i < 3; i++) {
            for (let j = 0; j < 3; j++) {
              const pixel = image[r + i - 1]?.[c + j - 1];
              for (let k = 0; pixel && k < inputs; k++) {
                total += pixel[k] * weight[((i * 3 + j) * inputs + k) * outputs + o];
              }
            }
          }
          return total;
        }),
      ),
    ),
  );
}

/** Means over squares of 2 x 2. */
const pool = (x) =>
  x.map((image) =>
    range(image.length / 2).map((r) =>
      range(image.length / 2).map((c) =>
        image[0][0].map((_, k) =>
          mean([0, 1].flatMap((i) => [0, 1].map((j) => image[2 * r + i][2 * c + j][k]))),
        ),
      ),
    ),
  );

/** All values that share their statistics with one of image n and channel k. */
const SETS = {
  batch: (x, _, k) => x.flatMap((image) => image.flat().map((pixel) => pixel[k])),
  group: (x, n, k, size) => {
    const first = Math.floor(k / size) * size;
    return x[n].flat().flatMap((pixel) => pixel.slice(first, first + size));
  },
  layer: (x, n) => x[n].flat(2),
};

/** Mean and variance by image and channel. */
function statisticsOf(x, { norm, groupSize }) {
  return x.map((image, n) =>
    image[0][0].map((_, k) => {
      const set = SETS[norm](x, n, k, groupSize);
      const mu = mean(set);
      return { mean: mu, variance: varianceOf(set, mu), count: set.length };
    }),
  );
}

const normalize = (x, statistics, gamma, beta) =>
  map(x, (v, { n, k }) => {
    const { mean: mu, variance } = statistics[n][k];
    return ((v - mu) / Math.sqrt(variance + EPS)) * gamma[k] + beta[k];
  });

/** running = (1 - momentum) running + momentum batch, with the unbiased variance. */
function follow(running, statistics, momentum) {
  statistics[0].forEach(({ mean: mu, variance, count }, k) => {
    const one = running[k];
    one.mean = (1 - momentum) * one.mean + momentum * mu;
    one.variance = (1 - momentum) * one.variance + (momentum * variance * count) / (count - 1);
  });
}

/** Running statistics as they begin, by block and channel. */
export const newRunning = ({ channels }) =>
  channels.map((count) => range(count).map(() => ({ mean: 0, variance: 1 })));

function normOf(z, settings, values, name, running, isTraining) {
  const { norm, momentum } = settings;
  if (norm === 'none') return z;
  const [gamma, beta] = [values[`${name}.gamma`], values[`${name}.beta`]];
  if (norm === 'batch' && !isTraining)
    return normalize(
      z,
      z.map(() => running),
      gamma,
      beta,
    );
  const statistics = statisticsOf(z, settings);
  if (norm === 'batch' && running) follow(running, statistics, momentum);
  return normalize(z, statistics, gamma, beta);
}

function softmaxLoss(logits, target) {
  const most = Math.max(...logits);
  return Math.log(logits.reduce((sum, v) => sum + Math.exp(v - most), 0)) + most - logits[target];
}

/**
 * @param {import('../../js/train/convnet-settings.js').ConvnetSettings} settings
 * @param {Record<string, ArrayLike<number>>} values  of the parameters, by name
 * @param {{ images: ArrayLike<number>, targets: ArrayLike<number> }} data
 * @param {{ running?: object[][], isTraining?: boolean }} [mode]  running statistics, which are
 *   brought up to date in training
 */
export function reference(
  settings,
  values,
  { images, targets },
  { running, isTraining = true } = {},
) {
  const { batch, side, inputs, channels, classes } = settings;
  let x = batchOf(images, { batch, side, channels: inputs });
  channels.forEach((outputs, i) => {
    const name = `blocks.${i}`;
    const bias = values[`${name}.convolution.bias`] ?? new Array(outputs).fill(0);
    const z = convolve(x, values[`${name}.convolution.weight`], bias);
    const y = normOf(z, settings, values, `${name}.norm`, running?.[i], isTraining);
    x = pool(map(y, (v) => Math.max(v, 0)));
  });
  const [weight, bias] = [values['head.weight'], values['head.bias']];
  const logits = x.map((image) => {
    const flat = image.flat(2);
    return range(classes).map((o) =>
      flat.reduce((sum, v, i) => sum + v * weight[i * classes + o], bias[o]),
    );
  });
  const counted = range(batch).filter((n) => targets[n] >= 0);
  const loss =
    counted.length === 0 ? 0 : mean(counted.map((n) => softmaxLoss(logits[n], targets[n])));
  return { logits, loss };
}
