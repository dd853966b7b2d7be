// The blocks of examples/blocks: what they compute, their gradients, and what they say of themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeepNorm, deepNormCoefficients } from '../../examples/blocks/deep_norm.js';
import { GroupNormActivation } from '../../examples/blocks/group_norm_activation.js';
import { ActivationThenNorm, NormThenActivation } from '../../examples/blocks/norm_placement.js';
import { Activation, Dense } from '../../examples/blocks/parts.js';
import { PostLN } from '../../examples/blocks/post_ln.js';
import { PreLN } from '../../examples/blocks/pre_ln.js';
import { RecurrentCell } from '../../examples/blocks/recurrent_cell.js';
import { SandwichNorm } from '../../examples/blocks/sandwich_norm.js';
import { WeightStandardizedConv } from '../../examples/blocks/weight_standardized.js';
import { meanOf, varianceOf } from '../../examples/program.js';
import { load } from '../../js/index.js';
import { BatchNorm } from '../../js/layers/index.js';
import { randomArray } from '../helpers/random.js';
import * as naive from './support.js';

const an = await load();

/** The parameters of a layer of axisnorm, by name. */
const ofNorm = (name, { weight, bias }) => ({ [`${name}.weight`]: weight, [`${name}.bias`]: bias });

// Residual blocks, around two dense layers with tanh in between.

const [ROWS, WIDTH, INNER] = [5, 6, 7];

class FeedForward {
  constructor() {
    this.up = new Dense(WIDTH, INNER);
    this.down = new Dense(INNER, WIDTH);
    this.tanh = new Activation('tanh');
    this.parameters = { ...ofNorm('up', this.up), ...ofNorm('down', this.down) };
  }

  forward(x) {
    return this.down.forward(this.tanh.forward(this.up.forward(x)));
  }

  backward(dy) {
    return this.up.backward(this.tanh.backward(this.down.backward(dy)));
  }
}

const feedForward = (x, v) => {
  const inner = naive.tanh(naive.linear(x, v['up.weight'], INNER, v['up.bias']));
  return naive.linear(inner, v['down.weight'], WIDTH, v['down.bias']);
};

const layerNorm = (x, v, name) => naive.layerNorm(x, WIDTH, v[`${name}.weight`], v[`${name}.bias`]);

const RESIDUAL = [
  {
    label: 'Pre-LN',
    make: (f) => new PreLN(an, WIDTH, f),
    norms: ['norm'],
    reference: (v) => naive.sum(v.x, feedForward(layerNorm(v.x, v, 'norm'), v)),
  },
  {
    label: 'Post-LN',
    make: (f) => new PostLN(an, WIDTH, f),
    norms: ['norm'],
    reference: (v) => layerNorm(naive.sum(v.x, feedForward(v.x, v)), v, 'norm'),
  },
  {
    label: 'Sandwich-LN',
    make: (f) => new SandwichNorm(an, WIDTH, f),
    norms: ['before', 'after'],
    reference: (v) => {
      const branch = feedForward(layerNorm(v.x, v, 'before'), v);
      return naive.sum(v.x, layerNorm(branch, v, 'after'));
    },
  },
  {
    label: 'DeepNorm',
    make: (f) => new DeepNorm(an, WIDTH, f, 1.75),
    norms: ['norm'],
    reference: (v) => {
      const scaled = v.x.map((value) => 1.75 * value);
      return layerNorm(naive.sum(scaled, feedForward(v.x, v)), v, 'norm');
    },
  },
];

