// The examples run in a clone and show what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (name, ...words) =>
  execFileSync(process.execPath, [`examples/${name}`, ...words], { cwd: root }).toString();

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
