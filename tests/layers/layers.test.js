// A layer does, to the bit, what the function does that it stands for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sameBits } from '../helpers/bits.js';
import { product } from '../helpers/suite.js';
import { builds, fill, inputs, VARIANTS, valuesOf, variant } from './support.js';

/** Ways to hand over an array: what it becomes, and the options that go with it. */
const FORMS = {
  'flat, with a shape': (_, values, shape) => [values, { shape }],
  '{ data, shape }': (_, data, shape) => [{ data, shape }, {}],
  '{ data, dims }': (_, data, dims) => [{ data, dims }, {}],
  'a tensor': (tensor, values, shape) => [tensor(shape, values), {}],
  'a flat tensor, with a shape': (tensor, values, shape) => [
    tensor([values.length], values),
    { shape },
  ],
};

/** What the functions give with the values that the layer has. */
function expected(an, { operation, settings }, layer, { x, dy }, shape) {
  const { gamma, beta, dgamma, dbeta, runningMean, runningVar } = valuesOf(layer);
  const parameters = { ...(gamma && { gamma }), ...(beta && { beta }) };
  const running = runningMean && { runningMean, runningVar };
  const training = operation === 'batchNorm' ? { training: layer.training || !running } : {};
  const f = an[operation].forward(x, {
    ...{ shape, ...settings, ...parameters, ...running, ...training },
  });
  const gradients = { ...(dgamma && { dgamma }), ...(dbeta && { dbeta }) };
  const { dx } = an[operation].backward(dy, {
    ...{ ...f, x, ...parameters, out: gradients, accumulate: true },
    outputs: ['dx', ...Object.keys(gradients)],
  });
  return { y: f.y, dx, ...gradients, ...running };
}

/** Forward and backward of the layer: the results, and what the layer then has. */
function results(layer, { x, dy }, shape, form, tensor) {
  const [input, options] = FORMS[form](tensor, x, shape);
  const [upstream] = FORMS[form](tensor, dy, shape);
  const y = layer.forward(input, options);
  const dx = layer.backward(upstream);
  const isTensor = form.includes('tensor');
  for (const result of [y, dx]) assert.equal(result instanceof Float32Array, !isTensor);
  if (isTensor) assert.deepEqual(y.shape, shape);
  const { gamma, beta, ...written } = valuesOf(layer);
  const got = { y: y.slice(), dx: dx.slice(), ...written };
  return { got, used: isTensor ? [input, upstream, y, dx] : [] };
}

function expectSame(got, want, label) {
  assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort(), label);
  for (const name of Object.keys(want)) sameBits(got[name], want[name], `${label}: ${name}`);
}

/** Where tensors are made: by the caller, or by a scope that ends after backward. */
const PLACES = {
  'without a scope': (an, run) => run(an.tensor),
  'in a scope': (an, run) => an.scope((s) => run((...args) => s.tensor(...args))),
};

for (const an of builds) {
  describe(an.build, () => {
    for (const [name, one] of Object.entries(VARIANTS)) {
      for (const [place, within] of Object.entries(PLACES)) {
        test(`${name}: in every form, in training and in inference, ${place}`, () => {
          const layer = fill(one.make(an), name);
          for (const { shape, form, training } of product({
            shape: one.shapes,
            form: Object.keys(FORMS),
            training: [true, false],
          })) {
            layer.train(training);
            const label = `${name} [${shape}] ${form}`;
            const values = inputs(label, shape);
            const want = expected(an, one, layer, values, shape);
            const { got, used } = within(an, (tensor) =>
              results(layer, values, shape, form, tensor),
            );
            expectSame(got, want, label);
            for (const tensor of used) tensor.dispose();
          }
          layer.dispose();
        });
      }
    }
  });
}

for (const name of ['BatchNorm', 'GroupNorm', 'InstanceNorm']) {
  test(`${name}: a mask is for backward, too`, () => {
    const [an] = builds;
    const one = variant(name);
    const shape = [3, 4, 5];
    const values = inputs('mask', shape);
    for (const mask of [
      { lengths: [5, 2, 3] },
      { mask: [5, 4, 3, 2, 1].flatMap((n) => [1, 0, +(n > 2)]) },
    ]) {
      const layer = fill(one.make(an), name);
      const want = expected(
        an,
        { ...one, settings: { ...one.settings, ...mask } },
        layer,
        values,
        shape,
      );
      const y = layer.forward(values.x, { shape, ...mask });
      const dx = layer.backward(values.dy);
      const { gamma, beta, ...got } = valuesOf(layer);
      expectSame({ y, dx, ...got }, want, name);
      layer.dispose();
    }
  });
}

describe('gradients', () => {
  for (const name of ['LayerNorm', 'RMSNorm', 'BatchNorm', 'GroupNorm']) {
    test(`${name}: are added up until zeroGrad`, () => {
      const [an] = builds;
      const one = variant(name);
      const [shape] = one.shapes;
      const layer = fill(one.make(an), name);
      const values = inputs(name, shape);
      const start = layer.parameters().map(({ gradient }) => gradient.slice());
      assert.ok(start.every((gradient) => gradient.every((v) => v === 0)));
      for (let pass = 0; pass < 3; pass += 1) {
        const want = expected(an, one, layer, values, shape);
        layer.forward(values.x, { shape });
        layer.backward(values.dy);
        const { gamma, beta, ...got } = valuesOf(layer);
        expectSame({ ...got, y: want.y, dx: want.dx }, want, `pass ${pass}`);
      }
      layer.zeroGrad();
      for (const { gradient } of layer.parameters())
        assert.ok(gradient.slice().every((v) => v === 0));
      layer.dispose();
    });
  }

  test('a second backward of the same forward gives the same dx', () => {
    for (const one of Object.values(VARIANTS)) {
      const [shape] = one.shapes;
      const layer = fill(one.make(builds[0]), 'twice');
      const { x, dy } = inputs('twice', shape);
      layer.forward(x, { shape });
      const first = layer.backward(dy);
      sameBits(layer.backward(dy), first, 'dx');
      layer.dispose();
    }
  });
});

describe('parameters', () => {
  /** name -> first values of weight and bias */
  const START = [
    ['LayerNorm', {}, { weight: 1, bias: 0 }],
    ['LayerNorm', { bias: false }, { weight: 1 }],
    ['LayerNorm', { elementwiseAffine: false }, {}],
    ['RMSNorm', {}, { weight: 1 }],
    ['RMSNorm', { gammaOffset: 1 }, { weight: 0 }],
    ['RMSNorm', { elementwiseAffine: false }, {}],
    ['BatchNorm', {}, { weight: 1, bias: 0 }],
    ['BatchNorm', { affine: false }, {}],
    ['GroupNorm', {}, { weight: 1, bias: 0 }],
    ['GroupNorm', { affine: false }, {}],
    ['InstanceNorm', {}, {}],
    ['InstanceNorm', { affine: true }, { weight: 1, bias: 0 }],
  ];

  for (const [name, options, want] of START) {
    test(`${name} ${JSON.stringify(options)}`, () => {
      const layer = variant(name, options).make(builds[0]);
      const parameters = layer.parameters();
      assert.deepEqual(
        parameters.map((one) => one.name),
        Object.keys(want),
      );
      for (const { name: own, value, gradient } of parameters) {
        assert.equal(layer[own].value, value);
        assert.ok(value.slice().every((v) => v === want[own]));
        assert.deepEqual(gradient.shape, value.shape);
      }
      for (const own of ['weight', 'bias']) assert.equal(layer[own] === null, !(own in want));
      layer.dispose();
    });
  }
});
