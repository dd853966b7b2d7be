// The benchmark without its times: a clock that only moves as it is told, and tiny cases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { createAdapter } from './adapter.js';
import { buildPlain } from './build-plain.js';
import { CASES, caseOf, rowSizes } from './cases.js';
import { axisnormArrays } from './contestants/axisnorm-arrays.js';
import { axisnormTensors } from './contestants/axisnorm-tensors.js';
import { kernel } from './contestants/kernel.js';
import { memoryCopy } from './contestants/memory-copy.js';
import { onnxModel } from './contestants/onnx-model.js';
import { plainC } from './contestants/plain-c.js';
import { plainLoop } from './contestants/plain-loop.js';
import { nodeEnvironment } from './environments/node.js';
import { excessOf } from './growth.js';
import { measure } from './measure.js';
import { OPERATIONS } from './operations.js';
import { readOptions } from './options.js';
import { mistakeIn, problemOf } from './problem.js';
import { race } from './race.js';
import { casesReport } from './report/cases.js';
import { cliffsIn } from './report/growth.js';
import { withSection } from './report/page.js';
import { readmeTable } from './report/readme.js';
import { sections } from './report/sections.js';
import { quartiles, ratio } from './stats.js';
import { runCase } from './suite.js';
import { repeat, sample } from './timing.js';

buildPlain();

const QUICK = { rounds: 3, sampleMs: 2, warmUpMs: 4, warmUpCalls: 2, tries: 2 };

/** Every reading is a millisecond after the one before, and work() takes what it is told. */
function fakeClock(step = 0) {
  let time = 0;
  return {
    now: () => {
      time += step;
      return time;
    },
    waited: () => 0,
    work: (ms) => {
      time += ms;
    },
  };
}

describe('statistics', () => {
  test('quartiles lie between neighbours where they have to', () => {
    assert.deepEqual(quartiles([4, 1, 3, 2]), { low: 1.75, middle: 2.5, high: 3.25 });
    assert.deepEqual(quartiles([7]), { low: 7, middle: 7, high: 7 });
  });

  test('ratios are formed within a round', () => {
    // The second round was ten times as slow for both.
    assert.equal(ratio([2, 20, 2], [1, 10, 1]).middle, 2);
    assert.deepEqual(ratio([2, 30, 4], [1, 10, 1]), { low: 2.5, middle: 3, high: 3.5 });
  });
});

describe('times', () => {
  test('repeat() calls as often as it is told, with the arguments', async () => {
    const calls = [];
    repeat((...args) => calls.push(args), [1, 'a'])(3);
    assert.deepEqual(
      calls,
      [1, 2, 3].map(() => [1, 'a']),
    );
    const later = async () => calls.push('later');
    await repeat(later, [], true)(2);
    assert.deepEqual(calls.slice(3), ['later', 'later']);
  });

  test('an undisturbed try counts, not the shortest', async () => {
    const clock = fakeClock();
    const waits = [0, 3, 3, 3];
    const lengths = [5, 6, 1];
    const run = () => clock.work(lengths.shift());
    assert.equal(await sample({ ...clock, waited: () => waits.shift() }, run, 1, 3), 6);
  });

  test('what a disturbed sample waited is taken off', async () => {
    const clock = fakeClock();
    const waits = [0, 3];
    const run = () => clock.work(10);
    assert.equal(await sample({ ...clock, waited: () => waits.shift() }, run, 1, 1), 7);
  });

  test('without a count of waiting the least counts', async () => {
    const { now, work } = fakeClock();
    const lengths = [5, 2, 4];
    assert.equal(await sample({ now }, () => work(lengths.shift()), 1, 3), 2);
  });

  test('everyone has a turn in every round, and each is first in turn', async () => {
    const clock = fakeClock();
    const order = [];
    const runs = [1, 2, 4].map((ms, who) => (n) => {
      order.push(who);
      clock.work(n * ms);
    });
    const times = await race(runs, clock, { ...QUICK, sampleMs: 0.5 });
    assert.deepEqual(
      times,
      [1e6, 2e6, 4e6].map((ns) => [ns, ns, ns]),
    );
    assert.deepEqual(order.slice(-9), [0, 1, 2, 1, 2, 0, 2, 0, 1]);
  });

  test('short calls are counted together, after an untimed one', async () => {
    const clock = fakeClock();
    const counts = [];
    const run = (n) => {
      counts.push(n);
      clock.work(n / 4);
    };
    assert.deepEqual(await race([run], clock, QUICK), [[250_000, 250_000, 250_000]]);
    assert.deepEqual(counts.slice(-6), [1, 8, 1, 8, 1, 8]);
  });
});

