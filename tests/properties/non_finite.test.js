// NaN and infinities stay where they are: in their row, group, channel or filter.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { same } from '../helpers/call.js';
import { GRADIENT_UNITS, within } from '../helpers/ulp.js';
import { everywhere } from './api.js';
import { ALL, problemOf, problems, specOf } from './problems.js';
import { property } from './property.js';

const bad = fc.constantFrom(NaN, Infinity, -Infinity);

/**
 * Which places of each result may have other bits once values of x or dy are not finite: what is of
 * the same set, and the sums of the channels that the set is a part of.
 */
function touched({ norm, axes }, name, places) {
  const { set, channel, counted } = axes;
  const at = new Set(places);
  const sets = new Set(places.map((i) => set[i]));
  // constants are no statistics; what no statistic is taken from spoils only itself
  const spoils = norm.frozen ? [] : places.filter((i) => name === 'dy' || counted?.[i] !== 0);
  const spoilt = new Set(spoils.map((i) => set[i]));
  const channels = new Set(places.map((i) => channel[i]));
  for (let i = 0; i < set.length; i++) if (spoilt.has(set[i])) channels.add(channel[i]);

  const valueOrSet = (i) => at.has(i) || spoilt.has(set[i]);
  const ofChannels = { dgamma: (c) => channels.has(c), dbeta: (c) => channels.has(c) };
  if (name === 'dy') return { dx: valueOrSet, ...ofChannels };
  const statistic = (s) => sets.has(s);
  const dx = norm.frozen ? () => false : (i) => sets.has(set[i]);
  return { y: valueOrSet, mean: statistic, rstd: statistic, dx, ...ofChannels };
}

/** `got` with the places that may differ taken from `clean`. */
function elsewhere(got, clean, may) {
  const kept = {};
  for (const [name, values] of Object.entries(clean)) {
    if (typeof values === 'number') continue;
    const differs = may[name] ?? (() => false);
    kept[name] = got[name].map((v, i) => (differs(i) ? values[i] : v));
  }
  return kept;
}

property(
  'a NaN or an infinity in x or dy changes nothing outside',
  400,
  problems(ALL, {
    name: fc.constantFrom('x', 'dy'),
    spoilt: fc.array(fc.record({ at: fc.nat(), value: bad }), { minLength: 1, maxLength: 3 }),
  }),
  ({ form, exact, name, spoilt, ...drawn }) => {
    const problem = problemOf(drawn);
    const { axes, inputs } = problem;
    const values = inputs[name].slice();
    const places = spoilt.map(({ at }) => at % values.length);
    for (const [i, place] of places.entries()) values[place] = spoilt[i].value;
    const other = problem.with({ [name]: values }, `${name} is not finite at ${places}`);
    const clean = everywhere(specOf(problem, form), { exact });
    const got = everywhere(specOf(other, form), { exact });

    const may = touched(problem, name, places);
    const channels = new Set(places.map((i) => axes.channel[i]));
    if ('skipped' in clean) {
      assert.equal(clean.skipped, problem.wantForward().skipped, 'skippedChannels, all finite');
      assert.equal(got.skipped, other.wantForward().skipped, 'skippedChannels');
      // what they were before the call
      for (const c of name === 'x' ? channels : []) {
        for (const running of ['runningMean', 'runningVar']) clean[running][c] = inputs[running][c];
      }
    }
    assert.ok(same(elsewhere(got, clean, may), clean, other.label) >= 4);

    for (const i of places) {
      const result = name === 'x' ? got.y[i] : got.dx[i];
      assert.ok(!Number.isFinite(result), `${other.label}: ${result} at ${i}`);
      if (name === 'dy') assert.ok(!Number.isFinite(got.dgamma[axes.channel[i]]));
    }
  },
);

property(
  'and the sums that it is no part of stay right',
  200,
  problems(ALL, {
    values: fc.constant([{ kind: 'plain' }]),
    dyScales: fc.constant([1]),
    name: fc.constantFrom('x', 'dy'),
    at: fc.nat(),
    value: bad,
  }),
  ({ form, exact, name, at, value, ...drawn }) => {
    const problem = problemOf(drawn);
    const values = problem.inputs[name].slice();
    values[at % values.length] = value;
    const other = problem.with({ [name]: values }, `${name} has ${value}`);
    const got = everywhere(specOf(other, form), { exact });
    const want = other.wantBackward();
    const spoilt = name === 'dy' ? problem.axes.channel[at % values.length] : -1;
    for (const sum of name === 'dy' ? ['dgamma', 'dbeta'] : ['dbeta']) {
      if (!got[sum]) continue;
      const rest = (array) => array.filter((_, c) => c !== spoilt);
      const scale = { [sum]: rest(want.scale[sum]) };
      const right = { [sum]: rest(want[sum]), scale };
      assert.ok(right[sum].every(Number.isFinite), `${other.label}: ${sum}`);
      within({ [sum]: rest(got[sum]) }, right, GRADIENT_UNITS, other.label);
      assert.ok(spoilt < 0 || !Number.isFinite(got[sum][spoilt]), `${other.label}: ${sum}`);
    }
  },
);

property(
  'statistics over a NaN are NaN, and so is all of the set',
  100,
  problems(
    ALL.filter((name) => name !== 'batchNormInference'),
    { at: fc.nat() },
  ),
  ({ form, exact, at, ...drawn }) => {
    const problem = problemOf(drawn);
    const { set, counted } = problem.axes;
    const x = problem.inputs.x.slice();
    const place = at % x.length;
    x[place] = NaN;
    const got = everywhere(specOf(problem.with({ x }, `x[${place}] is NaN`), form), { exact });
    if (counted?.[place] === 0) return;
    for (let i = 0; i < x.length; i++) {
      if (set[i] !== set[place]) continue;
      assert.ok(Number.isNaN(got.y[i]) && Number.isNaN(got.dx[i]), `y and dx at ${i}`);
    }
    assert.ok(Number.isNaN(got.rstd[set[place]]), 'rstd');
  },
);
