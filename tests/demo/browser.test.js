// In your browser: results are checked before they are timed, and times are what the clock says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { browserCode } from '../../demo/figures/browser/code.js';
import { backward, forward } from '../../demo/figures/browser/loops.js';
import {
  inputsOf,
  measure,
  OPERATIONS,
  quartiles,
  ROUNDS,
  sameBits,
  worstError,
} from '../../demo/figures/browser/model.js';
import { reference } from '../../demo/figures/browser/reference.js';
import { load } from '../../js/index.js';
import { runListing } from '../browser/listing.js';
import * as oracle from '../helpers/oracle.js';

const builds = {
  scalar: await load({ build: 'scalar' }),
  simd128: await load({ build: 'simd128' }),
};
const shape = { rows: 5, cols: 13 };

function finish(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

/** What the oracle says. */
function expected(operation) {
  const inputs = inputsOf(shape);
  const axes = oracle.layerNormAxes(shape);
  const stats = oracle.statistics(axes, inputs.x, { eps: 1e-5 });
  if (operation === 'forward') {
    const { y, mean, rstd } = oracle.forward(axes, inputs, stats);
    return { y, mean, rstd };
  }
  const { dx, dgamma, dbeta } = oracle.backward(axes, inputs, stats);
  return { dx, dgamma, dbeta };
}

describe('the reference and the loop', () => {
  test('both are right', () => {
    const inputs = inputsOf(shape);
    const { rows, cols } = shape;
    const y = { y: inputs.x.slice(), mean: new Float32Array(rows), rstd: new Float32Array(rows) };
    forward(y, inputs);
    const dx = {
      dx: inputs.x.slice(),
      dgamma: new Float32Array(cols).fill(9),
      dbeta: new Float32Array(cols).fill(9),
    };
    backward(dx, { ...inputs, ...y });
    for (const [operation, loop] of [
      ['forward', y],
      ['backward', dx],
    ]) {
      const { y: _, ...rest } = loop;
      assert.ok(worstError(operation === 'forward' ? loop : rest, expected(operation)) < 1e-6);
      assert.ok(worstError(finish(reference(operation, inputs)), expected(operation)) < 1e-12);
    }
  });
});

describe('measuring', () => {
  /** A clock that goes on by a millisecond a look. */
  const clock = () => {
    let time = 0;
    return () => time++;
  };

  for (const operation of Object.keys(OPERATIONS)) {
    test(`${operation}: everyone is checked and timed`, () => {
      const { measured, same } = finish(
        measure(builds, { operation, ...shape }, () => performance.now()),
      );
      assert.deepEqual(Object.keys(measured), ['loop', 'scalar', 'simd128']);
      assert.equal(same, true);
      for (const { error, times, calls } of Object.values(measured)) {
        assert.ok(error < 1e-6 && calls >= 1);
        assert.ok(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2]);
      }
      for (const an of Object.values(builds)) assert.equal(an.memoryUsage().used, 0);
    });
  }

  test('a wrong result is not timed, and no memory is lost', () => {
    const { simd128: an } = builds;
    const off = (x, options) => {
      const f = an.layerNorm.forward(x, options);
      f.y.data[3] += 0.01;
      return f;
    };
    const broken = { scalar: builds.scalar, simd128: { ...an, layerNorm: { forward: off } } };
    const work = measure(broken, { operation: 'forward', ...shape }, clock());
    assert.throws(() => finish(work), /^Error: simd128: results are off by/);
    assert.equal(an.memoryUsage().used, 0);
  });

  test('work that is given up gives its memory back', () => {
    const work = measure(builds, { operation: 'backward', ...shape }, clock());
    for (let i = 0; i < 20; i++) work.next();
    assert.ok(builds.scalar.memoryUsage().used > 0);
    work.return();
    for (const an of Object.values(builds)) assert.equal(an.memoryUsage().used, 0);
  });

  test('an engine without SIMD measures the scalar build', () => {
    const { scalar } = builds;
    const { measured, same } = finish(
      measure({ scalar }, { operation: 'forward', ...shape }, () => performance.now()),
    );
    assert.deepEqual(Object.keys(measured), ['loop', 'scalar']);
    assert.equal(same, undefined);
  });
});

test('quartiles', () => {
  assert.deepEqual(quartiles([7, 1, 3, 2, 6, 5, 4]), [2, 4, 6]);
  assert.equal((ROUNDS - 3) % 4, 0);
});

test('bits', () => {
  assert.ok(sameBits({ y: [1, NaN] }, { y: [1, NaN] }));
  assert.ok(!sameBits({ y: [0] }, { y: [-0] }));
});

test('the listing runs', async () => {
  for (const operation of Object.keys(OPERATIONS)) {
    const [microseconds] = await runListing(browserCode({ operation }).js);
    assert.ok(microseconds > 0);
  }
});
