// Ten layers deep: forward and backward against the same stack in float64, norms by the oracle.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { depthCode } from '../../demo/figures/depth/code.js';
import {
  BINS,
  histogram,
  INITS,
  LAYERS,
  NORMS,
  PLACES,
  product,
  productBack,
  ROWS,
  rootMeanSquare,
  runLayers,
  summary,
  weightGradient,
} from '../../demo/figures/depth/model.js';
import { powers, ticks } from '../../demo/shared/axis.js';
import { gaussian, random } from '../../demo/shared/random.js';
import { load } from '../../js/index.js';
import { runListing } from '../browser/listing.js';
import * as oracle from '../helpers/oracle.js';
import { randomArray } from '../helpers/random.js';

const an = await load();
const eps = 1e-5;
const width = 16;

/** To its end, without pauses. */
function finish(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

const AXES = {
  batch: () => oracle.batchNormAxes({ outer: ROWS, channels: width, inner: 1 }),
  layer: () => oracle.layerNormAxes({ rows: ROWS, cols: width }),
  rms: () => oracle.rmsNormAxes({ rows: ROWS, cols: width }),
  group: () => oracle.groupNormAxes({ batch: ROWS, channels: width, spatial: 1, groups: 4 }),
};

/** A norm in float64. */
function normOf(name) {
  if (name === 'none') return (x) => ({ y: x, back: (dy) => dy });
  const axes = AXES[name]();
  const center = name !== 'rms';
  return (x) => {
    const stats = oracle.statistics(axes, x, { eps, center });
    return {
      y: oracle.forward(axes, { x }, stats).y,
      back: (dy) => oracle.backward(axes, { dy, x }, stats, { center }).dx,
    };
  };
}

/** The stack in float64; ReLU's slope at 0 is 0. */
function expected({ init, norm, place }) {
  const { bound, hasBias } = INITS[init];
  const uniform = random(20);
  const draw = (length) =>
    Array.from({ length }, () => Math.fround(bound(width) * (2 * uniform() - 1)));
  const normal = gaussian(21);
  const noise = () => Float64Array.from({ length: ROWS * width }, () => Math.fround(normal()));
  const [input, dy] = [noise(), noise()];
  const normalize = normOf(norm);
  const relu = (x) => ({
    y: x.map((v) => Math.max(v, 0)),
    back: (d) => d.map((v, i) => (x[i] > 0 ? v : 0)),
  });
  const layers = [];
  let x = input;
  for (let l = 0; l < LAYERS; l++) {
    const w = draw(width * width);
    const bias = hasBias ? draw(width) : new Array(width).fill(0);
    const z = new Float64Array(ROWS * width);
    for (let i = 0; i < z.length; i++) {
      const [r, o] = [Math.floor(i / width), i % width];
      z[i] = bias[o];
      for (let k = 0; k < width; k++) z[i] += x[r * width + k] * w[o * width + k];
    }
    const steps = place === 'before' ? [normalize, relu] : [relu, normalize];
    const backs = [];
    let y = z;
    for (const step of steps) {
      const done = step(y);
      y = done.y;
      backs.unshift(done.back);
    }
    layers.push({ w, x, y, backs, ...summary(y) });
    x = y;
  }
  let d = dy;
  for (const layer of layers.toReversed()) {
    for (const back of layer.backs) d = back(d);
    const [dw, dx] = [new Float64Array(width * width), new Float64Array(ROWS * width)];
    for (let r = 0; r < ROWS; r++) {
      for (let o = 0; o < width; o++) {
        for (let k = 0; k < width; k++) {
          dw[o * width + k] += d[r * width + o] * layer.x[r * width + k];
          dx[r * width + k] += d[r * width + o] * layer.w[o * width + k];
        }
      }
    }
    layer.weightGradient = rootMeanSquare(dw);
    layer.gradient = rootMeanSquare(dx);
    d = dx;
  }
  return layers;
}

const NUMBERS = ['spread', 'gradient', 'weightGradient'];

for (const init of Object.keys(INITS)) {
  for (const norm of Object.keys(NORMS)) {
    for (const place of norm === 'none' ? ['before'] : Object.keys(PLACES)) {
      test(`${init} weights, ${norm} norm, ${place} the ReLU`, () => {
        const state = { width, init, norm, place };
        const { layers } = finish(runLayers(an, state));
        const want = expected(state);
        assert.equal(layers.length, LAYERS);
        layers.forEach((layer, i) => {
          const label = `layer ${i + 1}`;
          const off = Math.abs(layer.mean - want[i].mean);
          assert.ok(off <= 1e-3 * want[i].spread, `${label}: mean ${layer.mean}`);
          for (const name of NUMBERS) {
            const ratio = layer[name] / want[i][name];
            assert.ok(Math.abs(ratio - 1) < 0.01, `${label}, ${name}: ${ratio}`);
          }
          assert.ok(Math.abs(layer.shares.reduce((a, b) => a + b) - 1) < 1e-9, label);
        });
      });
    }
  }
}

test('what the figure says: default weights shrink, large ones explode, norms hold', () => {
  const run = (state) => finish(runLayers(an, { width: 64, place: 'before', ...state })).layers;
  const spread = (state) => run(state).map((layer) => layer.spread);
  const faded = run({ init: 'default', norm: 'none' });
  assert.ok(faded[9].spread < 0.2 * faded[0].spread);
  assert.ok(faded[0].gradient < 1e-3);
  const exploded = spread({ init: 'large', norm: 'none' });
  assert.ok(exploded[9] > 100 * exploded[0]);
  for (const norm of ['batch', 'layer', 'rms', 'group']) {
    for (const init of Object.keys(INITS)) {
      for (const v of spread({ init, norm })) assert.ok(v > 0.4 && v < 0.8, `${norm}: ${v}`);
    }
  }
});

describe('products', () => {
  test('each is the gradient of the other', () => {
    const [rows, n] = [3, 8];
    const x = randomArray('x', rows * n);
    const w = randomArray('w', n * n);
    const dy = randomArray('dy', rows * n);
    const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
    const loss = dot(finish(product(x, w, undefined, n)), dy);
    assert.ok(Math.abs(dot(finish(productBack(dy, w, n)), x) - loss) < 1e-5);
    assert.ok(Math.abs(dot(finish(weightGradient(dy, x, n)), w) - loss) < 1e-5);
  });

  test('a pause comes at least every 2¹⁸ multiplications', () => {
    let pauses = 0;
    const work = product(new Float32Array(64 * 256), new Float32Array(256 * 256), undefined, 256);
    while (!work.next().done) pauses++;
    assert.equal(pauses, 16);
  });
});

describe('statistics', () => {
  test('no square is lost', () => {
    assert.ok(Math.abs(rootMeanSquare([3e200, -3e200]) / 3e200 - 1) < 1e-12);
    assert.ok(Math.abs(rootMeanSquare([3e-200, -3e-200]) / 3e-200 - 1) < 1e-12);
    assert.equal(rootMeanSquare([0, 0]), 0);
  });

  test('a histogram counts everything once, what is outside at its ends', () => {
    const shares = histogram([-9, -0.01, 0.01, 9], 3);
    assert.equal(shares.length, BINS);
    assert.deepEqual([shares[0], shares[(BINS - 1) / 2], shares.at(-1)], [0.25, 0.5, 0.25]);
  });
});

test('the listing logs what the figure shows', async () => {
  for (const state of [
    { width, init: 'default', norm: 'none', place: 'before' },
    { width, init: 'he', norm: 'batch', place: 'before' },
    { width, init: 'large', norm: 'group', place: 'after' },
    { width, init: 'he', norm: 'rms', place: 'after' },
    { width, init: 'default', norm: 'layer', place: 'before' },
  ]) {
    const [spreads] = await runListing(depthCode(state).js);
    const { layers } = finish(runLayers(an, state));
    spreads.forEach((v, i) => {
      assert.ok(Math.abs(v / layers[i].spread - 1) < 1e-4, `${state.norm} ${i}: ${v}`);
    });
  }
});

test('axes have round numbers', () => {
  assert.deepEqual(ticks(0, 5, 5), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ticks(0, 0.1, 5).length, 6);
  assert.deepEqual(powers(0.01, 100), [0.01, 0.1, 1, 10, 100]);
  assert.ok(powers(1e-12, 1e3).length <= 6);
});
