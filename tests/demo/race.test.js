// The race: models without a DOM, without workers or with such as do what they are told.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { raceCode } from '../../demo/figures/race/code.js';
import { csvOf } from '../../demo/figures/race/csv.js';
import { FIELDS } from '../../demo/figures/race/fields.js';
import {
  append,
  curveOf,
  MOST_POINTS,
  median,
  newest,
  newHistory,
  rateCurve,
  stepsPerPoint,
} from '../../demo/figures/race/history.js';
import {
  LOOKS,
  MOST,
  namesOf,
  readLane,
  readLanes,
  writeLane,
} from '../../demo/figures/race/lanes.js';
import { pacer } from '../../demo/figures/race/pacer.js';
import { DEFAULTS, lane, PRESETS } from '../../demo/figures/race/presets.js';
import { newRace } from '../../demo/figures/race/race.js';
import { laneRun, rowLength } from '../../demo/figures/race/run.js';
import { lossText, percent, progressText, story } from '../../demo/figures/race/story.js';
import { initialState, readState, writeState } from '../../demo/state.js';
import { load } from '../../js/train/index.js';
import { runListing } from '../browser/listing.js';

const t = await load();
const small = { depth: 2, width: 16, rate: 6e-3, warmup: 4 };

describe('lanes', () => {
  test('every text is read as it is written, and nothing else is', () => {
    for (const placement of ['post', 'pre', 'sandwich', 'deepnorm', 'none'])
      for (const norm of ['layer', 'rms'])
        for (const warmup of [false, true])
          for (const finalNorm of [false, true]) {
            const one = { placement, norm, warmup, finalNorm };
            assert.deepEqual(readLane(writeLane(one)), one);
          }
    for (const text of ['', 'post.', 'pre.final', 'post.bare', 'pre.warm.rms', 'toString', 'pre.x'])
      assert.equal(readLane(text), undefined, text);
    assert.equal(readLanes('post'), undefined);
    assert.equal(readLanes('post_pre_post_pre_post'), undefined);
    assert.equal(readLanes('post_pri'), undefined);
    assert.equal(readLanes('post_pre.rms').length, 2);
  });

  test('names tell lanes apart', () => {
    const names = namesOf(readLanes('post.warm_pre.rms.bare_pre_pre'));
    assert.deepEqual(names, [
      'Post-LN, warm-up',
      'Pre-LN, RMSNorm, no final norm',
      'Pre-LN',
      'Pre-LN (2)',
    ]);
  });

  test('hue, dash and mark differ', () => {
    assert.equal(LOOKS.length, MOST);
    for (const kind of ['hue', 'dash', 'shape'])
      assert.equal(new Set(LOOKS.map((look) => look[kind])).size, MOST, kind);
  });
});

describe('state', () => {
  const first = initialState(FIELDS);

  test('at first it is what the presets begin with', () => {
    for (const [name, value] of Object.entries(DEFAULTS)) assert.equal(first[name], value, name);
    assert.deepEqual(first.lanes, PRESETS[0].lanes);
  });

  test('every preset has an address of its own', () => {
    const all = PRESETS.map(({ name, label, ...others }) => ({ ...first, ...others }));
    const hashes = all.map((state) => writeState('race', FIELDS, state));
    assert.equal(new Set(hashes).size, PRESETS.length);
    for (const [i, hash] of hashes.entries())
      assert.deepEqual(readState('race', FIELDS, hash), all[i], hash);
  });

  test('what cannot be is as it was at first', () => {
    const hash = '#race.depth=25&race.rate=0.0061&race.runs=4&race.steps=2001&race.lanes=pre';
    assert.deepEqual(readState('race', FIELDS, hash), first);
  });
});