for (const { label, make, norms, reference } of RESIDUAL) {
  test(`${label}: values and gradients`, () => {
    const sublayer = new FeedForward();
    const block = make(sublayer);
    naive.compare({
      label,
      inputs: { x: ROWS * WIDTH },
      parameters: Object.assign(
        { ...sublayer.parameters },
        ...norms.map((name) => ofNorm(name, block[name])),
      ),
      forward: ({ x }) => block.forward(x),
      backward: (dy) => ({ x: block.backward(dy) }),
      reference,
    });
    block.dispose();
  });

  test(`${label}: nothing is left of it in wasm memory`, () => {
    const before = an.memoryUsage().used;
    const block = make(new FeedForward());
    block.backward(block.forward(randomArray(label, ROWS * WIDTH)));
    assert.ok(an.memoryUsage().used > before);
    block.dispose();
    assert.equal(an.memoryUsage().used, before);
  });
}

test('DeepNorm: the coefficients of the published table', () => {
  const near = (got, want) => {
    assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort());
    for (const side of Object.keys(want)) {
      for (const name of ['alpha', 'beta']) {
        const error = Math.abs(got[side][name] / want[side][name] - 1);
        assert.ok(error < 1e-14, `${side}.${name}: ${got[side][name]}, ${want[side][name]}`);
      }
    }
  };
  // (2N)^(1/4) and (8N)^(-1/4), of 18 layers 36^(1/4) and 144^(-1/4)
  const of18 = { alpha: Math.sqrt(6), beta: 1 / Math.sqrt(12) };
  near(deepNormCoefficients({ encoderLayers: 18 }), { encoder: of18 });
  near(deepNormCoefficients({ decoderLayers: 18 }), { decoder: of18 });
  // N = 2, M = 16: N^4 M = 2^8; (3M)^(1/4) and (12M)^(-1/4)
  near(deepNormCoefficients({ encoderLayers: 2, decoderLayers: 16 }), {
    encoder: { alpha: 0.81 * Math.SQRT2, beta: 0.87 / Math.SQRT2 },
    decoder: { alpha: 2 * Math.sqrt(Math.sqrt(3)), beta: 1 / Math.sqrt(8 * Math.sqrt(3)) },
  });
  assert.throws(() => deepNormCoefficients({}), /encoderLayers, decoderLayers or both/);
});

// GroupNorm with an activation; all sizes differ.

const IMAGES = { batch: 2, channels: 6, spatial: 20, groups: 3 };
const LENGTH = 2 * 6 * 20;

for (const [activation, reference] of [
  ['relu', naive.relu],
  ['silu', naive.silu],
]) {
  for (const [layout, shape] of [
    ['NCHW', [2, 6, 4, 5]],
    ['NHWC', [2, 4, 5, 6]],
  ]) {
    const label = `GroupNorm and ${activation}, ${layout}`;
    test(`${label}: values and gradients`, () => {
      const block = new GroupNormActivation(an, IMAGES.groups, IMAGES.channels, activation, {
        layout,
      });
      const sizes = { ...IMAGES, channelsLast: layout === 'NHWC' };
      naive.compare({
        label,
        inputs: { x: LENGTH },
        parameters: ofNorm('norm', block.norm),
        forward: ({ x }) => block.forward(x, { shape }),
        backward: (dy) => ({ x: block.backward(dy) }),
        reference: (v) => reference(naive.groupNorm(v.x, sizes, v['norm.weight'], v['norm.bias'])),
      });
      block.dispose();
    });
  }
}

test('GroupNorm and ReLU: an image does not see the others', () => {
  const block = new GroupNormActivation(an, 3, 6);
  const x = randomArray('alone', LENGTH);
  const together = block.forward(x, { shape: [2, 6, 4, 5] });
  const alone = block.forward(x.slice(0, LENGTH / 2), { shape: [1, 6, 4, 5] });
  assert.deepEqual(alone, together.subarray(0, LENGTH / 2));
  block.dispose();
});

// A convolution with standardized weights.

const CONV = { inputs: 5, outputs: 6, groups: 2, shape: [2, 3, 4, 5] };

