/* an_residual, an_scale and an_norm: functions of vectors. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sameBits } from '../../helpers/bits.js';
import { range } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { Trial, testKernel } from '../../helpers/train/suite.js';

const sizes = [...range(1, 33), 1000, 4099].map((n) => ({ n }));
const few = [{ n: 2 }, { n: 7 }, { n: 16 }];

const residual = { fn: fn.residual, want: oracle.residual, limit: 1 };
testKernel({ ...residual, numbers: { alpha: Math.fround(1.6817928) } }, { sizes, few }, () => {
  test('alpha 1 is a plain sum', () => {
    const trial = new Trial({ ...residual, numbers: { alpha: 1 } }, { n: 37 });
    const { x, f } = trial.values;
    sameBits(
      trial.run().y,
      x.map((v, i) => v + f[i]),
      trial.label,
    );
  });

  test('x and f may be the same array', () => {
    const trial = new Trial({ ...residual, numbers: { alpha: 2 } }, { n: 6 });
    const { y } = trial.run({ spoil: { f: (_, all) => all.x } });
    sameBits(
      y,
      trial.values.x.map((v) => Math.fround(2 * v) + v),
      trial.label,
    );
  });
});

const scale = {
  fn: fn.scale,
  want: oracle.scale,
  limit: 0.5,
  numbers: { factor: Math.fround(0.3) },
};
testKernel(scale, { sizes, few });

/** The float64 that an_norm wrote. */
const asDouble = (words) => new Float64Array(words.buffer, words.byteOffset, 1)[0];

function checkNorm({ norm }, want, label) {
  const got = asDouble(norm);
  if (Number.isNaN(want)) assert.ok(Number.isNaN(got), `${label}: expected NaN, got ${got}`);
  else if (!Number.isFinite(want)) assert.equal(got, want, label);
  else assert.ok(Math.abs(got - want) <= 1e-14 * want, `${label}: expected ${want}, got ${got}`);
}

const norm = {
  fn: fn.norm,
  want: (values) => ({ norm: oracle.norm(values), scale: {} }),
  checkResult: (got, want, label) => checkNorm(got, want.norm, label),
};
testKernel(norm, { sizes, few }, () => {
  describe('the whole float32 range', () => {
    const largest = 3.4028234663852886e38;
    for (const [what, draw] of Object.entries({
      'the largest values': () => largest,
      'the smallest values': () => 2 ** -149,
      'both at once': (_, i) => (i === 3 ? largest : 2 ** -149),
      'squares that float32 cannot hold': (u) => 1e30 * u,
      'squares that vanish in float32': (u) => 1e-30 * u,
      zeros: () => 0,
      'an infinity': (u, i) => (i === 5 ? -Infinity : u),
      'a NaN': (u, i) => (i === 5 ? NaN : u),
    })) {
      test(what, () => {
        for (const n of [6, 13, 1001])
          new Trial({ ...norm, draw: { x: draw } }, { n }, what).check();
      });
    }
  });
});
