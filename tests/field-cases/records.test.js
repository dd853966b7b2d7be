// 63 faults that others have had in the field (data/README.md), on both builds: as arrays, as views
// amid NaNs, and as tensors. Then what the notes of the records say beside the numbers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { same } from '../helpers/call.js';
import { assertRefused } from '../js/support.js';
import { builds, compute, everywhere } from '../properties/api.js';
import { expectRecord, floats, records, specOf } from './records.js';

/** Error kind of a record -> what the message says. */
const MESSAGES = {
  tooFewValues: /^x: expected more than 1 value per channel when training, got shape \[1, 3\]$/,
  shapeMismatch: /^(gamma|beta): expected (length \d+|\d+ values), got \d+$/,
  invalidEpsilon: /^eps: expected a finite number >= 0, got -1$/,
  invalidGroups: /^groups: expected .+, got [05]$/,
};

function expectRefused(an, record) {
  const { operation, shape, options, inputs, extents } = specOf(record);
  const { x, ...arrays } = inputs;
  const message = MESSAGES[record.expected.error];
  assert.ok(message, `an error of kind ${record.expected.error}`);
  const y = new Float32Array(extents.x).fill(-77);
  const statistics = { mean: new Float32Array(extents.set), rstd: new Float32Array(extents.set) };
  const all = [y, ...Object.values(statistics), ...Object.values(inputs)];
  const settings = { ...options, ...arrays, shape };
  const forward = () => an[operation].forward(x, { ...settings, out: { y, ...statistics } });
  assertRefused(all, forward, RangeError, message);
  if (operation === 'batchNorm') return; // whose short call is inference
  assertRefused(all, () => an[operation](x, { ...settings, out: y }), RangeError, message);
}

/** The API has no float16: these run as float32, in which the same values are exact. */
const isHalf = ({ attrs }) => attrs.storage === 'float16';

function waysOf({ attrs }) {
  const { view = { offsetElements: 1 }, alias } = attrs;
  const over = alias?.split('=')[1];
  return [
    { way: 'arrays' },
    { way: 'tensors' },
    { way: 'views', offset: view.offsetElements },
    ...(over ? ['arrays', 'tensors', 'views'].map((way) => ({ way, over })) : []),
  ];
}

for (const an of builds) {
  describe(`field cases, ${an.build}`, () => {
    const ran = new Set();

    for (const record of records) {
      test(record.id, () => {
        if (record.expected.error) {
          expectRefused(an, record);
        } else {
          const spec = specOf(record);
          for (const how of waysOf(record)) {
            const label = `${record.id} ${JSON.stringify(how)}`;
            const compared = expectRecord(compute(an, spec, how), record, label);
            assert.ok(compared > 0 || spec.extents.x === 0, label);
          }
        }
        ran.add(record.id);
      });
    }

    test('63 records ran, 7 of them refused, 2 of float16 as float32', () => {
      assert.equal(records.length, 63);
      assert.equal(ran.size, 63);
      assert.equal(records.filter(({ expected }) => expected.error).length, 7);
      assert.equal(records.filter(isHalf).length, 2);
    });
  });
}

const recordOf = (id) => {
  const record = records.find((one) => one.id === id);
  assert.ok(record, id);
  return record;
};
const specOfId = (id) => specOf(recordOf(id));
const resultOf = (id, how) => everywhere(specOfId(id), how);

/** The spec with other inputs and as many rows as they have. */
function withRows(spec, more) {
  const inputs = { ...spec.inputs, ...more };
  const cols = spec.extents.channel;
  const rows = inputs.x.length / cols;
  const extents = { x: inputs.x.length, set: rows, channel: cols };
  return { ...spec, shape: [rows, cols], inputs, extents };
}

const isZero = (v) => v === 0;

