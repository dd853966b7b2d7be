// The network for images: logits, loss and all gradients against a float64 model, running
// statistics, and what its trainer makes of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { random, randomArray } from '../helpers/random.js';
import { newRunning, reference } from './convnet-reference.js';
import { valuesOf } from './reference.js';
import { builds, shake } from './support.js';

const NORMS = ['batch', 'group', 'layer', 'none'];

/** Sizes that are no multiples of each other where they can be. */
const SMALL = {
  ...{ side: 4, inputs: 2, channels: [4, 6], groupSize: 2, classes: 3, batch: 5, seed: 3 },
};

const STEP = 1e-6;
/** Of the largest gradient of the network. */
const TOLERANCE = 1e-5;

/** Images, and targets of which one in four does not count. */
function dataFor({ batch, side, inputs, classes }, label) {
  const next = random(label);
  return {
    images: randomArray(label, batch * side * side * inputs),
    targets: Int32Array.from({ length: batch }, (_, i) =>
      i % 4 === 1 ? -1 : Math.floor((next() + 1) * 0.5 * classes),
    ),
  };
}

function put(net, { images, targets }) {
  net.images.set(images);
  net.targets.set(targets);
}

function assertNear(got, want, tolerance, label) {
  assert.equal(got.length, want.length, label);
  got.forEach((value, i) => {
    const error = Math.abs(value - want[i]);
    assert.ok(error <= tolerance, `${label}[${i}]: expected ${want[i]}, got ${value}`);
  });
}

/** Gradients by name, by central differences of float64 losses. */
function differences(settings, values, data) {
  const lossAt = () => reference(settings, values, data).loss;
  return Object.fromEntries(
    Object.entries(values).map(([name, array]) => [
      name,
      array.map((value, i) => {
        array[i] = value + STEP;
        const above = lossAt();
        array[i] = value - STEP;
        const below = lossAt();
        array[i] = value;
        return (above - below) / (2 * STEP);
      }),
    ]),
  );
}

const largest = (arrays) => Math.max(...arrays.flat().map(Math.abs));
const bitsOf = (values) => [...new Uint32Array(Float32Array.from(values).buffer)];
const parametersOf = (net) => net.parameters.flatMap(({ values }) => [...values]);

describe('against float64', () => {
  for (const norm of NORMS) {
    test(`${norm}: logits, loss and gradients`, () => {
      let want;
      for (const t of builds) {
        const net = t.convnet({ ...SMALL, norm });
        shake(net, norm);
        const data = dataFor(SMALL, norm);
        put(net, data);
        net.forward();
        const { loss, counted } = net.loss();
        net.backward();
        assert.equal(counted, 4);

        const values = valuesOf(net);
        const exact = reference(net.settings, values, data);
        assert.ok(Math.abs(loss - exact.loss) <= 1e-6, `${loss} ${exact.loss}`);
        assertNear(net.logits, exact.logits.flat(), 1e-5, 'logits');

        want ??= differences(net.settings, values, data);
        const scale = largest(Object.values(want));
        for (const { name, gradient } of net.parameters) {
          assertNear(gradient, want[name], TOLERANCE * scale, `${t.build} ${name}`);
        }
        net.dispose();
      }
    });

    test(`${norm}: inference after training`, () => {
      for (const t of builds) {
        const net = t.convnet({ ...SMALL, norm, momentum: 0.3 });
        const values = valuesOf(net);
        const running = newRunning(SMALL);
        for (const label of ['a', 'b', 'c']) {
          const data = dataFor(SMALL, label);
          put(net, data);
          net.forward();
          reference(net.settings, values, data, { running });
        }
        const data = dataFor(SMALL, 'd');
        put(net, data);
        net.infer();
        const { loss } = net.loss();
        const exact = reference(net.settings, values, data, { running, isTraining: false });
        assertNear(net.logits, exact.logits.flat(), 1e-5, `${t.build} logits`);
        assert.ok(Math.abs(loss - exact.loss) <= 1e-6, `${loss} ${exact.loss}`);
        net.dispose();
      }
    });
  }
});

