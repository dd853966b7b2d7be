// The examples run in a clone and show what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runIn = (cwd, name, ...words) =>
  execFileSync(process.execPath, [`examples/${name}`, ...words], { cwd }).toString();
const run = (...words) => runIn(root, ...words);

/** The numbers of the lines that follow a title. */
function tableBelow(title, text) {
  const [, lines] = text.split(`\n${title}\n`);
  return lines
    .split('\n\n')[0]
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
}

test('inference.js: ten times the row comes out alike, in place as well', () => {
  const text = run('inference.js');
  // 1, 2, 3, 6: mean 3, variance 3.5, mean square 12.5
  const layer = [-2, -1, 0, 3].map((d) => Number((d / Math.sqrt(3.5)).toFixed(3)));
  const rms = [1, 2, 3, 6].map((x) => Number((x / Math.sqrt(12.5)).toFixed(3)));
  assert.deepEqual(tableBelow('layerNorm', text), [layer, layer]);
  assert.deepEqual(tableBelow('layerNorm, in place', text), [layer, layer]);
  assert.deepEqual(tableBelow('instanceNorm', text), [layer, layer]);
  assert.deepEqual(tableBelow('rmsNorm', text), [rms, rms]);
  const alike = (one, other) => [new Array(4).fill(one), new Array(4).fill(other)];
  assert.deepEqual(tableBelow('batchNorm', text), alike(-0.8, 1));
  assert.deepEqual(tableBelow('groupNorm', text), [
    [-1, 1, -1, 1],
    [-1, 1, -1, 1],
  ]);
  assert.match(text, /^build: (simd128|scalar), memory in use: 0 bytes$/m);
});

test('training_step.js: the loss falls from line to line, and points are told apart', () => {
  const text = run('training_step.js');
  const losses = [...text.matchAll(/loss ([\d.]+)/g)].map(([, loss]) => Number(loss));
  assert.equal(losses.length, 9);
  for (let i = 1; i < losses.length; i++) assert.ok(losses[i] < losses[i - 1], losses.join(' '));
  assert.ok(losses.at(-1) < 0.1, `${losses.at(-1)}`);
  const where = [...text.matchAll(/^\(([\d.]+), 0\) lies (inside|outside)/gm)];
  assert.equal(where.length, 5);
  for (const [line, radius, side] of where) assert.equal(side === 'inside', radius < 0.7, line);
});