describe('what the notes say', () => {
  test('F01a: both rows give the same y', () => {
    const { y } = resultOf('F01a');
    assert.deepEqual(y.slice(0, 4), y.slice(4));
  });

  test('F03: constant rows give exactly 0, and so does dgamma', () => {
    for (const id of ['F03a', 'F03c', 'F03d', 'F03e']) {
      const { y, dgamma, dx } = resultOf(id);
      assert.ok(y.every(isZero), `${id}: y`);
      assert.ok((dgamma ?? y).every(isZero), `${id}: dgamma`);
      assert.ok((dx ?? y).every(Number.isFinite), `${id}: dx`);
    }
  });

  test('F03d: ten repeats give the same', () => {
    const spec = specOfId('F03d');
    const first = everywhere(spec);
    for (let turn = 1; turn < 10; turn++) {
      assert.equal(same(everywhere(spec), first, `turn ${turn}`), Object.keys(first).length);
    }
  });

  test('F05: half floats are refused, whatever holds them', () => {
    for (const id of ['F05a', 'F05b']) {
      const { operation, options, shape, inputs } = specOfId(id);
      const halves = new Uint16Array(inputs.x.length);
      const message = /^x: expected Float32Array, Tensor or \{ data, shape \}, got Uint16Array/;
      for (const an of builds) {
        assert.throws(() => an[operation](halves, { ...options, shape }), { message });
      }
    }
  });

  test('F07: a row of one value is exactly beta, and has no gradient', () => {
    assert.deepEqual([...resultOf('F07b').y], [3, 3]);
    assert.deepEqual([...resultOf('F07c').y], [-1]);
    const { dx, dgamma } = resultOf('F07b');
    assert.ok(dx.every(isZero) && dgamma.every(isZero));
  });

  test('F08, F09: nothing around views is read or written, at any offset', () => {
    for (const id of ['F08a', 'F08b', 'F08c', 'F09']) {
      const want = resultOf(id);
      for (const way of ['views', 'tensorViews']) {
        for (const offset of [0, 1, 2, 3]) {
          const got = resultOf(id, { way, offset });
          assert.equal(same(got, want, `${id} ${way} ${offset}`), Object.keys(want).length);
        }
      }
    }
  });

  test('F11: dx over dy and over x is dx in a place of its own', () => {
    for (const id of ['F11a', 'F11b']) {
      const want = resultOf(id);
      for (const over of ['dy', 'x']) {
        for (const way of ['arrays', 'views', 'tensors']) {
          same(resultOf(id, { over, way, offset: 1 }), want, `${id} over ${over}, ${way}`);
        }
      }
    }
  });

  test('F12a: what is refused leaves the running statistics alone', () => {
    // expectRefused looks at them, so they have to be there
    const { inputs } = specOfId('F12a');
    assert.ok(inputs.runningMean.length === 3 && inputs.runningVar.length === 3);
  });

  test('F12c: an empty batch leaves the running statistics alone, and sums to zeros', () => {
    const spec = specOfId('F12c');
    const got = everywhere({ ...spec, inputs: { ...spec.inputs, dy: new Float32Array(0) } });
    const { runningMean, runningVar } = spec.inputs;
    assert.equal(same(got, { runningMean, runningVar }, 'F12c'), 2);
    for (const name of ['dgamma', 'dbeta']) assert.deepEqual([...got[name]], [0, 0, 0, 0, 0]);
  });

  test('F13: the second step goes on from the first', () => {
    const [first, second] = ['F13a', 'F13b'].map(recordOf);
    const after = everywhere(specOf(first));
    const spec = specOf(second);
    const { runningMean, runningVar } = after;
    const got = everywhere({ ...spec, inputs: { ...spec.inputs, runningMean, runningVar } });
    assert.ok(expectRecord(got, second, 'F13b after F13a') > 0);
  });

  test('F13: y does not depend on momentum', () => {
    const want = { y: resultOf('F13c').y };
    for (const id of ['F13d', 'F13e']) assert.equal(same(resultOf(id), want, id), 1);
    const { runningMean, runningVar } = specOfId('F13c').inputs;
    same(resultOf('F13c'), { runningMean, runningVar }, 'momentum 0');
  });

  test('F14a: backward twice gives the same, and the running statistics stay', () => {
    const spec = specOfId('F14a');
    const first = everywhere(spec);
    assert.equal(same(everywhere(spec), first, 'F14a'), Object.keys(first).length);
    const { runningMean, runningVar } = spec.inputs;
    assert.equal(same(first, { runningMean, runningVar }, 'F14a'), 2);
  });

  test('F14b: in training the columns of dx sum to 0', () => {
    const { dx } = resultOf('F14b');
    for (const c of [0, 1]) {
      const sum = dx.reduce((total, v, i) => (i % 2 === c ? total + v : total), 0);
      assert.ok(Math.abs(sum) <= 2 ** -20, `column ${c}: ${sum}`);
    }
  });

  test('F16b: dgamma and dbeta are not swapped', () => {
    const { dgamma, dbeta } = resultOf('F16b');
    assert.equal(dgamma.length, 4);
    assert.notDeepEqual(dgamma, dbeta);
  });

  test('F18e: NaN as eps is refused as a negative one is', () => {
    for (const an of builds) {
      const { operation, options, inputs } = specOfId('F18e');
      const message = /^eps: expected a finite number >= 0, got NaN$/;
      assert.throws(() => an[operation](inputs.x, { ...options, eps: NaN }), { message });
    }
  });

  test('F19: padding counts as values for BatchNorm, and with a mask F19b is the answer', () => {
    const padded = specOfId('F19a');
    const { x } = padded.inputs;
    const alone = specOfId('F19b');
    const got = everywhere({ ...alone, inputs: { ...alone.inputs, x: x.slice(0, 5) } });
    assert.ok(expectRecord(got, recordOf('F19b'), 'the first five values of F19a') > 0);
    assert.notDeepEqual(resultOf('F19a').mean, got.mean);

    const mask = Array.from(x, (_, i) => i < 5);
    const masked = everywhere({ ...padded, options: { ...padded.options, mask } });
    assert.ok(masked.y.slice(5).every(isZero));
    const without = { ...masked, y: masked.y.slice(0, 5) };
    assert.equal(same(without, got, 'F19a with a mask'), Object.keys(got).length);
  });

  test('F19c: padded rows change nothing of the others', () => {
    const spec = specOfId('F19c');
    const { y } = everywhere(spec);
    const alone = everywhere(withRows(spec, { x: spec.inputs.x.slice(0, 6) }));
    assert.deepEqual(alone.y, y.slice(0, 6));
  });

  for (const id of ['F20a', 'F20b']) {
    test(`${id}: a row has the same bits in every batch and place`, () => {
      const cols = 1027;
      const n = 300 * cols;
      const dy = floats({ gen: 'lcg', n, seed: 20, offset: 0.1, scale: 1 });
      const spec = specOfId(id);
      const all = withRows(spec, { dy });
      const { x } = spec.inputs;
      const want = everywhere(all);
      for (const name of ['dgamma', 'dbeta'].filter((sum) => sum in want)) {
        same({ [name]: everywhere(all)[name] }, want, `${id}: ${name} again`);
      }
      const rowOf = (values, r) => values.slice(r * cols, (r + 1) * cols);
      const batchOf = (rows) => ({
        x: Float32Array.from(rows.flatMap((r) => [...rowOf(x, r)])),
        dy: Float32Array.from(rows.flatMap((r) => [...rowOf(dy, r)])),
      });
      for (const r of [0, 150, 299]) {
        for (const rows of [[r], [7, 8, r, 9, 10, 11, 12], [20, 21, r], [r, 3]]) {
          const at = rows.indexOf(r);
          for (const how of [{}, { way: 'views', offset: 3 }, { way: 'tensorViews', offset: 1 }]) {
            const got = everywhere(withRows(spec, batchOf(rows)), how);
            for (const name of ['y', 'dx']) {
              const label = `${id}: ${name} of row ${r} among ${rows}`;
              const row = { [name]: rowOf(got[name], at) };
              assert.equal(same(row, { [name]: rowOf(want[name], r) }, label), 1);
            }
          }
        }
      }
    });
  }
});
