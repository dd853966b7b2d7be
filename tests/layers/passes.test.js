// The order of calls, where results go, and what is refused before anything is written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InstanceNorm } from '../../js/layers/index.js';
import { sameBits } from '../helpers/bits.js';
import { assertRefused } from '../js/support.js';
import {
  builds,
  CLASSES,
  fill,
  inputs,
  tensorsOf,
  VARIANTS,
  valuesOf,
  variant,
} from './support.js';

const [an] = builds;

/** A layer of a class, with arrays for it. */
function ready(name) {
  const one = variant(name);
  const [shape] = one.shapes;
  const layer = fill(one.make(an), name);
  return { layer, shape, ...inputs(name, shape) };
}

const afterForward = (name) => {
  const all = ready(name);
  const y = all.layer.forward(all.x, { shape: all.shape });
  return { ...all, y };
};

const missing = (what) => ({ name: 'ReferenceError', message: what });

for (const name of CLASSES) {
  describe(name, () => {
    test('backward comes after forward', () => {
      const { layer, dy } = ready(name);
      const error = missing(`${name}.backward: expected a forward call before it`);
      assert.throws(() => layer.backward(dy), error);
      layer.dispose();
    });

    test('y and dx go to out, which is what is returned', () => {
      const { layer, shape, x, dy, y } = afterForward(name);
      const dx = layer.backward(dy);
      const out = new Float32Array(x.length);
      assert.equal(layer.forward(x, { shape, out }), out);
      sameBits(out, y, 'y');
      assert.equal(layer.backward(dy, { out }), out);
      sameBits(out, dx, 'dx');
      const over = dy.slice();
      assert.equal(layer.backward(over, { out: over }), over);
      sameBits(over, dx, 'dx over dy');
      layer.dispose();
    });

    test('y over x is right, and has no backward until the next forward', () => {
      const { layer, shape, x, dy, y } = afterForward(name);
      const whole = new Float32Array(x.length + 3);
      const part = whole.subarray(0, x.length);
      const tensor = an.tensor(shape);
      for (const [input, out] of [
        [part, part],
        [part, whole.subarray(3)],
        [{ data: part, shape }, part],
        [tensor, tensor],
      ]) {
        (input.data ?? input).set(x);
        sameBits(layer.forward(input, { shape, out }).slice(), y, 'y');
        const error = `${name}.backward: expected an x that forward has not overwritten`;
        assert.throws(() => layer.backward(dy), missing(error));
      }
      layer.forward(x, { shape });
      assert.equal(layer.backward(dy).length, x.length);
      layer.dispose();
      tensor.dispose();
    });

    test('dx over x is right, and has no second backward', () => {
      const { layer, shape, x, dy } = afterForward(name);
      const dx = layer.backward(dy);
      const tensor = an.tensor(shape);
      for (const over of [x.slice(), tensor]) {
        over.set(x);
        layer.forward(over, { shape });
        sameBits(layer.backward(dy, { out: over }).slice(), dx, 'dx');
        const error = `${name}.backward: expected an x that backward has not overwritten`;
        assert.throws(() => layer.backward(dy), missing(error));
      }
      layer.dispose();
      tensor.dispose();
    });

    test('a forward that is refused leaves the last one to go back from', () => {
      const { layer, shape, x, dy } = afterForward(name);
      const dx = layer.backward(dy);
      assert.throws(() => layer.forward(x.subarray(1), { shape }), RangeError);
      assert.throws(() => layer.forward(x, { shape, out: x.subarray(1) }), RangeError);
      sameBits(layer.backward(dy), dx, 'dx');
      layer.dispose();
    });

    test('train and eval return the layer', () => {
      const { layer } = ready(name);
      assert.equal(layer.training, true);
      for (const [call, training] of [
        [() => layer.eval(), false],
        [() => layer.train(), true],
        [() => layer.train(false), false],
        [() => layer.train(true), true],
      ]) {
        assert.equal(call(), layer);
        assert.equal(layer.training, training);
      }
      layer.dispose();
    });
  });
}

test('a view of a tensor: y is right though memory grows meanwhile, and then there is no backward', () => {
  const { total, used } = an.memoryUsage();
  // There is room for x, but not for another of its size.
  const shape = [Math.floor((0.6 * (total - used)) / 24), 6];
  const { x } = inputs('view', shape);
  const layer = variant('LayerNorm').make(an);
  const tensor = an.tensor(shape, x);
  const out = new Float32Array(x.length);
  layer.forward(tensor.data, { shape, out });
  assert.ok(an.memoryUsage().total > total, 'memory has not grown');
  const message = /^x: expected Float32Array.* got an array whose memory was taken away$/;
  assert.throws(() => layer.backward(out), { name: 'TypeError', message });
  sameBits(out, layer.forward(x, { shape }), 'y');
  tensor.dispose();
  layer.dispose();
});

describe('x of another number of channels', () => {
  const withChannels = Object.entries(VARIANTS).filter(([name]) => !/^(LayerNorm|RMS)/.test(name));

  for (const [name, one] of withChannels) {
    test(`${name}: is refused before anything is written`, () => {
      const layer = fill(one.make(an), name);
      const where = one.settings.channelAxis ?? (/N.+C$/.test(one.settings.layout) ? -1 : 1);
      const [right] = one.shapes;
      // A multiple of the groups, which the function would take.
      const wrong = right.with(where, 6);
      const { x } = inputs('channels', wrong);
      const out = new Float32Array(x.length);
      const message = `x: expected 4 channels, got 6 in shape [${wrong.join(', ')}]`;
      const tensor = an.tensor(wrong, x);
      for (const training of [true, false]) {
        layer.train(training);
        for (const [input, options] of [
          [x, { shape: wrong }],
          [{ data: x, shape: wrong }, {}],
          [{ data: x, dims: wrong }, {}],
          [tensor, {}],
        ]) {
          const call = () => layer.forward(input, { ...options, out });
          const arrays = [x, out, tensor, ...Object.values(tensorsOf(layer))];
          assertRefused(arrays, call, RangeError, message);
        }
      }
      assert.equal(layer.numBatchesTracked ?? 0, 0);
      tensor.dispose();
      layer.dispose();
    });
  }
});

test('rows of another size are refused', () => {
  for (const name of ['LayerNorm', 'RMSNorm']) {
    const { layer } = ready(name);
    const message = 'normalizedShape: expected trailing axes of shape [2, 5], got [6]';
    const { x } = inputs('rows', [2, 5]);
    const arrays = [x, ...Object.values(tensorsOf(layer))];
    assertRefused(arrays, () => layer.forward(x, { shape: [2, 5] }), RangeError, message);
    layer.dispose();
  }
});

test('a dy that does not fit is refused, and no gradient has changed', () => {
  for (const name of CLASSES) {
    const { layer, dy } = afterForward(name);
    layer.backward(dy);
    const before = valuesOf(layer);
    assert.throws(() => layer.backward(dy.subarray(1)), RangeError);
    assert.throws(() => layer.backward(dy, { out: dy.subarray(1) }), RangeError);
    assert.deepEqual(valuesOf(layer), before);
    layer.dispose();
  }
});

test('options that are inherited count as well', () => {
  const x = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 9);
  const layer = new InstanceNorm(an, 2);
  const options = Object.create({ shape: [1, 2, 4], lengths: [2] });
  assert.deepEqual(layer.forward(x, options), an.instanceNorm(x, options));
  layer.dispose();
});