test('weight standardization and GroupNorm: values and gradients', () => {
  const { inputs, outputs, groups, shape } = CONV;
  const block = new WeightStandardizedConv(an, inputs, outputs, groups);
  const sizes = { batch: 2, channels: outputs, spatial: 12, groups, channelsLast: true };
  naive.compare({
    label: 'weight standardization',
    inputs: { x: 2 * 12 * inputs },
    parameters: { weight: block.weight, ...ofNorm('norm', block.norm) },
    forward: ({ x }) => block.forward(x, { shape }),
    backward: (dy) => ({ x: block.backward(dy) }),
    reference: (v) => {
      const w = naive.weightStandardize(v.weight, { filters: outputs, fanIn: inputs });
      const h = naive.linear(v.x, w, outputs);
      return naive.groupNorm(h, sizes, v['norm.weight'], v['norm.bias']);
    },
  });
  block.dispose();
});

test('weight standardization: mean and size of a filter do not matter, its gradients add up to 0', () => {
  const { inputs, outputs, groups, shape } = CONV;
  const block = new WeightStandardizedConv(an, inputs, outputs, groups);
  const { data } = block.weight.value;
  data.set(randomArray('filters, w', data.length, (u) => 10 * u)); // eps is nothing beside them
  const x = randomArray('filters, x', 2 * 12 * inputs);
  const y = block.forward(x, { shape });
  block.backward(randomArray('filters, dy', y.length));
  const gradient = block.weight.gradient.data;
  for (let o = 0; o < outputs; o++) {
    const filter = gradient.subarray(o * inputs, (o + 1) * inputs);
    const largest = Math.max(...filter.map(Math.abs));
    assert.ok(largest > 0 && Math.abs(meanOf(filter)) < 1e-6 * largest, `filter ${o}: ${filter}`);
  }
  const filterOf = (i) => Math.floor(i / inputs);
  data.set(data.map((w, i) => (2 + filterOf(i)) * w + 3 - filterOf(i)));
  for (const [i, v] of block.forward(x, { shape }).entries()) {
    assert.ok(Math.abs(v - y[i]) < 1e-5, `y[${i}]: ${y[i]}, then ${v}`);
  }
  block.dispose();
});

// The recurrent cell; all sizes differ.

const CELL = { steps: 4, batch: 3, inputs: 2, hidden: 5 };

test('recurrent cell: values and gradients through time', () => {
  const { steps, batch, inputs, hidden } = CELL;
  const cell = new RecurrentCell(an, inputs, hidden);
  naive.compare({
    label: 'recurrent cell',
    inputs: { x: steps * batch * inputs, h0: batch * hidden },
    parameters: {
      recurrent: cell.recurrent,
      input: cell.input,
      gain: cell.gain,
      bias: cell.bias,
    },
    forward: ({ x, h0 }) => cell.forward(x, h0),
    backward: (dy) => {
      const { dx, dh0 } = cell.backward(dy);
      return { x: dx, h0: dh0 };
    },
    reference: (v) => {
      // Example by example and step by step.
      const y = new Float64Array(steps * batch * hidden);
      for (let b = 0; b < batch; b++) {
        let h = v.h0.slice(b * hidden, (b + 1) * hidden);
        for (let t = 0; t < steps; t++) {
          const at = t * batch + b;
          const x = v.x.slice(at * inputs, (at + 1) * inputs);
          const a = naive.sum(
            naive.linear(h, v.recurrent, hidden),
            naive.linear(x, v.input, hidden),
          );
          h = naive.tanh(naive.layerNorm(a, hidden, v.gain, v.bias));
          y.set(h, at * hidden);
        }
      }
      return y;
    },
  });
});

