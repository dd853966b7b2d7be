// Small batches: the digits, the runs and what is said of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchesCode } from '../../demo/figures/batches/code.js';
import { ALL, FIELDS, SEEN, SIZES } from '../../demo/figures/batches/fields.js';
import { PUBLISHED } from '../../demo/figures/batches/published.js';
import { jobsOf, newResults } from '../../demo/figures/batches/results.js';
import { NORMS, newRun, runAll, UPDATES, WHOLE } from '../../demo/figures/batches/run.js';
import { percent, progressText, remarkOf, story } from '../../demo/figures/batches/story.js';
import { newTraining } from '../../demo/figures/batches/training.js';
import {
  CLASSES,
  COUNT,
  digitOf,
  HELD_OUT,
  LEVELS,
  PIXELS,
  standardize,
  TRAINING,
  unpack,
} from '../../demo/handwriting/digits.js';
import { pack, readDigits } from '../../demo/handwriting/extract.js';
import { initialState, readState, writeState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';
import { runListing } from '../browser/listing.js';
import { claimsOf } from '../experiments/digits.js';

const builds = await Promise.all(['simd128', 'scalar'].map((build) => load({ build })));
const [t] = builds;
const levels = readDigits();
const images = standardize(levels);
const first = initialState(FIELDS);
const SHORT = { size: 8, seed: 1, seen: 640, update: 'whole' };

describe('the digits', () => {
  test('are packed and unpacked without loss, into less than 40 KB', async () => {
    const packed = pack(levels);
    assert.ok(packed.length < 40_000, `${packed.length}`);
    assert.deepEqual(await unpack(new Uint8Array(packed)), levels);
  });

  test('half a file is refused', async () => {
    const half = pack(levels.subarray(0, (COUNT * PIXELS) / 2));
    await assert.rejects(unpack(new Uint8Array(half.subarray(0, 1000))));
  });

  test('are different images with ink on paper', () => {
    assert.equal(levels.length, COUNT * PIXELS);
    assert.ok(levels.every((level) => level < LEVELS));
    const texts = Array.from({ length: COUNT }, (_, i) =>
      levels.subarray(i * PIXELS, (i + 1) * PIXELS).join(),
    );
    assert.ok(new Set(texts).size > 0.99 * COUNT);
    const ink = levels.reduce((sum, v) => sum + v, 0) / levels.length / (LEVELS - 1);
    assert.ok(ink > 0.1 && ink < 0.3, `${ink}`);
  });

  test('ones are narrower than zeros: labels belong to images', () => {
    const inkOf = (digit) => {
      let sum = 0;
      for (let i = digit; i < COUNT; i += CLASSES) {
        assert.equal(digitOf(i), digit);
        sum += levels.subarray(i * PIXELS, (i + 1) * PIXELS).reduce((a, b) => a + b, 0);
      }
      return sum;
    };
    const inks = Array.from({ length: CLASSES }, (_, digit) => inkOf(digit));
    assert.equal(inks.indexOf(Math.min(...inks)), 1);
    assert.equal(inks.indexOf(Math.max(...inks)), 0);
  });

  test('those that are trained on have mean 0 and variance 1', () => {
    const seen = images.subarray(0, TRAINING * PIXELS);
    const mean = seen.reduce((a, b) => a + b, 0) / seen.length;
    const variance = seen.reduce((a, b) => a + b * b, 0) / seen.length;
    assert.ok(Math.abs(mean) < 1e-6 && Math.abs(variance - 1) < 1e-6, `${mean}, ${variance}`);
  });
});

describe('a run', () => {
  test('gives the same twice, and on both builds', () => {
    for (const norm of Object.keys(NORMS)) {
      for (const update of Object.keys(UPDATES)) {
        const job = { ...SHORT, norm, update };
        const results = [builds[0], builds[1], builds[0]].map((one) => runAll(one, images, job));
        assert.deepEqual(results[1], results[0]);
        assert.deepEqual(results[2], results[0]);
        assert.notDeepEqual(runAll(t, images, { ...job, seed: 2 }), results[0]);
      }
    }
    for (const one of builds) assert.equal(one.memoryUsage().used, 0);
  });

  test('every length is made of whole updates, whatever the size', () => {
    for (const seen of SEEN) assert.equal(seen % WHOLE, 0);
    for (const size of SIZES) assert.equal(WHOLE % size, 0);
  });

  test('progress goes from 0 to 1', () => {
    const run = newRun(t, images, { ...SHORT, norm: 'batch' });
    assert.equal(run.progress, 0);
    let made = 0;
    while (run.advance()) made += 1;
    assert.equal(made, SHORT.seen / SHORT.size);
    assert.equal(run.progress, 1);
    run.dispose();
  });

  test('one that diverges gives no numbers', () => {
    const loud = images.map((v) => v * 1e30);
    const result = runAll(t, loud, { ...SHORT, norm: 'none' });
    assert.deepEqual(result, { training: Number.NaN, inference: Number.NaN });
    assert.equal(t.memoryUsage().used, 0);
  });
});

describe('what the figure says', () => {
  const state = { ...first };
  const results = newResults();
  for (const job of jobsOf(state).filter(({ size }) => size === 64 || size === 2)) {
    results.add(job, runAll(t, images, job));
  }
  const mean = (kind, norm, size) => results.summary(state, kind, norm, size).mean;

  for (const [claim, holds] of Object.entries(claimsOf(results, state))) {
    test(claim, () => assert.ok(holds));
  }

  test('the story has these numbers', () => {
    const text = story(results, state);
    for (const [kind, norm, size] of [
      ['inference', 'batch', 64],
      ['inference', 'batch', 2],
      ['inference', 'group', 2],
      ['training', 'batch', 2],
    ]) {
      assert.ok(text.includes(`${percent(mean(kind, norm, size))}\u00a0%`), text);
    }
    assert.match(text, /^From 64 images a batch to 2, the error in inference goes: BatchNorm’s/);
    const one = story(results, { ...state, size: 2 });
    assert.match(
      one,
      /^With 2 images a batch, the error in inference is: BatchNorm .* and No norm/,
    );
  });
});

describe('results', () => {
  test('a state’s runs: the whole picture with every seed', () => {
    const jobs = jobsOf(first);
    assert.equal(jobs.length, 3 * SIZES.length * 4);
    assert.ok(jobs.slice(0, SIZES.length * 4).every(({ seed }) => seed === 1));
    assert.equal(jobsOf({ ...first, size: 2, seeds: 1 }).length, 4);
  });

  test('what is known is not open, until it is forgotten', () => {
    const results = newResults();
    const state = { ...first, size: 2, seeds: 1 };
    const [job] = jobsOf(state);
    results.add(job, { training: 0.2, inference: 0.1 });
    assert.equal(results.openOf(state).length, 3);
    assert.equal(results.openOf({ ...state, seeds: 3 }).length, 11);
    assert.equal(results.openOf({ ...state, update: 'each' }).length, 4);
    assert.deepEqual(results.summary(state, 'training', job.norm, 2), {
      ...{ mean: 0.2, low: 0.2, high: 0.2, seeds: 1 },
    });
    assert.equal(results.summary(state, 'training', job.norm, 4), undefined);
    results.forget(state);
    assert.equal(results.openOf(state).length, 4);
  });

  test('a diverged run shows', () => {
    const results = newResults();
    for (const [i, job] of jobsOf({ ...first, size: 2 }).entries()) {
      const share = i === 0 ? Number.NaN : 0.1;
      results.add(job, { training: share, inference: share });
    }
    assert.match(story(results, { ...first, size: 2 }), /BatchNorm diverged, GroupNorm 10\.0\s%/);
  });

  test('the state is a link', () => {
    const state = { ...first, size: 4, seen: 51200, update: 'each', seeds: 5 };
    const hash = writeState('batches', FIELDS, state);
    assert.deepEqual(readState('batches', FIELDS, hash), state);
    const wrong = '#batches.size=3&batches.seen=1&batches.seeds=2&batches.update=never';
    assert.deepEqual(readState('batches', FIELDS, wrong), first);
    assert.equal(first.size, ALL);
  });

  test('what is said depends on what is set', () => {
    assert.match(remarkOf(first), /ahead with 2 alone/);
    assert.match(remarkOf({ ...first, seen: 51200 }), /by heart/);
    assert.doesNotMatch(remarkOf({ ...first, update: 'each' }), /Here/);
    assert.equal(progressText(undefined, 72, 72), 'Nothing is trained yet.');
    assert.equal(progressText(undefined, 0, 72), 'Done, 72 networks.');
  });
});

describe('training in a worker', () => {
  function fakeWorker() {
    const sent = [];
    let isEnded = false;
    const worker = {
      postMessage: (message) => sent.push(message),
      terminate() {
        isEnded = true;
      },
    };
    const found = [];
    let changes = 0;
    const training = newTraining({
      makeWorker: () => worker,
      address: '/digits',
      jobs: ['a', 'b'],
      onFound: (...what) => found.push(what),
      onDigits() {},
      onChange() {
        changes += 1;
      },
    });
    return {
      ...{ sent, found, training },
      say: (data) => worker.onmessage({ data }),
      fail: (message) => worker.onerror({ message }),
      isEnded: () => isEnded,
      changes: () => changes,
    };
  }

  test('results are handed on, and the worker ends with the last', () => {
    const { sent, found, training, say, isEnded } = fakeWorker();
    assert.deepEqual(sent, [{ address: '/digits', jobs: ['a', 'b'] }]);
    say({ type: 'digits', levels: levels.slice(0, PIXELS) });
    say({ type: 'progress', progress: 0.5 });
    assert.equal(training.done, 0.5);
    say({ type: 'found', job: 'a', result: 1 });
    assert.equal(training.done, 1);
    say({ type: 'found', job: 'b', result: 2 });
    say({ type: 'end' });
    assert.deepEqual(found, [
      ['a', 1],
      ['b', 2],
    ]);
    assert.ok(isEnded() && !training.isRunning);
    assert.equal(training.trouble, '');
  });

  test('nothing is heard after it was stopped', () => {
    const { found, training, say, isEnded, changes } = fakeWorker();
    training.end();
    assert.ok(isEnded() && !training.isRunning);
    say({ type: 'found', job: 'a', result: 1 });
    assert.deepEqual(found, []);
    assert.equal(changes(), 0);
  });

  test('trouble is told, that of loading too', () => {
    const one = fakeWorker();
    one.say({ type: 'trouble', message: 'no memory' });
    assert.equal(one.training.trouble, 'no memory');
    const other = fakeWorker();
    other.fail('');
    assert.match(other.training.trouble, /could not be loaded/);
    assert.ok(one.isEnded() && other.isEnded());
  });
});

test('the published numbers are those of the paper', () => {
  const errors = (norm) => PUBLISHED.map((one) => one[norm]);
  assert.deepEqual(errors('size'), [32, 16, 8, 4, 2]);
  assert.deepEqual(errors('batch'), [23.6, 23.7, 24.8, 27.3, 34.7]);
  assert.deepEqual(errors('group'), [24.1, 24.2, 24.0, 24.2, 24.1]);
});

test('the listing logs what the figure shows', async () => {
  for (const state of [
    { ...first, size: 16, seen: 6400 },
    { ...first, size: 4, seen: 6400, update: 'each' },
  ]) {
    const logged = await runListing(batchesCode(state).js);
    const norms = Object.keys(NORMS);
    assert.equal(logged.length, 3 * norms.length);
    norms.forEach((norm, i) => {
      const { size, seen, update } = state;
      const want = runAll(t, images, { norm, size, seed: 1, seen, update });
      assert.deepEqual(logged.slice(3 * i, 3 * i + 3), [norm, size, want]);
    });
  }
});

test('the PyTorch listing trains the same sizes', () => {
  const { pytorch } = batchesCode({ ...first, size: 2, update: 'each' });
  assert.match(pytorch, /for batch in \[2\]:/);
  assert.match(pytorch, /per_update = batch/);
  assert.equal(HELD_OUT, 500);
});
