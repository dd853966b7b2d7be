// What the papers say, and what follows from the formulas: the norms against themselves, against
// each other, and against sums written out here.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { transpose } from '../conformance/axes.js';
import { sameBits } from '../helpers/bits.js';
import { same } from '../helpers/call.js';
import { batchNormTraining, groupNorm, rmsNorm } from '../helpers/norms.js';
import { Problem } from '../helpers/problem.js';
import { random } from '../helpers/random.js';
import { FORWARD_UNITS, GRADIENT_UNITS, within } from '../helpers/ulp.js';
import { everywhere, gradientsOf } from './api.js';
import { ALL, CENTRED, problemOf, problems, specOf } from './problems.js';
import { property, reportErrors } from './property.js';

/**
 * Two results that should be equal but for rounding: `got` within units of `want`, where a unit is
 * that of the oracle's problem. Twice as many as one of them may be off by.
 */
function nearly(got, want, problem, names) {
  for (const [oracle, units] of [
    [problem.wantForward(), 2 * FORWARD_UNITS],
    [problem.wantBackward(), 2 * GRADIENT_UNITS],
  ]) {
    const both = names.filter((name) => name in oracle.scale && name in want);
    for (const name of both) {
      const scale = { [name]: oracle.scale[name] };
      within({ [name]: got[name] }, { [name]: want[name], scale }, units, problem.label);
    }
  }
}

/** Small whole numbers, so that scaling and shifting them by whole numbers is exact. */
function lattice(problem) {
  const next = random(`${problem.label} lattice`);
  return problem.with({ x: problem.inputs.x.map(() => Math.round(1000 * next())) });
}

/** a * x + b, with an own a and b for every set. */
function moved(problem, scales, shifts) {
  const { set } = problem.axes;
  const x = problem.inputs.x.map(
    (v, i) => scales[set[i] % scales.length] * v + shifts[set[i] % shifts.length],
  );
  return problem.with({ x }, `times ${scales} plus ${shifts}`);
}

const plainValues = { values: fc.constant([{ kind: 'plain' }]), dyScales: fc.constant([1]) };
const powers = fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 1, maxLength: 4 });

property(
  'centred norms are invariant under re-scaling and re-centring of every set (Ba et al., table 1)',
  150,
  problems(CENTRED, {
    ...plainValues,
    eps: fc.constant(0),
    factors: fc.array(fc.constantFrom(-7, -3, -2, 2, 3, 5, 64), { minLength: 1, maxLength: 4 }),
    shifts: fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 4 }),
  }),
  ({ form, exact, factors, shifts, ...drawn }) => {
    const problem = lattice(problemOf(drawn));
    const other = moved(problem, factors, shifts);
    const { set, channel } = problem.axes;
    const want = everywhere(specOf(problem, form), { exact });
    const got = everywhere(specOf(other, form), { exact });
    const { beta } = problem.inputs;
    const factor = (i) => factors[set[i] % factors.length];
    // a negative factor turns xhat round, and so y about beta
    const y = want.y.map((v, i) => (factor(i) > 0 ? v : 2 * (beta ? beta[channel[i]] : 0) - v));
    const dx = got.dx.map((v, i) => v * Math.abs(factor(i)));
    nearly({ ...got, dx }, { ...want, y }, problem, ['y', 'dx', 'dbeta']);
    if (factors.every((v) => v > 0)) nearly(got, want, problem, ['dgamma']);
  },
);

property(
  'and bit by bit where the factor is a power of 2 and eps goes with its square',
  100,
  problems(
    ALL.filter((name) => name !== 'batchNormInference'),
    { ...plainValues, power: powers },
  ),
  ({ form, exact, power: [power], ...drawn }) => {
    const problem = problemOf({ ...drawn, eps: 2 ** -16 });
    const eps = 2 ** (2 * power - 16);
    const x = problem.inputs.x.map((v) => v * 2 ** power);
    const other = problem.with({ x }, `times 2^${power}`);
    other.numbers = { ...problem.numbers, eps };
    const want = everywhere(specOf(problem, form), { exact });
    const got = everywhere(specOf(other, form), { exact });
    same({ y: got.y, dgamma: got.dgamma }, want, other.label);
    sameBits(
      got.dx.map((v) => v * 2 ** power),
      want.dx,
      `${other.label} dx`,
    );
  },
);