describe('a lane', () => {
  test('one step of all seeds is a row, and equal seeds give equal bits', () => {
    const run = laneRun(t, { ...small, lane: lane('post', { warmup: true }), seeds: [1, 2, 1] });
    const other = laneRun(t, { ...small, lane: lane('post', { warmup: true }), seeds: [1] });
    for (let step = 1; step <= 6; step++) {
      assert.deepEqual([run.advance(), run.advance(), run.advance()], [false, false, true]);
      assert.equal(other.advance(), true);
      assert.equal(run.step, step);
      assert.equal(run.row[0], step < 4 ? (6e-3 * step) / 4 : 6e-3);
      assert.deepEqual(run.row.slice(1, 4), other.row.slice(1, 4));
      assert.deepEqual(run.row.slice(1, 4), run.row.slice(7, 10));
      assert.notDeepEqual(run.row.slice(1, 4), run.row.slice(4, 7));
    }
    assert.deepEqual(run.evaluate()[0], other.evaluate()[0]);
    run.dispose();
    other.dispose();
  });

  test('a seed that diverges stops, says at which step, and leaves the others alone', () => {
    const own = { lane: lane('none'), depth: 24, width: 32, rate: 5e-2, warmup: 0 };
    const run = laneRun(t, { ...own, seeds: [1, 3] });
    const rows = [];
    while (run.alive && run.step < 100) if (run.advance()) rows.push(run.row.slice());
    const [one, two] = run.divergedAt;
    assert.ok(one > 1 && two > 1 && one !== two, `${one}, ${two}`);
    assert.equal(run.step, Math.max(one, two));
    const first = Math.min(one, two);
    const [fallen, other] = one < two ? [1, 4] : [4, 1];
    assert.ok(rows[first].slice(fallen, fallen + 3).every(Number.isNaN));
    assert.ok(Number.isFinite(rows[first - 1][other]));
    assert.ok(run.evaluate().every(({ loss }) => Number.isNaN(loss)));
    run.dispose();
  });
});

/** A history of given losses, one list a seed. */
function historyOf(losses, steps = losses[0].length) {
  const history = newHistory(steps, losses.length);
  for (let i = 0; i < losses[0].length; i++) {
    const row = [0.01 * (i + 1), ...losses.flatMap((one) => [one[i], 0.5, 1])];
    assert.equal(row.length, rowLength(losses.length));
    append(history, Float64Array.from(row));
  }
  return history;
}

describe('curves', () => {
  test('however long, they have few points; steps and means are right', () => {
    for (const steps of [1, 7, 159, 160, 161, 600, 2000]) {
      const losses = Array.from({ length: steps }, (_, i) => i);
      const history = historyOf([losses]);
      const { points, band } = curveOf(history, 'loss');
      assert.ok(points.length <= MOST_POINTS && band.length === points.length, `${steps}`);
      const width = stepsPerPoint(steps);
      assert.equal(points.length, Math.ceil(steps / width));
      for (const [i, [x, y]] of points.entries()) {
        const from = i * width;
        const to = Math.min(steps, from + width);
        assert.equal(x, (from + 1 + to) / 2);
        assert.ok(Math.abs(y - (from + to - 1) / 2) < 1e-9);
        assert.deepEqual(band[i], [x, from, to - 1]);
      }
      const rates = rateCurve(history);
      assert.ok(rates.length <= MOST_POINTS + 1);
      assert.deepEqual(rates.at(-1), [steps, 0.01 * steps]);
    }
  });

  test('with several seeds: median and range of their means', () => {
    const { points, band } = curveOf(
      historyOf([
        [1, 2],
        [5, 3],
        [3, 9],
      ]),
      'loss',
    );
    assert.deepEqual(points, [
      [1, 3],
      [2, 3],
    ]);
    assert.deepEqual(band, [
      [1, 1, 5],
      [2, 2, 9],
    ]);
  });

  test('NaN, infinities and constants', () => {
    const { points, band } = curveOf(historyOf([[2, 2, Infinity, Number.NaN, 2]]), 'loss');
    assert.deepEqual(
      points.map(([, y]) => y),
      [2, 2, Number.NaN, Number.NaN, 2],
    );
    assert.deepEqual(band[2].slice(1), [Number.NaN, Number.NaN]);
    const two = curveOf(
      historyOf([
        [1, Number.NaN],
        [3, 4],
      ]),
      'loss',
    );
    assert.deepEqual(two, {
      points: [
        [1, 2],
        [2, 4],
      ],
      band: [
        [1, 1, 3],
        [2, 4, 4],
      ],
    });
  });

  test('the newest steps, and before there are any', () => {
    assert.ok(Number.isNaN(newest(newHistory(5, 1), 'loss')));
    const losses = Array.from({ length: 50 }, (_, i) => i);
    assert.equal(newest(historyOf([losses]), 'loss'), (30 + 49) / 2);
    assert.ok(Number.isNaN(median([Number.NaN, Infinity])));
  });
});

