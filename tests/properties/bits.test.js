// What must not change a bit: the build, the company, the position, memory, a second call.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { same } from '../helpers/call.js';
import { builds, compute, everywhere, gradientsOf } from './api.js';
import { ALL, problemOf, problems, specOf } from './problems.js';
import { property } from './property.js';

/** What belongs to set k: its values and statistics, and its parameters where it has its own. */
function ofSet(problem, result, places) {
  const { ownChannels } = problem.norm;
  const kept = {};
  for (const [name, values] of Object.entries(result)) {
    const extent = { y: 'x', dx: 'x', mean: 'set', rstd: 'set' }[name] ?? 'channel';
    if (typeof values === 'number' || (extent === 'channel' && !ownChannels)) continue;
    kept[name] = Float32Array.from(places[extent], (i) => values[i]);
  }
  return kept;
}

const aSet = { set: fc.nat(), to: fc.nat() };

property('scalar and simd128 give the same bits', 200, problems(), ({ form, exact, ...drawn }) => {
  const spec = specOf(problemOf(drawn), form);
  const got = everywhere(spec, { exact });
  for (const name of ['y', ...gradientsOf(spec)]) assert.ok(got[name].length > 0, name);
});

property(
  'a row, group, channel or filter has the same bits alone as among others',
  150,
  problems(ALL, aSet),
  ({ form, exact, set, ...drawn }) => {
    const problem = problemOf(drawn);
    const k = set % problem.axes.sets;
    const alone = problem.member(k);
    const want = ofSet(problem, everywhere(specOf(problem, form), { exact }), problem.places(k));
    const got = ofSet(alone, everywhere(specOf(alone, form), { exact }), alone.places(0));
    assert.equal(same(got, want, alone.label), Object.keys(want).length);
  },
);

property(
  'and at another place among all others',
  150,
  problems(ALL, { ...aSet, others: fc.record({ first: problems(), seed: fc.nat() }) }),
  ({ form, exact, set, to, others, ...drawn }) => {
    const problem = problemOf(drawn);
    const { values, dyScales } = others.first;
    const company = problemOf({ ...drawn, values, dyScales, seed: others.seed });
    const k = set % problem.axes.sets;
    const place = to % problem.axes.sets;
    const moved = problem.amid(company, k, place);
    const want = ofSet(problem, everywhere(specOf(problem, form), { exact }), problem.places(k));
    const got = ofSet(moved, everywhere(specOf(moved, form), { exact }), problem.places(place));
    assert.equal(same(got, want, moved.label), Object.keys(want).length);
  },
);

property(
  'views at any offset, tensors and in-place use change no bit, nor does the way the shape is said',
  200,
  problems(ALL, {
    way: fc.constantFrom('arrays', 'views', 'tensors', 'tensorViews'),
    offset: fc.nat(3),
    over: fc.constantFrom(undefined, 'dy', 'x'),
  }),
  ({ form, exact, way, offset, over, ...drawn }) => {
    const problem = problemOf(drawn);
    const want = everywhere(specOf(problem), { exact });
    // a view of a tensor is no place for results
    const inPlace = way === 'tensorViews' ? undefined : over;
    const got = everywhere(specOf(problem, form), { exact, way, offset, over: inPlace });
    assert.equal(same(got, want, problem.label), Object.keys(want).length);
  },
);

property(
  'dgamma, dbeta and all else repeat, whatever was computed in between',
  60,
  fc.record({ first: problems(), between: problems() }),
  ({ first, between }) => {
    const { form, exact, ...drawn } = first;
    const spec = specOf(problemOf(drawn), form);
    for (const an of builds) {
      const want = compute(an, spec, { exact });
      compute(an, specOf(problemOf(between), between.form), { exact: !exact });
      same(compute(an, spec, { exact }), want, spec.label);
    }
  },
);

property(
  'each gradient by itself has the bits that it has with the others',
  100,
  problems(ALL, { wanted: fc.array(fc.nat(2), { maxLength: 3 }) }),
  ({ form, exact, wanted, ...drawn }) => {
    const spec = specOf(problemOf(drawn), form);
    const names = gradientsOf(spec);
    const outputs = [...new Set(wanted.map((i) => names[i % names.length]))];
    const all = everywhere(spec, { exact });
    const got = everywhere(spec, { exact, outputs });
    assert.deepEqual(
      names.filter((name) => name in got),
      names.filter((name) => outputs.includes(name)),
    );
    same(got, all, `${spec.label} ${outputs}`);
  },
);

property('the short call gives the y of forward', 60, problems(), ({ form, exact, ...drawn }) => {
  const frozen = drawn.norm === 'batchNormTraining' ? 'batchNormInference' : drawn.norm;
  const spec = specOf(problemOf({ ...drawn, norm: frozen }), form);
  const { operation, inputs, shape, options } = spec;
  const { gamma, beta, runningMean, runningVar } = inputs;
  const { training, ...rest } = options;
  const parameters = {
    weightStandardize: { gain: gamma },
    rmsNorm: { gamma },
    batchNorm: { gamma, beta, runningMean, runningVar },
  }[operation] ?? { gamma, beta };
  const want = everywhere(spec, { exact });
  for (const an of builds) {
    const y = an[operation](inputs.x, { ...rest, ...parameters, shape, exact });
    assert.equal(same({ y }, want, spec.label), 1);
  }
});