property(
  'RMSNorm is invariant under re-scaling and not under re-centring (Zhang & Sennrich, table 1)',
  100,
  problems(['rmsNorm'], {
    ...plainValues,
    eps: fc.constant(0),
    factor: fc.constantFrom(2, 3, 5, 64),
    shift: fc.integer({ min: 2000, max: 1e6 }),
  }),
  ({ form, exact, factor, shift, ...drawn }) => {
    const problem = lattice(problemOf(drawn));
    const want = everywhere(specOf(problem, form), { exact });
    const scaled = moved(problem, [factor], [0]);
    nearly(everywhere(specOf(scaled, form), { exact }), want, problem, ['y', 'dgamma']);

    const at = problem.inputs.x.findIndex((v) => v < 0);
    if (at < 0) return;
    // all values are positive now
    const { y } = everywhere(specOf(moved(problem, [1], [shift]), form), { exact });
    assert.equal(Math.sign(y[at]), -Math.sign(want.y[at]), `y[${at}]`);
  },
);

property(
  'a GroupNorm of one group normalizes a whole example, as summed here in float64',
  100,
  problems(['groupNorm'], { ...plainValues }),
  ({ form, exact, ...drawn }) => {
    const sizes = { ...drawn.sizes, groups: 1 };
    const problem = problemOf({ ...drawn, sizes });
    const { x, gamma, beta } = problem.inputs;
    const { eps } = problem.numbers;
    const { batch, channels, spatial, channelsLast } = sizes;
    const n = channels * spatial;
    const want = new Float64Array(x.length);
    for (let b = 0; b < batch; b++) {
      const example = Array.from(x.subarray(b * n, (b + 1) * n));
      const mean = example.reduce((sum, v) => sum + v, 0) / n;
      const variance = example.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n;
      for (let i = 0; i < n; i++) {
        const c = channelsLast ? i % channels : Math.floor(i / spatial);
        const spread = Math.sqrt(variance + eps);
        const xhat = spread === 0 ? 0 : (example[i] - mean) / spread;
        want[b * n + i] = xhat * gamma[c] + beta[c];
      }
    }
    const got = everywhere(specOf(problem, form), { exact });
    const { y: scale } = problem.wantForward().scale;
    within({ y: got.y }, { y: want, scale: { y: scale } }, FORWARD_UNITS, problem.label);
  },
);

property(
  'a GroupNorm of as many groups as channels is InstanceNorm, bit for bit',
  100,
  problems(['instanceNorm']),
  ({ form, exact, ...drawn }) => {
    const spec = specOf(problemOf(drawn), 2 * form);
    assert.equal(spec.operation, 'groupNorm');
    const { groups, ...options } = spec.options;
    assert.equal(groups, drawn.sizes.channels);
    const want = everywhere(spec, { exact });
    const got = everywhere({ ...spec, operation: 'instanceNorm', options }, { exact });
    assert.equal(same(got, want, spec.label), Object.keys(want).length);
  },
);

property(
  'a GroupNorm of one channel is a LayerNorm with one gamma',
  60,
  problems(['layerNorm'], plainValues),
  ({ form, exact, ...drawn }) => {
    const { rows, cols } = drawn.sizes;
    const rowwise = problemOf(drawn);
    const [gamma, beta] = [0.75, -0.5];
    const params = {
      gamma: new Float32Array(cols).fill(gamma),
      beta: new Float32Array(cols).fill(beta),
    };
    const layer = rowwise.with(params);
    const sizes = { batch: rows, channels: 1, spatial: cols, groups: 1, eps: drawn.eps };
    const group = new Problem(groupNorm, sizes).with({
      ...{ x: layer.inputs.x, dy: layer.inputs.dy },
      ...{ gamma: Float32Array.of(gamma), beta: Float32Array.of(beta) },
    });
    const want = everywhere(specOf(layer, form), { exact });
    nearly(everywhere(specOf(group), { exact }), want, layer, ['y', 'mean', 'rstd', 'dx']);
  },
);