describe('CSV', () => {
  const all = (generator) => {
    for (;;) {
      const { done, value } = generator.next();
      if (done) return value.join('');
    }
  };

  test('a line a step and seed with all digits; names with commas are quoted', () => {
    const history = historyOf([
      [0.1, 1 / 3],
      [2, Number.NaN],
    ]);
    const name = 'Pre-LN, "new"';
    const text = all(csvOf([{ name, seeds: [4, 5], history, divergedAt: [undefined, 2] }]));
    assert.deepEqual(text.split('\r\n'), [
      'model,seed,step,loss,accuracy,rate,gradient_norm',
      '"Pre-LN, ""new""",4,1,0.1,0.5,0.01,1',
      '"Pre-LN, ""new""",4,2,0.3333333333333333,0.5,0.02,1',
      '"Pre-LN, ""new""",5,1,2,0.5,0.01,1',
      '"Pre-LN, ""new""",5,2,NaN,0.5,0.02,1',
      '',
    ]);
  });

  test('it pauses now and then, and says nothing of what a seed did after it diverged', () => {
    const history = historyOf([Array.from({ length: 1000 }, () => 1)]);
    const work = csvOf([{ name: 'a', seeds: [1], history, divergedAt: [900] }]);
    let pauses = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) pauses += 1;
    assert.ok(pauses >= 4);
    assert.equal(step.value.length, 901);
  });
});

describe('pace', () => {
  /** A clock that is wound by hand, on which every piece of work takes a time. */
  function clocked({ takes, parts = 1, last = Infinity }) {
    let time = 0;
    let made = 0;
    const tasks = [];
    const log = { slices: 0, steps: 0, idle: 0 };
    const player = pacer({
      now: () => time,
      later: (run, delay) => tasks.push({ run, at: time + delay }),
      work() {
        time += takes;
        made += 1;
        if (made % parts > 0) return 'part';
        log.steps += 1;
        return log.steps === last ? 'end' : 'whole';
      },
      rest(isIdle) {
        log.slices += 1;
        log.idle += Number(isIdle);
      },
    });
    /** Runs what is due until then. */
    function until(end) {
      while (tasks.length > 0 && tasks[0].at <= end) {
        const { run, at } = tasks.shift();
        time = Math.max(time, at);
        run();
      }
      time = Math.max(time, end);
    }
    return { player, log, until, tasks, skip: (ms) => (time += ms) };
  }

  test('it works in slices that let messages in, and ends', () => {
    const { player, log, until, tasks } = clocked({ takes: 3, last: 100 });
    player.play();
    until(10_000);
    assert.equal(log.steps, 100);
    assert.ok(log.slices >= 100 / 8 && log.slices <= 100, `${log.slices}`);
    assert.deepEqual([log.idle, tasks.length], [1, 0]);
  });

  test('pause ends after the piece at hand; one step is one step', () => {
    const { player, log, until } = clocked({ takes: 10, parts: 3 });
    player.play();
    until(55);
    player.pause();
    const { steps } = log;
    until(1000);
    assert.equal(log.steps, steps);
    player.step();
    player.step(); // one after the other, not two at once
    until(2000);
    assert.equal(log.steps, steps + 1);
  });

  test('a pace is kept, and what was missed is not made up for', () => {
    const { player, log, until, skip } = clocked({ takes: 1 });
    player.setPace(20);
    player.play();
    until(1000);
    assert.ok(log.steps >= 18 && log.steps <= 21, `${log.steps}`);
    const { steps } = log;
    skip(60_000); // the machine slept
    until(62_000);
    assert.ok(log.steps - steps <= 42, `${log.steps - steps}`);
  });

  test('a faster pace begins at once', () => {
    const { player, log, until } = clocked({ takes: 1 });
    player.setPace(0.1);
    player.play();
    until(100);
    assert.equal(log.steps, 1);
    player.setPace(1000);
    until(30_000);
    assert.ok(log.steps > 1000, `${log.steps}`);
  });
});