test('train_transformer.js: it learns to reverse, says how far it is, and reverses what it is given', () => {
  const text = run('train_transformer.js', '160');
  const steps = [...text.matchAll(/^\[[#.]{24}\] step (\d+)\/160 {2}loss ([\d.]+) /gm)];
  assert.deepEqual(
    steps.map(([, step]) => Number(step)),
    Array.from({ length: 16 }, (_, i) => 10 * (i + 1)),
  );
  const losses = steps.map(([, , loss]) => Number(loss));
  assert.ok(losses[0] > 1.5 && losses.at(-1) < 0.1, losses.join(' '));
  const [, loss] = text.match(/^on sequences it has never seen: loss ([\d.]+), /m);
  assert.ok(loss < 0.1, loss);
  assert.match(text, /^3 1 4 1 5 2 6 5 {2}-> {2}5 6 2 5 1 4 1 3$/m);
});

/** The numbers that follow each occurrence of a word. */
const numbersAfter = (text, word) =>
  [...text.matchAll(new RegExp(`${word} +(-?[\\d.]+)`, 'g'))].map(([, number]) => Number(number));

/** Units in the last place that sync_batch_norm.js has found. */
const unitsIn = (text) => numbersAfter(text, 'largest difference from one BatchNorm:');

test('sync_batch_norm.js: three workers compute what one BatchNorm does', () => {
  const text = run('sync_batch_norm.js');
  assert.match(text, /^3 workers with 5, 2, 9 examples$/m);
  assert.equal(text.match(/^\w+ +\d\.\d\d$/gm).length, 6);
  const [units] = unitsIn(text);
  assert.ok(units <= 2, text);
});

// One program a block, by what it shows.
const BLOCKS = {
  'pre_ln.js': (text) => {
    const sizes = numbersAfter(text, 'block +\\d+');
    assert.equal(sizes.length, 4);
    for (let i = 1; i < sizes.length; i++) assert.ok(sizes[i] > sizes[i - 1], text);
    assert.deepEqual(numbersAfter(text, 'final norm'), [1]);
  },
  'post_ln.js': (text) => {
    assert.deepEqual(numbersAfter(text, 'block +\\d+').slice(1), [1, 1, 1]);
  },
  'sandwich_norm.js': (text) => {
    const [pre, sandwich] = ['Pre-LN', 'Sandwich-LN'].map((name) => numbersAfter(text, name));
    assert.equal(pre.length, 3);
    assert.ok(pre[0] < 2 && pre[2] > 1000, text);
    assert.ok(Math.max(...sandwich) < 2, text);
  },
  'deep_norm.js': (text) => {
    assert.deepEqual(numbersAfter(text, 'alpha'), [1.861, 3.761, 6.687]);
    assert.deepEqual(numbersAfter(text, 'beta'), [0.3799, 0.188, 0.1057]);
    const changes = numbersAfter(text, 'change');
    assert.ok(changes[0] > changes[1] && changes[1] > changes[2], text);
  },
  'group_norm_activation.js': (text) => {
    assert.deepEqual(numbersAfter(text, 'lets through'), [1]);
    assert.deepEqual(numbersAfter(text, 'and (?:relu|silu):'), [50, 50]);
    assert.deepEqual(numbersAfter(text, 'least'), [0, -0.278]); // the least value of SiLU
  },
  'weight_standardized.js': (text) => {
    assert.match(text, /change y by 1e-5 at most$/m);
    assert.deepEqual(numbersAfter(text, 'add up to'), [0]);
  },
  'recurrent_cell.js': (text) => {
    const changes = numbersAfter(text, 'by');
    assert.deepEqual(changes.slice(0, 5), [0, 0, 0, 0, 0]);
    assert.ok(changes.length === 6 && changes[5] > 0.1, text);
  },
  'norm_placement.js': (text) => {
    const [, before, after] = numbersAfter(text, 'mean');
    const [, varianceBefore, varianceAfter] = numbersAfter(text, 'variance');
    // of a normal distribution 1 / sqrt(2 pi) and (1 - 1 / pi) / 2
    assert.ok(Math.abs(before - 0.399) < 0.02 && Math.abs(varianceBefore - 0.341) < 0.02, text);
    assert.deepEqual([after, varianceAfter], [0, 1]);
    const [, leastBefore, leastAfter] = numbersAfter(text, 'least');
    assert.ok(leastBefore === 0 && leastAfter < 0, text);
  },
};

for (const [name, check] of Object.entries(BLOCKS)) {
  test(`blocks/${name} shows what it says`, () => check(run(`blocks/${name}`)));
}

test('every block is a program and has its line in docs/blocks.md', () => {
  const files = readdirSync(join(root, 'examples/blocks')).filter((name) => name !== 'parts.js');
  assert.deepEqual(files.sort(), Object.keys(BLOCKS).sort());
  const page = readFileSync(join(root, 'docs/blocks.md'), 'utf8');
  for (const name of files) assert.ok(page.includes(`(../examples/blocks/${name})`), name);
});

test('beside an installed package, too', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'axisnorm-examples-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'js']) {
    cpSync(join(root, name), join(folder, 'node_modules/axisnorm', name), { recursive: true });
  }
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const [units] = unitsIn(runIn(folder, 'sync_batch_norm.js'));
  assert.ok(units <= 2, `${units}`);
  BLOCKS['pre_ln.js'](runIn(folder, 'blocks/pre_ln.js'));
});
