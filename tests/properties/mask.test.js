// A mask is as good as taking the padding out, whatever the padding holds.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import { sameBits } from '../helpers/bits.js';
import { same } from '../helpers/call.js';
import { randomArray } from '../helpers/random.js';
import { builds, compute, everywhere } from './api.js';
import { FORMS, Padded, paddedBatches } from './padded.js';
import { property } from './property.js';

const SUMS = ['dgamma', 'dbeta'];
const UNIT = 2 ** -23;

/** What sums are added to. */
const starts = ({ channels }) => ({
  dgamma: new Float32Array(channels).fill(3),
  dbeta: new Float32Array(channels).fill(-2),
});

const withInputs = (spec, more) => ({ ...spec, inputs: { ...spec.inputs, ...more } });

/** What BatchNorm gives without the padding, with zeros where that was. */
function batchWithoutPadding(padded, { exact, accumulate }) {
  const spec = padded.isWhole ? padded.spec() : padded.alone(padded.places.flat());
  const started = accumulate ? withInputs(spec, starts(padded)) : spec;
  const want = everywhere(started, { exact, accumulate });
  if (padded.isWhole) return want;
  for (const name of ['y', 'dx']) {
    const whole = new Float32Array(padded.inputs.x.length);
    padded.scatter(padded.places.flat(), want[name], whole);
    want[name] = whole;
  }
  return want;
}

/** What each example gives alone: y, dx and statistics put together, and the sums of each. */
function examplesWithoutPadding(padded, { exact }) {
  const { sets, batch, inputs } = padded;
  const want = {
    y: new Float32Array(inputs.x.length),
    dx: new Float32Array(inputs.x.length),
    mean: new Float32Array(batch * sets),
    rstd: new Float32Array(batch * sets),
  };
  const sums = { dgamma: [], dbeta: [] };
  for (const [n, places] of padded.places.entries()) {
    if (places.length === 0) continue;
    const one = everywhere(padded.alone(places), { exact });
    for (const name of ['y', 'dx']) padded.scatter(places, one[name], want[name]);
    for (const name of ['mean', 'rstd']) want[name].set(one[name], n * sets);
    for (const name of SUMS) sums[name].push(one[name]);
  }
  return { want, sums };
}

/** Sums over examples that were rounded one by one. */
function assertSums(got, parts, start, label) {
  for (let c = 0; c < got.length; c++) {
    const terms = [start?.[c] ?? 0, ...parts.map((one) => one[c])];
    const sum = terms.reduce((a, b) => a + b, 0);
    const unit = UNIT * terms.reduce((a, b) => a + Math.abs(b), 0) + 2 ** -149;
    assert.ok(Math.abs(got[c] - sum) <= unit, `${label}[${c}]: expected ${sum}, got ${got[c]}`);
  }
}

const isRefused = ({ operation, isFrozen, total }) =>
  operation === 'batchNorm' && !isFrozen && total === 1;

/** One value a channel has no variance. */
function expectRefused(padded, options) {
  const got = padded.isWhole ? `shape \\[${padded.shape.join(', ')}\\]` : 'a mask that keeps 1';
  const message = new RegExp(
    `^x: expected more than 1 value per channel when training, got ${got}$`,
  );
  for (const an of builds) {
    assert.throws(() => compute(an, padded.spec(options)), { name: 'RangeError', message });
  }
}

/** How calls are made; a view of a tensor is no place for results. */
const HOW = {
  way: fc.constantFrom('arrays', 'views', 'tensors', 'tensorViews'),
  offset: fc.nat(3),
  over: fc.constantFrom(undefined, 'dy', 'x'),
  exact: fc.boolean(),
  accumulate: fc.boolean(),
  outputs: fc.constantFrom(undefined, undefined, ['dx'], SUMS, ['dbeta', 'dx'], []),
};