describe('a race', () => {
  /** Workers that note what they are told and say what a test lets them say. */
  function withWorkers(settings = {}) {
    const workers = [];
    let changes = 0;
    let time = 0;
    const race = newRace({
      settings: { ...initialState(FIELDS), steps: 4, ...settings },
      perSecond: 20,
      now: () => time,
      onChange: () => (changes += 1),
      makeWorker() {
        const worker = {
          heard: [],
          ended: false,
          postMessage: (message) => worker.heard.push(message),
          terminate: () => (worker.ended = true),
          say: (data) => worker.onmessage({ data }),
          rows: (...losses) =>
            worker.say({
              type: 'rows',
              values: Float64Array.from(losses.flatMap((loss) => [0.1, loss, 0.5, 1])),
              divergedAt: [undefined],
            }),
        };
        workers.push(worker);
        return worker;
      },
    });
    return { race, workers, changes: () => changes, pass: (ms) => (time += ms) };
  }

  test('workers are told what to do, in order', () => {
    const { race, workers } = withWorkers({ seed: 3, runs: 5 });
    race.play();
    race.setPace(4);
    race.pause();
    race.step();
    for (const { heard } of workers) {
      const types = heard.map(({ type }) => type);
      assert.deepEqual(types, ['begin', 'pace', 'play', 'pace', 'pause', 'step']);
      assert.deepEqual(heard[0].settings.seeds, [3, 4, 5, 6, 7]);
      assert.equal(heard[0].settings.steps, 4);
    }
    assert.equal(workers[0].heard[0].settings.lane.placement, 'post');
  });

  test('what they report is kept; in the end they are gone', () => {
    const { race, workers, changes, pass } = withWorkers();
    const [one, two] = workers;
    race.play();
    assert.equal(progressText(race, 4), 'Fetching the trainer.');
    for (const worker of workers) worker.say({ type: 'ready' });
    one.rows(3, 2.5);
    two.rows(2);
    pass(1000);
    assert.equal(progressText(race, 4), 'Step 1 of 4, 1.0 a second, 3 s left.');
    one.rows(2.2, 2.1);
    one.say({ type: 'end', unseen: [{ loss: 2.08, accuracy: 0.125 }] });
    assert.deepEqual(
      [one.ended, two.ended, race.isOver, race.isPlaying],
      [true, false, false, true],
    );
    two.rows(1, 0.5, 0.1);
    two.say({ type: 'end', unseen: [{ loss: 0.00005, accuracy: 1 }] });
    assert.ok(race.isOver && two.ended && !race.isPlaying);
    assert.equal(changes(), 8);
    assert.deepEqual([...race.lanes[0].history.values.loss[0]], [3, 2.5, 2.2, 2.1]);
    assert.equal(
      story(race, initialState(FIELDS)),
      'On sequences that no model has seen: Post-LN is still guessing: a loss of 2.08, 12.5 % right. Pre-LN has learned it: a loss of < 0.0001, 100 % right.',
    );
    assert.equal(progressText(race, 4), 'Done, 4 steps.');
  });

  test('a bad start is said', () => {
    const { race, workers } = withWorkers();
    const [one, two] = workers;
    race.play();
    one.rows(8.5);
    two.rows(2.5);
    for (const worker of workers) worker.say({ type: 'end', unseen: [{ loss: 1, accuracy: 0.5 }] });
    assert.match(
      story(race, initialState(FIELDS)),
      /Post-LN is on its way: a loss of 1\.00 \(it started at 8\.50\), 50\.0 % right\. Pre-LN is on its way: a loss of 1\.00, 50\.0 % right\./,
    );
  });

  test('a model that diverges ends, and the step is said', () => {
    const { race, workers } = withWorkers();
    race.play();
    const [one] = workers;
    one.say({
      type: 'rows',
      values: Float64Array.of(0.1, 50, 0.1, 1, 0.1, Number.NaN, 0.1, Number.NaN),
      divergedAt: [2],
    });
    one.say({ type: 'end', unseen: [{ loss: Number.NaN, accuracy: Number.NaN }] });
    assert.ok(!race.isOver);
    const text = story(race, initialState(FIELDS));
    assert.match(
      text,
      /^Post-LN diverged at step 2, where its loss was NaN\. It was stopped there\. /,
    );
  });

  test('trouble is kept with its lane, and the others go on', () => {
    const { race, workers } = withWorkers();
    const [one, two] = workers;
    race.play();
    one.say({ type: 'trouble', message: 'no WebAssembly' });
    assert.deepEqual([race.lanes[0].status, race.lanes[0].trouble], ['failed', 'no WebAssembly']);
    assert.ok(one.ended && race.isPlaying);
    two.onerror({});
    assert.match(race.lanes[1].trouble, /could not be loaded/);
    assert.ok(race.isOver);
    assert.equal(progressText(race, 4), 'Nothing could be trained.');
  });

  test('ended workers are not heard any more', () => {
    const { race, workers, changes } = withWorkers();
    race.play();
    race.end();
    assert.ok(workers.every(({ ended }) => ended));
    workers[0].rows(1);
    assert.deepEqual([race.lanes[0].history.length, changes()], [0, 0]);
  });
});