describe('what shares a mean', () => {
  /** Logits of the first image, beside different others. */
  const firstLogits = (t, norm, mode) =>
    ['one', 'other'].map((label) => {
      const net = t.convnet({ ...SMALL, norm });
      put(net, dataFor(SMALL, label));
      const pixels = net.images.length / SMALL.batch;
      net.images.set(randomArray('first', pixels));
      net[mode]();
      const logits = bitsOf(net.logits.slice(0, SMALL.classes));
      net.dispose();
      return logits;
    });

  for (const t of builds) {
    test(`only BatchNorm in training lets images change each other, ${t.build}`, () => {
      for (const norm of NORMS) {
        for (const mode of ['forward', 'infer']) {
          const [one, other] = firstLogits(t, norm, mode);
          const label = `${norm}, ${mode}`;
          if (norm === 'batch' && mode === 'forward') assert.notDeepEqual(one, other, label);
          else assert.deepEqual(one, other, label);
        }
      }
    });
  }

  test('the same seed gives the same weights with every norm', () => {
    const [t] = builds;
    const weights = NORMS.map((norm) => {
      const net = t.convnet({ ...SMALL, norm });
      const values = net.parameters.filter(({ name }) => name.endsWith('weight'));
      const all = values.flatMap((one) => [...one.values]);
      net.dispose();
      return all;
    });
    for (const other of weights) assert.deepEqual(other, weights[0]);
  });
});

describe('the trainer', () => {
  const train = (t, { norm = 'group', batch, accumulate, steps, data, rate = 0.1 }) => {
    const net = t.convnet({ ...SMALL, norm, batch });
    const trainer = t.convnetTrainer(net, { rate, momentum: 0.5, accumulate });
    const results = [];
    for (let i = 0; i < steps; i++) {
      put(net, data(i));
      results.push({ ...trainer.step() });
    }
    const values = parametersOf(net);
    net.dispose();
    return { values, results };
  };

  /** Batch i of size n is images i·n to (i + 1)·n of one set. */
  function batches(n) {
    const all = dataFor({ ...SMALL, batch: 12 }, 'set');
    const pixels = all.images.length / 12;
    return (i) => ({
      images: all.images.slice(i * n * pixels, (i + 1) * n * pixels),
      targets: Int32Array.from({ length: n }, (_, k) => (i * n + k) % SMALL.classes),
    });
  }

  test('gradients of small batches add up to that of a large one, but for BatchNorm', () => {
    const [t] = builds;
    for (const norm of NORMS) {
      const whole = train(t, { norm, batch: 6, accumulate: 1, steps: 2, data: batches(6) });
      const parts = train(t, { norm, batch: 2, accumulate: 3, steps: 6, data: batches(2) });
      assert.deepEqual(
        parts.results.map(({ updates }) => updates),
        [0, 0, 1, 1, 1, 2],
      );
      const off = Math.max(...whole.values.map((v, i) => Math.abs(v - parts.values[i])));
      if (norm === 'batch') assert.ok(off > 1e-3, `${norm}: ${off}`);
      else assert.ok(off < 1e-6, `${norm}: ${off}`);
    }
  });

  for (const norm of NORMS) {
    test(`${norm}: both builds give the same bits, and it learns`, () => {
      const settings = { norm, batch: 6, accumulate: 1, steps: 100, data: () => batches(6)(0) };
      const [one, other] = builds.map((t) => train(t, settings));
      assert.deepEqual(bitsOf(one.values), bitsOf(other.values));
      assert.deepEqual(one.results, other.results);
      const lossOf = (from) => one.results[from].loss + one.results[from + 1].loss;
      assert.ok(lossOf(98) < 0.5 * lossOf(0), `${lossOf(0)}, then ${lossOf(98)}`);
    });
  }

  test('what has diverged is stopped and says so', () => {
    for (const t of builds) {
      for (const accumulate of [1, 2]) {
        const net = t.convnet({ ...SMALL, norm: 'none' });
        const trainer = t.convnetTrainer(net, { accumulate });
        put(net, dataFor(SMALL, 'fine'));
        for (let i = 0; i < accumulate; i++) assert.equal(trainer.step().finite, true);
        const before = parametersOf(net);
        net.images.fill(3e38);
        let result = trainer.step();
        for (let i = 1; i < accumulate; i++) result = trainer.step();
        assert.equal(result.finite, false);
        put(net, dataFor(SMALL, 'fine'));
        const { batches: made } = trainer.step();
        assert.equal(trainer.step().batches, made);
        assert.deepEqual(bitsOf(parametersOf(net)), bitsOf(before));
        net.dispose();
      }
    }
  });

  test('steps take no wasm memory, and all of it comes back', () => {
    for (const t of builds) {
      const { used } = t.memoryUsage();
      const net = t.convnet(SMALL);
      const trainer = t.convnetTrainer(net, { accumulate: 2 });
      put(net, dataFor(SMALL, 'memory'));
      const during = t.memoryUsage();
      for (let i = 0; i < 10; i++) trainer.step();
      net.infer();
      assert.deepEqual(t.memoryUsage(), during);
      net.dispose();
      net.dispose();
      assert.equal(t.memoryUsage().used, used);
      for (const use of [() => net.infer(), () => net.images, () => trainer.step()]) {
        assert.throws(use, /^ReferenceError: convnet(Trainer)?: used after it was disposed$/);
      }
    }
  });
});