const SMALL = {
  rows: { rows: 3, cols: 7 },
  groups: { batch: 2, channels: 6, spatial: 5, groups: 3 },
  outer: { outer: 3, channels: 5, inner: 4 },
};
const smallCase = (op) =>
  caseOf(op, SMALL[Object.keys(SMALL).find((name) => op.sizes.includes(name))]);

describe('contestants', async () => {
  const simd128 = await load({ build: 'simd128' });
  const everyone = [
    axisnormTensors(simd128, 'tensors'),
    axisnormTensors(await load({ build: 'scalar' }), 'scalar'),
    ...[0, 1, 2, 3].map((offset) => axisnormArrays(simd128, `arrays from ${offset}`, offset)),
    await kernel(),
    await plainC(nodeEnvironment()),
    plainLoop(),
  ];
  const plain = ['plainC', 'loop'];
  const measured = new Set(CASES.map(({ op }) => op.id));

  for (const op of Object.values(OPERATIONS)) {
    test(`${op.title}: everyone's results are right`, async () => {
      const one = smallCase(op);
      const { inputs, expected } = problemOf(one);
      const want = expected();
      for (const { id, prepare } of everyone) {
        const entry = await prepare(one, inputs);
        assert.ok(entry || (plain.includes(id) && !measured.has(op.id)), `${id} takes part`);
        if (!entry) continue;
        const [f, ...args] = entry.call;
        await f(...args);
        for (const { name } of op.outputs) assert.ok(entry.results()[name], `${id}: ${name}`);
        assert.equal(mistakeIn(one, entry.results(), want), undefined, id);
        entry.end?.();
      }
    });
  }

  const harness = { ln_fwd: 'layerNorm', gn_bwd: 'groupNormBackward', bn_inf: 'batchNorm' };
  for (const [name, id] of Object.entries(harness)) {
    test(`the adapter for other harnesses: ${name} on views and on arrays`, async () => {
      const one = smallCase(OPERATIONS[id]);
      const { inputs, expected } = problemOf(one);
      const { rows, cols, batch, channels, spatial, groups, outer, inner } = one.sizes;
      const { eps, op, lengths } = one;
      const p = { rows, cols, N: batch ?? outer, C: channels, S: spatial ?? inner, G: groups, eps };
      const adapter = await createAdapter();
      for (const alloc of [adapter.alloc, (n) => new Float32Array(n)]) {
        const io = {};
        for (const { name, extent } of [...op.outputs, ...op.inputs]) {
          io[name] = alloc(lengths[extent]);
          if (inputs[name]) io[name].set(inputs[name]);
        }
        adapter.ops[name]({ ...io, rmean: io.runningMean, rvar: io.runningVar }, p);
        assert.equal(mistakeIn(one, io, expected()), undefined);
        adapter.reset();
      }
    });
  }

  test('all memory is given back', () => assert.equal(simd128.memoryUsage().used, 0));

  test('memory.copy moves half of the bytes from one place to another', async () => {
    const { prepare } = await memoryCopy();
    const one = caseOf(OPERATIONS.layerNormBackward, rowSizes(3, 7));
    assert.equal(one.bytes, 3 * 4 * 21);
    const [copy, to, from, half] = prepare(one).call;
    assert.equal(half, one.bytes / 2);
    assert.ok(from >= to + half);
    copy(to, from, half);
  });

  test('wrong results are refused and not timed', async () => {
    const clock = fakeClock(1);
    const fake = (id, change) => ({
      id,
      prepare(one, inputs) {
        const entry = plainLoop().prepare(one, inputs);
        return { ...entry, results: () => change(entry.results()) };
      },
    });
    const spoil = ({ y }) => ({ y: y.map((v, i) => (i === 20 ? v * 1.001 : v)) });
    const contestants = [
      fake('right', (results) => results),
      fake('wrong', spoil),
      fake('short', ({ y }) => ({ y: y.subarray(1) })),
      fake('nothing', () => ({})),
      fake('NaN', ({ y }) => ({ y: y.map(() => Number.NaN) })),
      { id: 'absent', prepare: () => undefined },
      {
        id: 'unable',
        prepare() {
          throw new Error('cannot');
        },
      },
    ];
    const one = smallCase(OPERATIONS.layerNorm);
    const { times, refused } = await runCase(one, contestants, clock, QUICK);
    assert.deepEqual(Object.keys(times), ['right']);
    assert.deepEqual(Object.keys(refused).sort(), ['NaN', 'nothing', 'short', 'unable', 'wrong']);
    assert.match(refused.wrong, /^y\[20\] is /);
    assert.equal(refused.unable, 'Error: cannot');
  });

  test('an ONNX model holds the names, the values and nothing undefined', () => {
    const gamma = Float32Array.of(1, 2);
    const node = { op: 'Norm', parameters: { gamma }, epsilon: 0.5, integers: { n: 300 } };
    const bytes = onnxModel({ ...node, outputs: ['y'] }, [2, 2], { opset: 21, ir: 10 });
    const text = Buffer.from(bytes).toString('latin1');
    const [half, threeHundred] = ['\x00\x00\x00\x3f', '\xac\x02'];
    for (const part of ['Norm', 'gamma', `epsilon\x15${half}`, `n\x18${threeHundred}`])
      assert.ok(text.includes(part), part);
    assert.ok(text.includes(Buffer.from(gamma.buffer).toString('latin1')));
  });
});

