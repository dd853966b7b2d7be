// Models: what is refused, what is allocated and freed, and how parameters start.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/train/index.js';
import { builds, SMALL } from './support.js';

const [t] = builds;
const SIZES = { vocabulary: 8, tokens: 15 };

/** Runs fn and checks that it throws this and allocates nothing. */
function refused(fn, name, message) {
  const before = t.memoryUsage();
  assert.throws(fn, { name, message });
  assert.deepEqual(t.memoryUsage(), before);
}

describe('what does not fit is refused before anything is allocated', () => {
  const CASES = [
    [{ depth: 0 }, 'depth: expected a whole number from 1 to 24, got 0'],
    [{ depth: 25 }, 'depth: expected a whole number from 1 to 24, got 25'],
    [{ depth: 1.5 }, 'depth: expected a whole number from 1 to 24, got 1.5'],
    [{ depth: NaN }, 'depth: expected a whole number from 1 to 24, got NaN'],
    [{ heads: 5 }, 'heads: expected a divisor of width 32, got 5'],
    [{ heads: 0 }, 'heads: expected a whole number from 1 to 32, got 0'],
    [{ width: 0 }, 'width: expected a whole number from 1 to 1024, got 0'],
    [{ batch: 0 }, 'batch: expected a whole number from 1 to 1024, got 0'],
    [{ seed: -1 }, 'seed: expected a whole number from 0 to 4294967295, got -1'],
    [{ vocabulary: 1 }, 'vocabulary: expected a whole number from 2 to 65536, got 1'],
    [{ tokens: 2000 }, 'tokens: expected a whole number from 1 to 1024, got 2000'],
    [
      { placement: 'before' },
      "placement: expected 'post', 'pre', 'sandwich', 'deepnorm' or 'none', got 'before'",
    ],
    [{ norm: 'batch' }, "norm: expected 'layer' or 'rms', got 'batch'"],
    [{ activation: 'tanh' }, "activation: expected 'relu' or 'gelu', got 'tanh'"],
  ];
  for (const [options, message] of CASES) {
    test(message, () =>
      refused(() => t.transformer({ ...SIZES, ...options }), 'RangeError', message),
    );
  }

  const WRONG_KIND = [
    [{ depth: '8' }, "depth: expected a whole number from 1 to 24, got '8'"],
    [{ finalNorm: 1 }, 'finalNorm: expected true or false, got 1'],
    [{ norm: null }, "norm: expected 'layer' or 'rms', got null"],
    [
      { vocabulary: undefined },
      'vocabulary: expected a whole number from 2 to 65536, got undefined',
    ],
    [{ layers: 3 }, "transformer: unknown option 'layers'"],
    [{ dept: 3 }, "transformer: unknown option 'dept', did you mean 'depth'?"],
  ];
  for (const [options, message] of WRONG_KIND) {
    test(message, () =>
      refused(() => t.transformer({ ...SIZES, ...options }), 'TypeError', message),
    );
  }

  test('no options at all', () => {
    refused(
      () => t.transformer(),
      'TypeError',
      'transformer: expected an object of options, got undefined',
    );
  });
});

describe('tokens and targets', () => {
  const make = () => t.transformer(SMALL);
  const length = SMALL.batch * SMALL.tokens;

  test('of the wrong kind, number or range are refused', () => {
    const model = make();
    const ids = new Uint32Array(length);
    const wrong = (fn, name, message) => assert.throws(fn, { name, message });
    wrong(() => model.forward([0]), 'TypeError', 'ids: expected a Uint32Array, got Array');
    wrong(
      () => model.forward(new Uint32Array(3)),
      'RangeError',
      `ids: expected length ${length}, got 3`,
    );
    ids[4] = 5;
    wrong(() => model.forward(ids), 'RangeError', 'ids: expected whole numbers less than 5, got 5');
    wrong(() => model.loss(), 'Error', 'loss: expected forward() before it');
    ids[4] = 4;
    model.forward(ids);
    wrong(() => model.loss(ids), 'TypeError', 'targets: expected an Int32Array, got Uint32Array');
    const targets = new Int32Array(length);
    targets[2] = -2;
    wrong(() => model.loss(targets), 'RangeError', 'targets: expected -1 or less than 5, got -2');
    wrong(() => model.backward(), 'Error', 'backward: expected loss() before it');
    targets[2] = -1;
    model.loss(targets);
    model.backward();
    model.dispose();
  });

  test('no target that counts: no loss, no gradient', () => {
    const model = make();
    model.forward(new Uint32Array(length));
    const { loss, counted, correct } = model.loss(new Int32Array(length).fill(-1));
    assert.deepEqual({ loss, counted, correct }, { loss: 0, counted: 0, correct: 0 });
    model.backward();
    for (const { name, gradient } of model.parameters)
      assert.ok(
        gradient.every((g) => g === 0),
        name,
      );
    model.dispose();
  });
});

