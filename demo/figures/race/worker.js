/** A lane of the race in a worker: trains as it is told and reports what comes out. */
import { load } from 'axisnorm/train';
import { pacer } from './pacer.js';
import { laneRun } from './run.js';

/** Milliseconds between reports. */
const REPORT_EVERY = 50;

let run;
let steps = 0;
let player;
/** Rows that are not yet reported. */
let rows = [];
let reported = 0;

function report() {
  reported = performance.now();
  if (rows.length === 0) return;
  const size = run.row.length;
  const values = new Float64Array(rows.length * size);
  for (const [i, row] of rows.entries()) values.set(row, i * size);
  rows = [];
  postMessage({ type: 'rows', values, divergedAt: run.divergedAt }, [values.buffer]);
}

const isOver = () => run.step === steps || !run.alive;

function work() {
  if (isOver()) return 'end';
  if (!run.advance()) return 'part';
  rows.push(run.row.slice());
  return isOver() ? 'end' : 'whole';
}

function rest(isIdle) {
  if (isIdle || performance.now() - reported >= REPORT_EVERY) report();
  if (isOver()) postMessage({ type: 'end', unseen: run.evaluate() });
}

const COMMANDS = {
  async begin({ settings }) {
    const t = await load();
    run = laneRun(t, settings);
    steps = settings.steps;
    player = pacer({ work, rest });
    postMessage({ type: 'ready', chance: run.chance, build: t.build });
  },
  play: () => player.play(),
  step: () => player.step(),
  pace: ({ perSecond }) => player.setPace(perSecond),
  pause() {
    player.pause();
    report();
  },
};

/** One command after the other: the first one takes its time. */
let done = Promise.resolve();

addEventListener('message', ({ data: { type, ...how } }) => {
  done = done
    .then(() => COMMANDS[type](how))
    .catch((error) => postMessage({ type: 'trouble', message: error.message }));
});