/** A row in which everyone takes as long as is said, in two rounds. */
const rowOf = (id, times) => ({
  id,
  operation: 'LayerNorm forward',
  shape: id.split(' ')[1],
  elements: 100,
  bytes: 800,
  times: Object.fromEntries(Object.entries(times).map(([who, time]) => [who, [time, 2 * time]])),
  refused: {},
});

describe('reports', () => {
  const row = rowOf('layerNorm 128×768', {
    tensors: 20,
    arrays: 40,
    copy: 10,
    loop: 200,
    plainC: 30,
  });

  test('cases: time per element with quartiles, throughput, ratios', () => {
    const lines = casesReport([row]).split('\n');
    const cells = (line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1);
    const [tensors, arrays] = lines.filter((line) => line.includes('128×768')).map(cells);
    const name = ['LayerNorm forward', '128×768'];
    assert.deepEqual(tensors, [...name, '0.300 (0.250 … 0.350)', '26.7', '2.0', '10', '1.5']);
    assert.deepEqual(arrays, [...name, '0.600 (0.500 … 0.700)', '13.3', '4.0', '5.0']);
  });

  test('cases: who was refused is named', () => {
    const text = casesReport([{ ...row, refused: { onnxruntime: 'y[0] is 1 instead of 2' } }]);
    assert.match(text, /- layerNorm 128×768, onnxruntime: y\[0\] is 1 instead of 2/);
  });

  test('README: only the headlines', () => {
    const other = rowOf('layerNorm 9×9', { tensors: 1, arrays: 1 });
    assert.equal(readmeTable([other]), undefined);
    const lines = readmeTable([other, row]).split('\n');
    assert.equal(lines.length, 5);
    assert.match(lines[4], /\| LayerNorm forward, 128×768 \| 0.30 \| 0.60 \| 5.0 \| 1.5 \|/);
  });

  test('growth: a cliff is dearer than a neighbour that is smaller or hardly larger', () => {
    const elements = [100, 110, 400];
    const times = [[1], [2], [1]];
    const excess = elements.map((_, at) => excessOf(elements, times, at));
    assert.deepEqual(excess, [1, 2, 1]);
    assert.equal(excessOf([100, 400], [[9], [1]], 0), 1);
    assert.equal(excessOf([100, 400], [[1], [9]], 1), 9);
    const cells = { 5: { 20: { time: 1, excess: 1.4 }, 22: { time: 2, excess: 1.6 } } };
    const sweep = { sizes: [20, 22, 80], fixed: [5], cells };
    assert.deepEqual(
      cliffsIn(sweep, (size, other) => `${other}×${size}`),
      ['5×22'],
    );
  });

  test('the page: a table comes to the end of its section, then is replaced there', () => {
    const page = '# P\n\nBy hand.\n\n## A\n\nMore.\n\n## B\n\nLast.\n';
    const once = withSection(page, { heading: 'A', id: 'cases, X', text: 'one' });
    const block = (text) => `<!-- npm run bench: cases, X -->\n\n${text}\n\n<!-- end -->`;
    assert.equal(once, `# P\n\nBy hand.\n\n## A\n\nMore.\n\n${block('one')}\n\n## B\n\nLast.\n`);
    const moved = once.replace('Last.', 'By hand, too.');
    assert.equal(
      withSection(moved, { heading: 'A', id: 'cases, X', text: 'two' }),
      moved.replace('one', 'two'),
    );
    const end = withSection(page, { heading: 'B', id: 'cases, X', text: 'one' });
    assert.equal(end, `${page}\n${block('one')}\n`);
    assert.throws(() => withSection(page, { heading: 'C', id: 'x', text: '' }), /no section "C"/);
  });

  test('options', () => {
    assert.deepEqual(readOptions([]).plan.kinds, ['cases', 'returns']);
    assert.deepEqual(readOptions(['--calls', '--growth']).plan.kinds, ['growth', 'calls']);
    assert.equal(readOptions(['--rounds', '2']).plan.settings.rounds, 2);
    assert.throws(() => readOptions(['--write', '--filter', 'x']), /full runs/);
    assert.throws(() => readOptions(['--write', '--rounds', '2']), /full runs/);
    assert.throws(() => readOptions(['--rounds', 'x']), /--rounds: x/);
    assert.throws(() => readOptions(['--fast']), /--fast/);
  });
});