describe('refusals', () => {
  const [t] = builds;
  const REFUSED = [
    [{ norm: 'instance' }, "norm: expected 'batch', 'group', 'layer' or 'none', got 'instance'"],
    [
      { norm: 'group', groupSize: 3 },
      'groupSize: expected a divisor of all channels 8, 16, 32, got 3',
    ],
    [{ side: 12 }, 'side: expected a multiple of 8, 2 ** blocks, got 12'],
    [{ channels: [] }, 'channels: expected 1 to 8 numbers, one a block, got 0'],
    [{ channels: [8, 0] }, 'channels[1]: expected a whole number from 1 to 1024, got 0'],
    [{ channels: 8 }, 'channels: expected an array, got 8'],
    [{ momentum: 1.5 }, 'momentum: expected a number from 0 to 1, got 1.5'],
    [{ batch: 0 }, 'batch: expected a whole number from 1 to 4096, got 0'],
    [{ classes: 1 }, 'classes: expected a whole number from 2 to 65536, got 1'],
    [{ group: 4 }, "convnet: unknown option 'group'"],
  ];
  for (const [options, message] of REFUSED) {
    test(message, () => {
      const { used } = t.memoryUsage();
      assert.throws(() => t.convnet(options), { message });
      assert.equal(t.memoryUsage().used, used);
    });
  }

  test('of the trainer, and calls in the wrong order', () => {
    const net = t.convnet(SMALL);
    assert.throws(() => t.convnetTrainer({}), {
      message: 'model: expected what convnet() has made, got Object',
    });
    assert.throws(() => t.convnetTrainer(net, { accumulate: 0.5 }), {
      message: 'accumulate: expected a whole number from 1 to 4096, got 0.5',
    });
    const trainer = t.convnetTrainer(net);
    assert.throws(
      () => {
        trainer.rate = -1;
      },
      { message: 'rate: expected a finite number >= 0, got -1' },
    );
    assert.equal(trainer.rate, 0.1);
    assert.throws(() => net.loss(), { message: 'loss: expected forward() or infer() before it' });
    net.infer();
    net.loss();
    assert.throws(() => net.backward(), {
      message: 'backward: expected forward() and loss() before it',
    });
    net.targets[0] = SMALL.classes;
    net.forward();
    assert.throws(() => net.loss(), { message: 'targets: expected -1 or less than 3, got 3' });
    net.dispose();
  });
});
