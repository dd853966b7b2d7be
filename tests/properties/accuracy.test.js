// Everything against the float64 oracle, whatever the values.
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../helpers/problem.js';
import { GRADIENT_UNITS } from '../helpers/ulp.js';
import { everywhere } from './api.js';
import { ALL, CENTRED, NORMS, problemOf, problems, specOf } from './problems.js';
import { property, reportErrors } from './property.js';
import { againstOracle, everyNorm, oneSet, SETS_OF, USUAL } from './sets.js';

/**
 * Equal values and one far from them: each addition of a chain is rounded the same way, and what
 * docs/numerics.md gives for chains of 32 and of 64 additions is met in full.
 */
const SPIKED = { forward: 18, backward: 34 };

for (const norm of ALL) {
  property(`${norm}: 4 units forward, 8 backward`, 250, problems([norm]), ({ form, ...drawn }) => {
    const limits = drawn.values.some(({ spike }) => spike) ? SPIKED : USUAL;
    againstOracle(problemOf(drawn), { form, limits });
  });

  property(`${norm}: exact is rounded once`, 100, problems([norm]), ({ form, ...drawn }) => {
    againstOracle(problemOf(drawn), { form, exact: true });
  });
}

describe('right to 2 units forward', () => {
  const EXAMPLES = {
    '40000, 40001, 40002, 40003': [4, { x: (i) => 40000 + i }],
    'many around 40000': [4099, { x: (i) => 40000 + (i % 4) }],
    'rows of 1e25': [1027, { x: (_, u) => 1e25 * u }],
    'rows of 1e25 with eps 0': [1027, { x: (_, u) => 1e25 * u, eps: 0 }],
    'rows of 1e-30 with eps 0': [1027, { x: (_, u) => 1e-30 * u, eps: 0 }],
    'four of 1e-30 with eps 0': [4, { x: (i, u) => 1e-30 * (i + u), eps: 0 }],
    'up to the largest float32': [515, { x: (i) => (i % 2 ? -3.4e38 : 3.4e38) }],
    'subnormal with eps 0': [301, { x: (i) => 2 ** -149 * (1 + (i % 5)), eps: 0 }],
  };
  for (const [name, [n, options]] of Object.entries(EXAMPLES)) {
    test(name, () => {
      for (const problem of everyNorm(n, options)) {
        againstOracle(problem, { limits: { forward: 2, backward: GRADIENT_UNITS } });
        againstOracle(problem, { exact: true });
      }
    });
  }
});

describe('where float32 products and coefficients vanish and the result does not', () => {
  const EXAMPLES = {
    'dx of values of 1e14 and gradients of 1e-14': [
      256,
      { x: (_, u) => 1e14 * (10 * u + 3), dy: (u) => 1e-14 * u },
    ],
    'dgamma of values of 1e-30, a last place apart': [
      8,
      { x: (i) => 1e-30 * (1 + 2 ** -23 * ((i * i) % 5)) },
    ],
    'dgamma of many of them': [4000, { x: (i) => 1e-30 * (1 + 2 ** -23 * ((i * i) % 5)) }],
    'dgamma of values of 1e-30 and gradients of 1e-10': [
      1021,
      { x: (_, u) => 1e-30 * (0.85 + 0.15 * u), dy: (u) => 1e-10 * u },
    ],
  };
  for (const [name, [n, options]] of Object.entries(EXAMPLES)) {
    test(name, () => {
      for (const problem of everyNorm(n, options)) againstOracle(problem, {});
    });
  }
});

const anyFinite = fc.float({ noNaN: true, noDefaultInfinity: true });

/** Lengths up to a million, the long ones less often. */
const anyLength = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 2, max: 5000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900_000, max: 1_000_000 }) },
);

property(
  'a constant set of any length and value gives exactly beta, and its mean is the constant',
  60,
  fc.record({
    norm: fc.constantFrom(...CENTRED.filter((name) => name in SETS_OF)),
    n: anyLength,
    turn: fc.nat(1),
    constants: fc.array(anyFinite, { minLength: 1, maxLength: 3 }),
    eps: fc.constantFrom(1e-5, 0),
    exact: fc.boolean(),
    withBeta: fc.boolean(),
  }),
  ({ norm, n, turn, constants, eps, exact, withBeta }) => {
    const sizes = SETS_OF[norm](n).at(turn % SETS_OF[norm](n).length);
    const few = n > 100_000 ? oneSet(sizes) : sizes;
    const problem = new Problem(NORMS[norm], { ...few, eps, momentum: 1 }, { kinds: ['zero'] });
    const { set, channel } = problem.axes;
    const x = Float32Array.from(set, (s) => constants[s % constants.length]);
    const { dy, ...inputs } = problem.inputs;
    if (!withBeta) delete inputs.beta;
    const spec = specOf(problem.with({ x }, `constants ${constants}`));
    const got = everywhere({ ...spec, inputs: { ...inputs, x } }, { exact });
    for (let i = 0; i < x.length; i++) {
      const beta = inputs.beta ? inputs.beta[channel[i]] : 0;
      if (got.y[i] !== beta) throw new Error(`y[${i}]: expected ${beta}, got ${got.y[i]}`);
    }
    for (let s = 0; s < problem.axes.sets; s++) {
      const value = constants[s % constants.length];
      for (const name of ['mean', 'runningMean'].filter((mean) => mean in got)) {
        if (got[name][s] === Math.fround(value)) continue;
        throw new Error(`${name}[${s}]: expected ${value}, got ${got[name][s]}`);
      }
    }
  },
);

reportErrors('accuracy');