test('all kinds of measurement run, and their sections have a place in the page', async () => {
  const environment = { ...nodeEnvironment(), clock: fakeClock(1) };
  const extents = {
    ...{ widths: [4, 5, 9], atRows: [1, 2], rows: [1, 2, 3], atWidths: [8] },
    offsetWidths: [5],
  };
  const plan = {
    filter: '^layerNorm (1×4|1×768|128×768)$|^(layerNorm|batchNormForward)$',
    extents,
  };
  const results = await measure(
    environment,
    { ...plan, kinds: ['cases', 'returns', 'growth', 'calls'], withPeers: false, settings: QUICK },
    () => {},
  );
  assert.deepEqual(
    results.cases.map(({ refused }) => refused),
    results.cases.map(() => ({})),
  );
  assert.deepEqual(results.returns.refused, {});
  const run = { engine: { id: 'Test', version: 'Test 1', clock: 'no time' }, peers: '', rounds: 3 };
  const parts = sections(results, { ...run, command: 'x', machine: 'y', date: 'z' });
  assert.equal(parts.length, 4);
  const page = await environment.bytes('docs/performance.md');
  const text = parts.reduce(withSection, page.toString());
  for (const part of parts) assert.ok(text.includes(part.text), part.id);
  assert.doesNotMatch(text, /undefined|NaN/);
});