describe('memory', () => {
  test('a model has all of it from the start and gives all of it back', () => {
    const before = t.memoryUsage().used;
    const model = t.transformer({ ...SIZES, depth: 3 });
    const trainer = t.trainer(model);
    const { used } = t.memoryUsage();
    assert.ok(used > before);
    for (let i = 0; i < 3; i++) trainer.step();
    trainer.evaluate(1);
    t.probe(model, { losses: 2 });
    assert.equal(t.memoryUsage().used, used);
    trainer.dispose();
    trainer.dispose();
    assert.ok(t.memoryUsage().used < used);
    model.dispose();
    model.dispose();
    assert.equal(t.memoryUsage().used, before);
  });

  test('nothing can be used after dispose()', () => {
    const model = t.transformer(SMALL);
    const [parameter] = model.parameters;
    const trained = t.transformer({ ...SIZES, depth: 1 });
    const trainer = t.trainer(trained);
    const other = t.trainer(trained);
    other.dispose();
    const gone = (fn, what) =>
      assert.throws(fn, { name: 'ReferenceError', message: `${what}: used after it was disposed` });
    gone(() => other.step(), 'trainer');
    trainer.step();
    trained.dispose();
    gone(() => trainer.step(), 'trainer');
    gone(() => trainer.evaluate(), 'trainer');
    model.dispose();
    gone(() => model.forward(), 'transformer');
    gone(() => model.loss(), 'transformer');
    gone(() => model.backward(), 'transformer');
    gone(() => model.ids, 'transformer');
    gone(() => model.logits, 'transformer');
    gone(() => parameter.values, 'transformer');
    gone(() => parameter.gradient, 'transformer');
    gone(() => t.trainer(trained), 'transformer');
    gone(() => t.probe(trained), 'transformer');
  });

  test('a model that does not fit leaves nothing behind', async () => {
    const { Heap } = await import('../../js/heap.js');
    const before = t.memoryUsage().used;
    const { alloc } = Heap.prototype;
    let left = 20;
    Heap.prototype.alloc = function (bytes) {
      if (--left < 0) throw new RangeError('memory: no more');
      return alloc.call(this, bytes);
    };
    try {
      assert.throws(() => t.transformer(SMALL), /memory: no more/);
    } finally {
      Heap.prototype.alloc = alloc;
    }
    assert.equal(t.memoryUsage().used, before);
  });

  test('views are renewed when another model makes the memory grow', () => {
    const model = t.transformer(SMALL);
    const [parameter] = model.parameters;
    const { values } = parameter;
    const copy = values.slice();
    const total = t.memoryUsage().total;
    const large = t.transformer({ ...SIZES, depth: 24, width: 256, batch: 4 });
    assert.ok(t.memoryUsage().total > total);
    assert.equal(values.length, 0);
    assert.deepEqual(parameter.values, copy);
    model.forward();
    large.dispose();
    model.dispose();
  });
});

describe('how parameters start', () => {
  const of = (options) => {
    const model = t.transformer({ ...SIZES, width: 64, ...options });
    const copy = Object.fromEntries(
      model.parameters.map(({ name, values }) => [name, values.slice()]),
    );
    model.dispose();
    return copy;
  };
  const spread = (values) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
  const near = (got, want, label) =>
    assert.ok(Math.abs(got / want - 1) < 0.06, `${label}: ${got} ${want}`);

  test('Xavier uniform, embeddings of variance 1/2 each, biases 0, gamma 1, beta 0', () => {
    const parameters = of({ depth: 2 });
    for (const [name, values] of Object.entries(parameters)) {
      if (/(bias|beta)$/.test(name))
        assert.ok(
          values.every((v) => v === 0),
          name,
        );
      if (/gamma$/.test(name))
        assert.ok(
          values.every((v) => v === 1),
          name,
        );
    }
    near(spread(parameters['embedding.table']), Math.sqrt(1 / 2), 'table');
    near(spread(parameters['embedding.positions']), Math.sqrt(1 / 2), 'positions');
    near(spread(parameters['blocks.1.attention.qkv.weight']), Math.sqrt(2 / 128), 'qkv');
    near(spread(parameters['blocks.1.attention.output.weight']), Math.sqrt(2 / 128), 'output');
    near(spread(parameters['blocks.1.feedForward.up.weight']), Math.sqrt(2 / 320), 'up');
    near(spread(parameters['blocks.1.feedForward.down.weight']), Math.sqrt(2 / 320), 'down');
    near(spread(parameters['head.weight']), Math.sqrt(2 / 72), 'head');
  });

  test('DeepNorm: values, output and feed-forward layers are scaled by (8N)^(-1/4)', () => {
    const depth = 3;
    const plain = of({ depth, placement: 'post' });
    const scaled = of({ depth, placement: 'deepnorm' });
    const gain = (8 * depth) ** -0.25;
    for (const [name, values] of Object.entries(scaled)) {
      const isScaled = /(output|up|down)\.weight$/.test(name);
      values.forEach((value, i) => {
        const isValue = /qkv\.weight$/.test(name) && i % 192 >= 128;
        const want = plain[name][i] * (isScaled || isValue ? gain : 1);
        assert.ok(Math.abs(value - want) <= 1e-7, `${name}[${i}]`);
      });
    }
  });
});

test('load() gives one instance a build', async () => {
  assert.equal(await load({ build: 'scalar' }), t);
});
