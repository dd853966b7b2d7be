/*
 * node tests/bench/training/run.js: training steps a second of the page's default model, beside the
 * same model in TensorFlow.js on its wasm backend: same parameters at the start, same batches, same
 * Adam. Losses have to agree first; then both are timed in rounds that take turns.
 */
import assert from 'node:assert/strict';
import { DEFAULTS, lane, TASK } from '../../../demo/figures/race/presets.js';
import { modelOptions, trainerOptions } from '../../../demo/figures/race/run.js';
import { load } from '../../../js/train/index.js';
import { Random } from '../../../js/train/random.js';
import { installPeers } from '../../accuracy/peers/install.js';
import { nodeEnvironment } from '../environments/node.js';
import { race } from '../race.js';
import { quartiles, ratio } from '../stats.js';
import { tensorflow } from './tensorflow.js';

const SETTINGS = { rounds: 15, sampleMs: 100, warmUpMs: 2000, warmUpCalls: 30, tries: 3 };
/** Steps whose losses are compared, and how much they may differ: float32 sums drift apart. */
const COMPARED = 5;
const TOLERANCE = 1e-3;
/** The stream of random numbers that a trainer draws its batches from. */
const BATCHES = 1;

installPeers();
const t = await load();
const environment = nodeEnvironment();
const settings = { ...DEFAULTS, lane: lane('pre') };
const model = t.transformer(modelOptions(t, settings));
const trainer = t.trainer(model, trainerOptions(settings));
const task = t.task(TASK);
const random = new Random(settings.seed, BATCHES);
const batch = { ids: model.ids.slice(), targets: model.targets.slice() };
const peer = await tensorflow(await environment.tensorflow(), model, {
  training: trainer.settings,
  draw() {
    task.fill(batch.ids, batch.targets, random, false);
    return batch;
  },
});

for (let step = 1; step <= COMPARED; step++) {
  const [ours, theirs] = [trainer.step().loss, peer.step()];
  console.log(`step ${step}: loss ${ours.toFixed(6)}, TensorFlow.js ${theirs.toFixed(6)}`);
  assert.ok(Math.abs(ours - theirs) < TOLERANCE * ours, 'the losses differ');
}

const repeat = (step) => (calls) => {
  for (let i = 0; i < calls; i++) step();
};
const runs = [repeat(() => trainer.step()), repeat(peer.step)];
const times = await race(runs, environment.clock, SETTINGS);

const report = (name, nanoseconds) => {
  const { low, middle, high } = quartiles(nanoseconds.map((time) => time / 1e6));
  const pace = (1000 / middle).toFixed(1);
  console.log(
    `${name.padEnd(24)}${middle.toFixed(2)} ms a step (${low.toFixed(2)} to ${high.toFixed(2)}), ${pace} steps a second`,
  );
};
console.log();
report(`axisnorm, ${t.build}`, times[0]);
report(`TensorFlow.js, ${peer.backend}`, times[1]);
const { low, middle, high } = ratio(times[1], times[0]);
console.log(`${middle.toFixed(1)} times as fast (${low.toFixed(1)} to ${high.toFixed(1)})`);
