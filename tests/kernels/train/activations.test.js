/* an_relu and an_gelu, forward and backward. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { Trial, testKernel } from '../../helpers/train/suite.js';

const sizes = [...range(1, 33), 1000, 4099].map((n) => ({ n }));
const few = [{ n: 2 }, { n: 7 }, { n: 16 }];

/** x at NaN, infinities, zeros and denormals, and what becomes of each. */
function testSpecial(kernel, name, inputs, want) {
  test('NaN, infinities and zeros', () => {
    const length = { n: inputs.x?.length ?? inputs.y.length };
    const arrays = Object.entries(inputs).map(([key, list]) => [key, Float32Array.from(list)]);
    const got = new Trial(kernel, length).with(Object.fromEntries(arrays), 'special').run()[name];
    assert.deepEqual([...got], want.map(Math.fround));
  });
}

const reluForward = { fn: fn.reluForward, want: oracle.reluForward, limit: 0 };
testKernel(reluForward, { sizes, few }, () => {
  testSpecial(reluForward, 'y', { x: [NaN, Infinity, -Infinity, 0, -0, 2 ** -149, -(2 ** -149)] }, [
    NaN,
    Infinity,
    0,
    0,
    0,
    2 ** -149,
    0,
  ]);
});

const reluBackward = { fn: fn.reluBackward, want: oracle.reluBackward, limit: 0 };
testKernel(reluBackward, { sizes, few }, () => {
  testSpecial(
    reluBackward,
    'dx',
    { y: [0, -0, 1, -1, NaN, Infinity, 2 ** -149], dy: [3, 3, NaN, NaN, 3, -Infinity, 3] },
    [0, 0, NaN, 0, 0, -Infinity, 3],
  );
  test('x serves as well as y', () => {
    const trial = new Trial(reluBackward, { n: 100 });
    const y = trial.values.y.map((v) => Math.max(v, 0));
    assert.deepEqual(trial.run().dx, trial.with({ y }, 'y = max(x, 0)').run().dx);
  });
});

/** All magnitudes at which something happens, and both signs. */
const spread = (u) => Math.sign(u) * 2 ** (40 * Math.abs(u) - 34);
const ordinary = (u) => 6 * u;

const geluForward = { fn: fn.geluForward, want: oracle.geluForward };
testKernel({ ...geluForward, draw: { x: ordinary } }, { sizes, few }, () => {
  test('the whole range', () => {
    new Trial({ ...geluForward, draw: { x: spread } }, { n: 100_000 }).check();
    new Trial({ ...geluForward, draw: { x: (u) => 15 * u } }, { n: 100_000 }, 'dense').check();
  });
  testSpecial(geluForward, 'y', { x: [NaN, Infinity, -Infinity, 0, 1e30, -1e30, 2 ** -148, 20] }, [
    NaN,
    Infinity,
    0,
    0,
    1e30,
    0,
    2 ** -149,
    20,
  ]);
});

const geluBackward = { fn: fn.geluBackward, want: oracle.geluBackward };
testKernel({ ...geluBackward, draw: { x: ordinary } }, { sizes, few }, () => {
  test('the whole range', () => {
    new Trial({ ...geluBackward, draw: { x: spread } }, { n: 100_000 }).check();
    new Trial({ ...geluBackward, draw: { x: (u) => 15 * u } }, { n: 100_000 }, 'dense').check();
  });
  testSpecial(
    geluBackward,
    'dx',
    { x: [NaN, Infinity, -Infinity, 0, 1e30, -1e30], dy: [1, 2, 2, 3, 2, 2] },
    [NaN, 2, 0, 1.5, 2, 0],
  );
});