describe('padding', () => {
  property(
    'counts for nothing: all is as if it were not there, and y and dx are 0 where it is',
    600,
    paddedBatches(HOW),
    ({ way, offset, over, exact, accumulate, outputs, form, ...drawn }) => {
      const padded = new Padded(drawn);
      const options = FORMS[form](padded.kept);
      if (isRefused(padded)) return expectRefused(padded, options);
      const how = { way, offset, exact, accumulate, outputs };
      if (way !== 'tensorViews') how.over = outputs?.includes('dx') === false ? undefined : over;
      const start = accumulate ? starts(padded) : {};
      const got = everywhere(withInputs(padded.spec(options), start), how);
      if (!padded.isPerExample) {
        const want = batchWithoutPadding(padded, { exact, accumulate });
        assert.equal(same(got, want, padded.label), Object.keys(got).length);
        return;
      }
      const { want, sums } = examplesWithoutPadding(padded, { exact });
      const wanted = SUMS.filter((name) => name in got);
      assert.equal(same(got, want, padded.label) + wanted.length, Object.keys(got).length);
      for (const name of wanted) assertSums(got[name], sums[name], start[name], name);
    },
  );

  property(
    'has no effect on the inference call either, which gives the y of forward',
    150,
    paddedBatches({ exact: fc.boolean() }),
    ({ form, exact, ...drawn }) => {
      const norm = drawn.norm === 'batchNormTraining' ? 'batchNormInference' : drawn.norm;
      const padded = new Padded({ ...drawn, norm });
      const spec = padded.spec(FORMS[form](padded.kept));
      const { dy, x, ...parameters } = spec.inputs;
      const { training, ...options } = spec.options;
      const want = everywhere(spec, { exact });
      for (const an of builds) {
        const all = { ...options, ...parameters, shape: spec.shape, exact };
        same({ y: an[spec.operation](x, all) }, want, spec.label);
        const out = x.slice();
        same({ y: an[spec.operation](out, { ...all, out }) }, want, `${spec.label} in place`);
        assert.equal(same({ y: out }, want, `${spec.label} in place`), 1);
      }
    },
  );
});

describe('what counts', () => {
  property(
    'can be said in several ways, which are the same',
    100,
    paddedBatches(),
    ({ form, ...drawn }) => {
      const padded = new Padded(drawn);
      if (isRefused(padded)) return;
      const want = everywhere(padded.spec(FORMS[form](padded.kept)));
      for (const [name, options] of Object.entries(FORMS)) {
        const got = everywhere(padded.spec(options(padded.kept)));
        same(got, want, `${padded.label} ${name}`);
      }
    },
  );

  property(
    'and with lengths, where it comes first in each example',
    150,
    paddedBatches({
      layout: fc.constantFrom(1, 2),
      examples: fc.array(
        fc.record({ pattern: fc.constant('prefix'), share: fc.nat(20).map((n) => n / 20) }),
        { minLength: 1, maxLength: 4 },
      ),
      Type: fc.constantFrom(Array, Int32Array, Float32Array),
    }),
    ({ form, Type, ...drawn }) => {
      const padded = new Padded(drawn);
      if (isRefused(padded)) return;
      const lengths = Type.from(padded.places, (places) => places.length);
      const want = everywhere(padded.spec(FORMS[form](padded.kept)));
      const got = everywhere(padded.spec({ lengths }));
      assert.equal(same(got, want, padded.label), Object.keys(want).length);
    },
  );

  property(
    'may be everything: then all bits are those without a mask',
    100,
    paddedBatches({ examples: fc.constant([{ pattern: 'all', share: 1 }]) }),
    ({ form, ...drawn }) => {
      const padded = new Padded(drawn);
      if (isRefused(padded)) return;
      const want = everywhere(padded.spec());
      const got = everywhere(padded.spec(FORMS[form](padded.kept)));
      assert.equal(same(got, want, padded.label), Object.keys(want).length);
    },
  );
});

describe('rows need no mask', () => {
  property(
    'LayerNorm and RMSNorm give tokens the same bits with padding around them and without',
    100,
    paddedBatches({ norm: fc.constant('groupNorm'), layout: fc.constant(2), exact: fc.boolean() }),
    ({ exact, ...drawn }) => {
      const padded = new Padded(drawn);
      const { channels, inputs, places, total } = padded;
      const tokens = padded.alone(places.flat()).inputs;
      const dy = randomArray(`${padded.label} tokens`, total * channels);
      for (const an of builds) {
        for (const operation of ['layerNorm', 'rmsNorm']) {
          const run = (x, upstream) => {
            const options = { normalizedShape: channels, gamma: inputs.gamma, exact };
            const f = an[operation].forward(x, options);
            return { y: f.y, dx: an[operation].backward(upstream, { ...f, ...options, x }).dx };
          };
          const dyPadded = new Float32Array(inputs.x.length).fill(NaN);
          padded.scatter(places.flat(), dy, dyPadded);
          const got = run(inputs.x, dyPadded);
          for (const [name, want] of Object.entries(run(tokens.x, dy))) {
            const rows = new Float32Array(want.length);
            places.flat().forEach((p, k) => {
              rows.set(got[name].subarray(p * channels, (p + 1) * channels), k * channels);
            });
            sameBits(rows, want, `${operation} ${padded.label}: ${name}`);
          }
        }
      }
    },
  );
});
