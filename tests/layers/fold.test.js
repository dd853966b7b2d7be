// BatchNorm folded into the layer before it: each value, and that both do the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldBatchNorm } from '../../js/layers/index.js';
import { sizeOf } from '../../js/shape.js';
import { randomArray } from '../helpers/random.js';
import { product } from '../helpers/suite.js';
import { builds } from './support.js';

const [an] = builds;
const [I, O] = [3, 4];
const [SIDE, KERNEL] = [6, 3];

/**
 * Linear layers by their weights: shape, axis of the outputs, and what one weight connects. All are
 * sums over (o, i, dy, dx) of weight * x, which differ in where the weight and the values are.
 */
const LINEAR = {
  'a dense layer, [out][in]': { shape: [O, I], axis: 0, at: (o, i) => o * I + i },
  'a dense layer, [in][out]': { shape: [I, O], axis: -1, at: (o, i) => i * O + o },
  'a convolution, [out][in][h][w]': {
    shape: [O, I, KERNEL, KERNEL],
    axis: 0,
    at: (o, i, h, w) => ((o * I + i) * KERNEL + h) * KERNEL + w,
  },
  'a convolution, [h][w][in][out]': {
    shape: [KERNEL, KERNEL, I, O],
    axis: -1,
    at: (o, i, h, w) => ((h * KERNEL + w) * I + i) * O + o,
  },
  'a transposed convolution, [in][out][h][w]': {
    shape: [I, O, KERNEL, KERNEL],
    axis: 1,
    transposed: true,
    at: (o, i, h, w) => ((i * O + o) * KERNEL + h) * KERNEL + w,
  },
};

/** [O][side][side] of [I][side][side] in float64, dense layers at each position by themselves. */
function apply({ shape, transposed, at }, x, weight, bias) {
  const kernel = shape.length === 2 ? 1 : KERNEL;
  const small = SIDE - kernel + 1;
  const side = transposed ? SIDE + kernel - 1 : small;
  const y = Float64Array.from(
    { length: O * side * side },
    (_, k) => bias[Math.floor(k / side ** 2)],
  );
  const steps = { o: O, i: I, h: kernel, w: kernel, row: small, col: small };
  if (transposed) Object.assign(steps, { row: SIDE, col: SIDE });
  const ranges = Object.entries(steps).map(([name, n]) => [name, [...Array(n).keys()]]);
  for (const { o, i, h, w, row, col } of product(Object.fromEntries(ranges))) {
    const [near, far] = [
      [row, col],
      [row + h, col + w],
    ];
    const [from, to] = transposed ? [near, far] : [far, near];
    y[(o * side + to[0]) * side + to[1]] +=
      weight[at(o, i, h, w)] * x[(i * SIDE + from[0]) * SIDE + from[1]];
  }
  return { y, side };
}

/** All there is of a layer and the BatchNorm behind it, in part left out. */
function settings(name, { bias, gamma, beta }) {
  const { shape, axis } = LINEAR[name];
  const draw = (what, map) => randomArray(`fold ${what}`, O, map);
  return {
    weight: randomArray(`fold ${name}`, sizeOf(shape)),
    ...{ shape, outAxis: axis },
    runningMean: draw('mean'),
    runningVar: draw('var', (u) => 1.2 + u),
    eps: 1e-3,
    ...(bias && { bias: draw('bias') }),
    ...(gamma && { gamma: draw('gamma') }),
    ...(beta && { beta: draw('beta') }),
  };
}

const OPTIONAL = product({ bias: [true, false], gamma: [true, false], beta: [true, false] });
const labelOf = (given) =>
  Object.keys(given)
    .filter((name) => given[name])
    .join(', ') || 'none';

/** The values of each channel, with what was left out. */
const channel = ({ bias, gamma, beta, runningMean, runningVar, eps }, o) => ({
  scale: (gamma?.[o] ?? 1) / Math.sqrt(runningVar[o] + eps),
  shift: (bias?.[o] ?? 0) - runningMean[o],
  beta: beta?.[o] ?? 0,
});

for (const [name, linear] of Object.entries(LINEAR)) {
  for (const given of OPTIONAL) {
    describe(`${name}, of bias, gamma and beta: ${labelOf(given)}`, () => {
      const options = settings(name, given);
      const folded = foldBatchNorm(options);

      test('each value is the float64 result, rounded once', () => {
        const seen = new Set();
        const size = linear.shape.length === 2 ? 1 : KERNEL;
        for (let o = 0; o < O; o += 1) {
          const { scale, shift, beta } = channel(options, o);
          assert.equal(folded.bias[o], Math.fround(shift * scale + beta));
          for (let k = 0; k < I * size * size; k += 1) {
            const [i, h, w] = [k % I, Math.floor(k / I / size), Math.floor(k / I) % size];
            const at = linear.at(o, i, h, w);
            seen.add(at);
            assert.equal(folded.weight[at], Math.fround(options.weight[at] * scale), `${at}`);
          }
        }
        assert.equal(seen.size, options.weight.length);
      });

      test('it does what both have done', () => {
        const x = randomArray('fold x', I * SIDE * SIDE);
        const bias = options.bias ?? new Float32Array(O);
        const { y: plain, side } = apply(linear, x, options.weight, bias);
        const { y } = apply(linear, x, folded.weight, folded.bias);
        const { gamma, beta, runningMean, runningVar, eps } = options;
        const want = an.batchNorm(Float32Array.from(plain), {
          ...{ shape: [1, O, side, side], runningMean, runningVar, eps, exact: true },
          ...(gamma && { gamma }),
          ...(beta && { beta }),
        });
        // Of each sum the terms are rounded once, and what BatchNorm takes and gives.
        for (const [k, value] of want.entries()) {
          const error = Math.abs(y[k] - value);
          assert.ok(error < 40 * 2 ** -24, `y[${k}]: expected ${value}, got ${y[k]}`);
        }
      });
    });
  }
}