property(
  'InstanceNorm of one example is BatchNorm of a batch of one',
  100,
  problems(['instanceNorm'], plainValues),
  ({ form, exact, ...drawn }) => {
    const { channels, spatial, channelsLast } = drawn.sizes;
    const sizes = { ...drawn.sizes, batch: 1, spatial: Math.max(2, spatial) };
    const instance = problemOf({ ...drawn, sizes });
    const outer = channelsLast ? sizes.spatial : 1;
    const inner = channelsLast ? 1 : sizes.spatial;
    const batch = new Problem(batchNormTraining, { outer, channels, inner, eps: drawn.eps });
    const want = everywhere(specOf(instance, form), { exact });
    const got = everywhere(specOf(batch.with(instance.inputs)), { exact });
    nearly(got, want, instance, ['y', 'mean', 'rstd', 'dx', 'dgamma', 'dbeta']);
  },
);

property(
  'channels first and last differ by a transposition, BatchNorm and GroupNorm',
  150,
  problems(['groupNorm'], { ...plainValues, isBatch: fc.boolean() }),
  ({ exact, isBatch, ...drawn }) => {
    const { batch: n, channels, spatial, groups } = drawn.sizes;
    const s = n * spatial === 1 ? 2 : spatial;
    const first = isBatch
      ? problemOf({ ...drawn, norm: 'batchNormTraining', sizes: { outer: n, channels, inner: s } })
      : problemOf({ ...drawn, sizes: { batch: n, channels, spatial: s, groups } });
    const last = isBatch
      ? new Problem(batchNormTraining, { outer: n * s, channels, inner: 1, eps: drawn.eps })
      : new Problem(groupNorm, {
          ...{ batch: n, channels, spatial: s, groups },
          ...{ eps: drawn.eps, channelsLast: true },
        });
    const toLast = (values) => transpose(values, [n, channels, s], [0, 2, 1]);
    const toFirst = (values) => transpose(values, [n, s, channels], [0, 2, 1]);
    const { x, dy, ...parameters } = first.inputs;
    const turned = last.with({ ...parameters, x: toLast(x), dy: toLast(dy) }, 'transposed');
    const want = everywhere(specOf(first), { exact });
    const got = everywhere(specOf(turned), { exact });
    const back = { ...got, y: toFirst(got.y), dx: toFirst(got.dx) };
    nearly(back, want, first, Object.keys(want));
  },
);

property(
  'accumulating adds to what was there, within one rounding',
  150,
  problems(ALL, { ...plainValues, size: fc.constantFrom(0, 1e-3, 30, 1e4) }),
  ({ form, exact, size, ...drawn }) => {
    const problem = problemOf(drawn);
    const spec = specOf(problem, form);
    const next = random(`${problem.label} start`);
    const names = gradientsOf(spec).filter((name) => name !== 'dx');
    const start = Object.fromEntries(
      names.map((name) => [name, new Float32Array(problem.axes.channels).map(() => size * next())]),
    );
    const alone = everywhere(spec, { exact });
    const inputs = { ...spec.inputs, ...start };
    const sums = everywhere({ ...spec, inputs }, { exact, accumulate: true });
    same({ y: sums.y, dx: sums.dx }, alone, spec.label);
    for (const name of names) {
      for (const [c, v] of sums[name].entries()) {
        const want = start[name][c] + alone[name][c];
        // one rounding of the sum, one of what was added
        const allowed = 2 ** -24 * (Math.abs(v) + Math.abs(alone[name][c])) * (1 + 2 ** -20);
        assert.ok(Math.abs(v - want) <= allowed + 2 ** -149, `${name}[${c}]: ${v}, not ${want}`);
      }
    }
  },
);

property(
  'LayerNorm is RMSNorm where the mean is 0',
  60,
  problems(['layerNorm'], plainValues),
  ({ form, exact, ...drawn }) => {
    const { rows, cols } = drawn.sizes;
    const problem = lattice(problemOf({ ...drawn, sizes: { rows, cols: 2 * cols } }));
    // each value and its opposite
    const x = problem.inputs.x.map((v, i, all) => (i % 2 ? -all[i - 1] : v));
    const { gamma, dy } = problem.inputs;
    const layer = problem.with({ x, beta: new Float32Array(2 * cols) });
    const rms = new Problem(rmsNorm, { rows, cols: 2 * cols, eps: drawn.eps }).with({
      x,
      gamma,
      dy,
    });
    const want = everywhere(specOf(layer, form), { exact });
    const got = everywhere(specOf(rms), { exact });
    nearly(got, want, layer, ['y', 'rstd', 'dgamma']);
    assert.ok(want.mean.every((v) => v === 0));
  },
);

reportErrors('papers');
