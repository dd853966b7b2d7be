// Why: what is measured, what the theory says of it, and who does the work.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULTS, TASK } from '../../demo/figures/race/presets.js';
import { modelOptions, trainerOptions } from '../../demo/figures/race/run.js';
import { whyCode } from '../../demo/figures/why/code.js';
import { FIELDS } from '../../demo/figures/why/fields.js';
import { newTraining, startMeasuring } from '../../demo/figures/why/measuring.js';
import {
  bounds,
  fitted,
  LOSSES,
  measureStart,
  PROBED,
  SEEDS,
  SHAPES,
  START_WIDTH,
  STEPS,
  spread,
  TRAINED,
  TRAINING,
  trainAndProbe,
} from '../../demo/figures/why/model.js';
import { startStory, trainingProgress, trainingStory } from '../../demo/figures/why/story.js';
import { initialState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';
import { runListing } from '../browser/listing.js';

const t = await load();

/** All seeds of a model as it starts. */
const measured = (placement, depth) =>
  SEEDS.map((seed) => measureStart(t, { placement, depth, seed }));

const lastOf = (probes) => spread(probes, 'gradientNorms').at(-1).mean;

describe('as models start', () => {
  const probes = Object.fromEntries(
    ['post', 'pre'].map((placement) => [
      placement,
      Object.fromEntries([4, 16].map((depth) => [depth, measured(placement, depth)])),
    ]),
  );

  test('the last block’s gradient: as 1/√depth in Pre-LN, the same in Post-LN', () => {
    const [pre, post] = ['pre', 'post'].map(
      (one) => lastOf(probes[one][4]) / lastOf(probes[one][16]),
    );
    assert.ok(pre > 1.6 && pre < 2.6, `Pre-LN ${pre}`);
    assert.ok(post > 0.7 && post < 1.4, `Post-LN ${post}`);
  });

  test('the first block’s does not fade in Post-LN', () => {
    const { mean } = spread(probes.post[16], 'gradientNorms')[0];
    assert.ok(mean > 0.5 * lastOf(probes.post[16]), `${mean}`);
  });

  test('the residual stream: between the bounds in Pre-LN, 1 in Post-LN', () => {
    for (const depth of [4, 16]) {
      spread(probes.pre[depth], 'streamNorms').forEach(({ mean, low, high }, l) => {
        const [least, most] = bounds(l);
        if (l > 0) assert.ok(mean > least && mean < most, `${depth}, block ${l}: ${mean}`);
        assert.ok(low <= mean && mean <= high);
      });
      for (const { mean } of spread(probes.post[depth], 'streamNorms').slice(1))
        assert.ok(Math.abs(mean - 1) < 1e-3, `${mean}`);
    }
  });

  test('it is what t.probe() gives for single tokens', () => {
    const model = t.transformer({
      ...{ placement: 'pre', depth: 4, width: START_WIDTH, heads: 4, batch: 1, seed: 2 },
      ...t.task(TASK).sizes,
    });
    assert.deepEqual(probes.pre[4][1], t.probe(model, { ...TASK, losses: LOSSES, seed: 2 }));
    model.dispose();
  });

  test('the memory is given back', () => {
    const { used } = t.memoryUsage();
    measureStart(t, { placement: 'post', depth: 2, seed: 1 });
    assert.equal(t.memoryUsage().used, used);
  });
});

test('a theory’s height is fitted to what is measured', () => {
  const { pre, post } = SHAPES;
  assert.ok(
    Math.abs(
      fitted(
        pre,
        [4, 9, 16].map((depth) => [depth, 7 / Math.sqrt(depth)]),
      ) - 7,
    ) < 1e-12,
  );
  assert.ok(
    Math.abs(
      fitted(post, [
        [2, 3],
        [8, 12],
      ]) - 6,
    ) < 1e-12,
  );
  assert.deepEqual([0, 1, 4].map(bounds), [
    [1, 1],
    [1.5, 2.5],
    [3, 7],
  ]);
});

describe('while training', () => {
  const depth = 2;
  const found = [...trainAndProbe(t, depth)].filter(Boolean);

  test('every model is looked at at every step that was to be', () => {
    assert.deepEqual([PROBED[0], PROBED.at(-1)], [0, STEPS]);
    for (const lane of TRAINED.keys())
      assert.deepEqual(
        found.filter((one) => one.lane === lane).map(({ step }) => step),
        PROBED,
      );
  });

  test('losses are those of the same training without probes, bit for bit', () => {
    for (const [lane, own] of TRAINED.entries()) {
      const settings = { ...TRAINING, lane: own, depth };
      const model = t.transformer(modelOptions(t, settings));
      const trainer = t.trainer(model, trainerOptions(settings));
      const losses = Array.from({ length: STEPS + 1 }, () => trainer.step().loss);
      for (const one of found)
        if (one.lane === lane) assert.equal(one.loss, losses[one.step], `${lane}, ${one.step}`);
      model.dispose();
    }
  });

  test('the listings log what is drawn', async () => {
    const state = { ...initialState(FIELDS), mode: 'training', depth, step: 5 };
    const logged = await runListing(whyCode(state).js);
    const expected = TRAINED.flatMap((own, lane) => {
      const { probe } = found.find((one) => one.lane === lane && one.step === 5);
      const warmup = own.warmup ? DEFAULTS.warmup : 0;
      return [own.placement, warmup, probe.gradientNorms, probe.streamNorms];
    });
    assert.deepEqual(logged, expected);
    const start = await runListing(whyCode({ ...state, mode: 'start' }).js);
    const places = ['post', 'pre'].flatMap((placement) => {
      const all = measured(placement, depth);
      const means = (name) => spread(all, name).map(({ mean }) => mean);
      return [placement, means('gradientNorms'), means('streamNorms')];
    });
    assert.deepEqual(start, places);
  });
});

describe('who measures', () => {
  /** Workers that note what they are told and say what a test lets them say. */
  function office() {
    const workers = [];
    let changes = 0;
    return {
      workers,
      changes: () => changes,
      options: {
        onChange: () => (changes += 1),
        makeWorker() {
          const worker = {
            jobs: [],
            ended: false,
            postMessage: (message) => worker.jobs.push(message),
            terminate: () => (worker.ended = true),
            say: (data) => worker.onmessage({ data }),
            finish(probe) {
              const { type, ...job } = worker.jobs.at(-1);
              worker.say({ type: 'found', job, probe });
              worker.say({ type: 'end' });
            },
          };
          workers.push(worker);
          return worker;
        },
      },
    };
  }
  const job = (placement, depth, seed = 1) => ({ placement, depth, seed });

  test('nothing before somebody looks; then one after the other, each once', () => {
    const { workers, options } = office();
    const measuring = startMeasuring(options);
    measuring.want([job('post', 4), job('pre', 4)]);
    assert.equal(workers.length, 0);
    measuring.watch(true);
    assert.deepEqual(workers[0].jobs, [{ type: 'measure', ...job('post', 4) }]);
    measuring.watch(false);
    workers[0].finish('first');
    assert.equal(workers[0].jobs.length, 1, 'nobody looks');
    measuring.want([job('pre', 8), job('post', 4), job('pre', 4)]);
    assert.equal(measuring.open, 2, 'what is known is not measured again');
    measuring.watch(true);
    assert.equal(workers[0].jobs[1].depth, 8, 'what is wanted now comes first');
    workers[0].finish('second');
    workers[0].finish('third');
    assert.ok(workers[0].ended);
    assert.equal(measuring.open, 0);
    assert.deepEqual([measuring.of('post', 4), measuring.of('pre', 4)], [['first'], ['third']]);
    assert.deepEqual(measuring.of('pre', 16), []);
  });

  test('trouble ends it', () => {
    const { workers, options, changes } = office();
    const measuring = startMeasuring(options);
    measuring.watch(true);
    measuring.want([job('post', 4), job('pre', 4)]);
    workers[0].onerror({});
    assert.match(measuring.trouble, /could not be loaded/);
    assert.ok(workers[0].ended);
    measuring.want([job('post', 6)]);
    assert.deepEqual([workers.length, changes()], [1, 1]);
  });

  test('a training is gathered by model; stopped, it is over', () => {
    const { workers, options } = office();
    const training = newTraining({ ...options, depth: 8 });
    const [worker] = workers;
    assert.deepEqual(worker.jobs, [{ type: 'train', depth: 8 }]);
    assert.equal(trainingProgress(training), 'Fetching the trainer.');
    worker.say({ type: 'found', lane: 0, step: 0 });
    worker.say({ type: 'found', lane: 1, step: 0 });
    worker.say({ type: 'found', lane: 0, step: 1 });
    assert.deepEqual(
      training.found.map((one) => one.length),
      [2, 1],
    );
    assert.equal(trainingProgress(training), 'Step 1 of 120.');
    training.end();
    assert.ok(worker.ended && !training.isRunning);
    assert.equal(trainingProgress(training), 'Stopped at step 1.');
  });
});

test('stories', () => {
  const known = { post: { 4: 8, 8: 8, 16: 8 }, pre: { 4: 5, 8: 3.5, 16: 2.5 } };
  const of = (placement, depth) => known[placement][depth] ?? Number.NaN;
  assert.equal(
    startStory(8, of, true),
    'Deeper: Post-LN’s line stays flat, Pre-LN’s falls. From 4 to 16 blocks the last block’s gradient goes ×1.00 in Post-LN (theory: ×1) and ×0.50 in Pre-LN (theory: ×0.5). With 8 blocks, the last block’s gradient has norm 8.00 in Post-LN and 3.50 in Pre-LN.',
  );
  assert.match(startStory(8, of, false), /^With 8 blocks, .+3\.50 in Pre-LN\.$/);
  assert.equal(startStory(2, of, false), 'Measuring.');
  assert.match(
    trainingStory(1, [{ name: 'Post-LN', first: 1e-5, last: 2 }]),
    /^After 1 step, the gradient is 1\.00e−5 in the first and 2\.00 in the last block of Post-LN\.$/,
  );
});