describe('what is given', () => {
  const options = settings('a dense layer, [out][in]', { bias: true, gamma: true, beta: true });
  const want = foldBatchNorm(options);

  test('stays as it is, and may be tensors or have a shape of its own', () => {
    const { weight, shape, outAxis: _, ...rest } = options;
    const before = weight.slice();
    const forms = [
      { weight: { data: weight, shape } },
      { weight: { data: weight, dims: shape } },
      { weight: { data: weight, shape }, shape },
      { weight: an.tensor(shape, weight), runningVar: an.tensor([O], rest.runningVar) },
    ];
    for (const form of forms) {
      assert.deepEqual(foldBatchNorm({ ...rest, ...form }), want);
      form.weight.dispose?.();
      form.runningVar?.dispose();
    }
    assert.deepEqual(weight, before);
    assert.ok(want.weight instanceof Float32Array && want.weight !== weight);
  });

  test('with eps 0 and no variance it is beta, as in inference', () => {
    const runningVar = new Float32Array(O);
    const { weight, bias } = foldBatchNorm({ ...options, runningVar, eps: 0 });
    assert.ok(weight.every((v) => v === 0));
    assert.deepEqual(bias, options.beta);
  });

  test('eps is 1e-5 if left out', () => {
    const { eps: _, ...rest } = options;
    assert.deepEqual(foldBatchNorm(rest), foldBatchNorm({ ...rest, eps: 1e-5 }));
  });

  const wrong = (value) => new Float32Array(O).fill(1).fill(value, 2, 3);
  for (const [change, type, message] of [
    [{ weight: undefined }, TypeError, /^weight: expected Float32Array, .*, got undefined$/],
    [{ weight: [1, 2] }, TypeError, /^weight: expected .*, got Array$/],
    [{ shape: undefined }, TypeError, 'shape: expected the shape of weight, got undefined'],
    [{ shape: [O, I + 1] }, RangeError, 'weight: expected length 16 for shape [4, 4], got 12'],
    [
      { weight: { data: options.weight, shape: [I, O] } },
      RangeError,
      'shape: expected [3, 4] as weight has, got [4, 3]',
    ],
    [{ outAxis: 2 }, RangeError, 'outAxis: expected an axis of shape [4, 3], got 2'],
    [{ outAxis: '0' }, TypeError, "outAxis: expected a number, got '0'"],
    [{ outAxis: 1 }, RangeError, 'runningVar: expected length 3, got 4'],
    [{ eps: -1 }, RangeError, 'eps: expected a finite number >= 0, got -1'],
    [{ runningMean: undefined }, TypeError, /^runningMean: expected .*, got undefined$/],
    [{ runningVar: undefined }, TypeError, /^runningVar: expected .*, got undefined$/],
    [{ runningMean: new Float32Array(3) }, RangeError, 'runningMean: expected length 4, got 3'],
    [{ gamma: new Float32Array(5) }, RangeError, 'gamma: expected length 4, got 5'],
    [{ beta: new Float64Array(4) }, TypeError, /^beta: expected .*, got Float64Array$/],
    [{ bias: 0 }, TypeError, /^bias: expected .*, got 0$/],
    [
      { runningVar: wrong(-1) },
      RangeError,
      'runningVar: expected finite values >= 0, got -1 in channel 2',
    ],
    [
      { runningVar: wrong(NaN) },
      RangeError,
      'runningVar: expected finite values >= 0, got NaN in channel 2',
    ],
    [{ runningVar: wrong(Infinity) }, RangeError, /got Infinity in channel 2$/],
    [{ epsilon: 1 }, TypeError, "foldBatchNorm: unknown option 'epsilon', did you mean 'eps'?"],
  ]) {
    test(`refused: ${message}`, () => {
      const call = () => foldBatchNorm({ ...options, ...change });
      assert.throws(call, { name: type.name, message });
    });
  }

  test('refused: no options', () => {
    const message = 'foldBatchNorm: expected an object of options, got undefined';
    assert.throws(() => foldBatchNorm(), { name: 'TypeError', message });
  });
});
