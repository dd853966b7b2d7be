// What layers take of wasm memory, and that they give it back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builds, CLASSES, fill, inputs, tensorsOf, VARIANTS, variant } from './support.js';

const FREED = { name: 'ReferenceError', message: 'tensor: used after it was freed' };

for (const an of builds) {
  const used = () => an.memoryUsage().used;

  describe(an.build, () => {
    for (const [name, one] of Object.entries(VARIANTS)) {
      test(`${name}: a thousand passes without a scope take no more than one`, () => {
        const before = used();
        const [shape] = one.shapes;
        const values = inputs('memory', shape);
        const [x, dy] = [an.tensor(shape, values.x), an.tensor(shape, values.dy)];
        const [y, dx] = [an.tensor(shape), an.tensor(shape)];
        const layer = fill(one.make(an), 'memory');
        const pass = (i) => {
          layer.train(i % 3 !== 0);
          if (i % 2 === 0) {
            layer.forward(x, { out: y });
            layer.backward(dy, { out: dx });
          } else {
            layer.forward(x).dispose();
            layer.backward(dy).dispose();
          }
        };
        pass(2);
        const after = used();
        for (let i = 0; i < 999; i += 1) pass(i);
        pass(2);
        assert.equal(used(), after);
        layer.dispose();
        for (const tensor of [x, dy, y, dx]) tensor.dispose();
        assert.equal(used(), before);
      });

      test(`${name}: a scope ends, and the layer keeps the statistics of its last forward`, () => {
        const before = used();
        const [shape] = one.shapes;
        const layer = one.make(an);
        const left = [];
        for (let i = 0; i < 3; i += 1) {
          an.scope((s) => {
            const x = s.tensor(shape, inputs('scope', shape).x);
            layer.forward(x);
            layer.backward(x);
          });
          left.push(used());
        }
        assert.deepEqual(left, [left[0], left[0], left[0]]);
        layer.dispose();
        assert.equal(used(), before);
      });
    }

    for (const name of CLASSES) {
      test(`${name}: in place, and refused, nothing is left over either`, () => {
        const one = variant(name);
        const [shape] = one.shapes;
        const layer = one.make(an);
        const x = an.tensor(shape, inputs('in place', shape).x);
        const before = used();
        for (let i = 0; i < 3; i += 1) {
          layer.forward(x, { out: x });
          assert.throws(() => layer.forward(x, { out: an }), TypeError);
        }
        assert.equal(used(), before);
        const y = layer.forward(x);
        layer.backward(y, { out: x });
        y.dispose();
        assert.equal(used(), before);
        layer.dispose();
        x.dispose();
      });
    }
  });
}

const [an] = builds;
const used = () => an.memoryUsage().used;

test('a layer made in a scope outlives it', () => {
  for (const one of Object.values(VARIANTS)) {
    const [shape] = one.shapes;
    const layer = an.scope(() => one.make(an));
    assert.equal(layer.forward(inputs('outlives', shape).x, { shape }).length > 0, true);
    layer.dispose();
  }
});

test('a scope that forward ran in may have ended when backward runs', () => {
  const layer = variant('LayerNorm').make(an);
  const x = an.tensor([2, 6], inputs('over', [2, 6]).x);
  layer.forward(x);
  const want = layer.backward(x).slice();
  an.scope(() => layer.forward(x));
  assert.deepEqual(layer.backward(x).slice(), want);
  layer.dispose();
  assert.throws(() => layer.backward(x), ReferenceError);
  x.dispose();
});

describe('dispose', () => {
  for (const [name, one] of Object.entries(VARIANTS)) {
    test(`${name}: ends the layer, and a second time does nothing`, () => {
      const before = used();
      const [shape] = one.shapes;
      const { x, dy } = inputs('dispose', shape);
      const layer = one.make(an);
      const tensors = Object.values(tensorsOf(layer));
      const input = an.tensor(shape, x);
      layer.forward(input).dispose();
      layer.dispose();
      input.dispose();
      layer.dispose();
      assert.equal(used(), before);
      const class_ = layer.constructor.name;
      const error = (pass) => ({
        name: 'ReferenceError',
        message: `${class_}.${pass}: expected a layer that is not disposed of`,
      });
      assert.throws(() => layer.forward(x, { shape }), error('forward'));
      assert.throws(() => layer.backward(dy), error('backward'));
      for (const tensor of tensors) assert.throws(() => tensor.data, FREED);
      if (tensors.length > 0) assert.throws(() => layer.stateDict(), FREED);
    });
  }
});

describe('a constructor that runs out of memory', () => {
  const options = { InstanceNorm: { affine: true } };

  for (const name of CLASSES) {
    test(`${name}: gives back what it has got, whichever tensor fails`, () => {
      const { make } = variant(name, options[name]);
      const layer = make(an);
      const count = Object.keys(tensorsOf(layer)).length;
      layer.dispose();
      const before = used();
      const error = new RangeError('memory');
      for (let failing = 0; failing <= count; failing += 1) {
        let made = 0;
        const tensor = (...args) => {
          if (made === failing) throw error;
          made += 1;
          return an.tensor(...args);
        };
        if (failing === count) make({ ...an, tensor }).dispose();
        else
          assert.throws(
            () => make({ ...an, tensor }),
            (thrown) => thrown === error,
          );
        assert.equal(made, failing);
        assert.equal(used(), before);
      }
    });
  }
});