test('numbers as they are written', () => {
  assert.deepEqual([2.0794, 0.05, 0.00009, Number.NaN, Infinity].map(lossText), [
    ...['2.08', '0.0500', '< 0.0001', 'NaN', '∞'],
  ]);
  assert.deepEqual([0, 0.125, 1, Number.NaN].map(percent), ['0 %', '12.5 %', '100 %', 'NaN']);
});

describe('the listing', () => {
  const steps = 40;
  const shown = { ...initialState(FIELDS), depth: 2, width: 16, steps, runs: 3, seed: 2 };

  test('it trains as the race does, bit for bit', async () => {
    const state = { ...shown, lanes: readLanes('post.warm_pre.rms'), warmup: 20 };
    const logged = await runListing(raceCode(state).js);
    const expected = ['guessing', Math.log(8)];
    for (const [i, name] of namesOf(state.lanes).entries()) {
      const run = laneRun(t, { ...state, lane: state.lanes[i], seeds: [2, 3, 4] });
      const losses = [[], [], []];
      while (run.step < steps) {
        if (run.advance() && run.step % 20 === 0)
          for (const k of [0, 1, 2]) losses[k].push(name, k + 2, run.step, run.row[1 + 3 * k]);
      }
      for (const [k, unseen] of run.evaluate().entries())
        expected.push(...losses[k], name, k + 2, 'unseen', unseen);
      run.dispose();
    }
    assert.deepEqual(logged, expected);
  });

  test('one that diverges says so', async () => {
    const wild = { lanes: [lane('none'), lane('none')], depth: 24, width: 32, rate: 5e-2 };
    const state = { ...shown, ...wild, runs: 1 };
    const logged = await runListing(raceCode(state).js);
    const run = laneRun(t, { ...state, lane: lane('none'), seeds: [2] });
    while (run.alive) run.advance();
    assert.deepEqual(logged.slice(2, 5), ['No norm', 2, run.divergedAt[0]]);
    run.dispose();
  });

  test('PyTorch: every lane that its layer knows is trained, the others are named', () => {
    const state = { ...shown, lanes: readLanes('pre.rms.warm_post_sandwich_none') };
    const { pytorch } = raceCode(state);
    assert.match(
      pytorch,
      /^train\("Pre-LN, RMSNorm, warm-up", True, nn.RMSNorm, True, warmup=300\)$/m,
    );
    assert.match(pytorch, /^train\("Post-LN", False, nn.LayerNorm, False, warmup=0\)$/m);
    assert.match(pytorch, /^# Sandwich: /m);
    assert.match(pytorch, /^# No norm: /m);
  });
});