test('recurrent cell: no step sees a later one, and no example another', () => {
  const { steps, batch, inputs, hidden } = CELL;
  const cell = new RecurrentCell(an, inputs, hidden);
  cell.recurrent.value.data.set(randomArray('cell, Whh', hidden * hidden));
  cell.input.value.data.set(randomArray('cell, Wxh', hidden * inputs));
  const x = randomArray('cell, x', steps * batch * inputs);
  const h0 = randomArray('cell, h0', batch * hidden);
  const y = cell.forward(x, h0);
  for (let t = 0; t < steps; t++) {
    for (let b = 0; b < batch; b++) {
      const at = (t * batch + b) * inputs;
      const moved = cell.forward(
        x.map((v, i) => (i >= at && i < at + inputs ? v + 100 : v)),
        h0,
      );
      const isChanged = (step, example) => {
        const start = (step * batch + example) * hidden;
        return [...y.keys()].some((i) => i >= start && i < start + hidden && y[i] !== moved[i]);
      };
      for (let step = 0; step < steps; step++) {
        for (let example = 0; example < batch; example++) {
          const label = `x[${t}][${b}] on h[${step}][${example}]`;
          assert.equal(isChanged(step, example), example === b && step >= t, label);
        }
      }
    }
  }
});

// Norm before or after the nonlinearity.

const [N, CHANNELS] = [40, 3];
const OPTIONS = { shape: [N, CHANNELS] };
const ORDERS = {
  'norm, then ReLU': (norm, relu) => new NormThenActivation(norm, relu),
  'ReLU, then norm': (norm, relu) => new ActivationThenNorm(relu, norm),
};

for (const [label, make] of Object.entries(ORDERS)) {
  test(`${label}: values and gradients`, () => {
    const norm = new BatchNorm(an, CHANNELS);
    const block = make(norm, new Activation('relu'));
    const batchNorm = (x, v) =>
      naive.batchNorm(
        x,
        { outer: N, channels: CHANNELS, inner: 1 },
        v['norm.weight'],
        v['norm.bias'],
      );
    naive.compare({
      label,
      inputs: { x: N * CHANNELS },
      parameters: ofNorm('norm', norm),
      forward: ({ x }) => block.forward(x, OPTIONS),
      backward: (dy) => ({ x: block.backward(dy) }),
      reference: (v) =>
        label.startsWith('norm') ? naive.relu(batchNorm(v.x, v)) : batchNorm(naive.relu(v.x), v),
    });
    norm.dispose();
  });
}

test('norm placement: what each order does to mean and variance, and to scale and shift of x', () => {
  const norm = new BatchNorm(an, CHANNELS);
  const relu = new Activation('relu');
  const [before, after] = Object.values(ORDERS).map((make) => make(norm, relu));
  const x = randomArray('placement', N * CHANNELS, (u) => 3 * u + 0.5);
  const channelsOf = (y) =>
    Array.from({ length: CHANNELS }, (_, c) => y.filter((_, i) => i % CHANNELS === c));
  const close = (got, want, label) => assert.ok(Math.abs(got - want) < 1e-4, `${label}: ${got}`);

  const y = before.forward(x, OPTIONS);
  for (const [c, got] of channelsOf(relu.x).entries()) {
    close(meanOf(got), 0, 'mean in front of ReLU');
    close(varianceOf(got), 1, 'variance in front of ReLU');
    const behind = channelsOf(y)[c];
    close(meanOf(behind), meanOf(got.map(Math.abs)) / 2, 'mean behind ReLU');
    assert.ok(varianceOf(behind) < 1, 'variance behind ReLU');
    assert.equal(Math.min(...behind), 0);
  }

  const z = after.forward(x, OPTIONS);
  for (const got of channelsOf(z)) {
    close(meanOf(got), 0, 'mean behind the norm');
    close(varianceOf(got), 1, 'variance behind the norm');
    assert.ok(Math.min(...got) < 0);
  }

  const moved = x.map((v) => 3 * v + 7);
  for (const [i, v] of before.forward(moved, OPTIONS).entries()) close(v, y[i], `y[${i}]`);
  for (const [i, v] of after
    .forward(
      x.map((v) => 3 * v),
      OPTIONS,
    )
    .entries()) {
    close(v, z[i], `z[${i}], scaled`);
  }
  assert.ok(after.forward(moved, OPTIONS).some((v, i) => Math.abs(v - z[i]) > 0.1));
  norm.dispose();
});
