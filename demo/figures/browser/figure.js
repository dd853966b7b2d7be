/** In your browser: how fast the library is here. */
import { load } from 'axisnorm';
import { choice } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { count, short } from '../../numbers.js';
import { ticks, tickText } from '../../shared/axis.js';
import { drawing, svg } from '../../shared/chart.js';
import { runInSlices } from '../../shared/slices.js';
import { numbersTable } from '../../shared/table.js';
import { browserCode } from './code.js';
import { FIELDS } from './fields.js';
import { CONTENDERS, measure, OPERATIONS, ROUNDS, SHAPES } from './model.js';
import './browser.css';

const nameOf = ({ rows, cols }) => `${count(rows)} × ${count(cols)}`;
const HUES = { loop: 1, scalar: 2, simd128: 0 };

const BAR = 13;
const GROUP = 66;
const HEIGHT = SHAPES.length * GROUP + 40;

/** Nanoseconds a value: shapes of all sizes fit beside each other. */
const perValue = (microseconds, { rows, cols }) => (microseconds * 1000) / (rows * cols);

/** A bar to the median, and a line over the quartiles; what is not measured yet has its place. */
function bars(width, results) {
  const known = results.flatMap(({ shape, measured }) =>
    Object.values(measured ?? {}).map(({ times }) => perValue(times[2], shape)),
  );
  const most = Math.max(0.1, ...known) * 1.05;
  const left = 14;
  const at = (v) => left + (v / most) * (width - left - 16);
  const parts = results.flatMap(({ shape, measured }, k) => {
    const top = k * GROUP;
    const title = svg('text', { x: 0, y: top + 14, class: 'strong' }, nameOf(shape));
    const rows = Object.keys(CONTENDERS).flatMap((name, i) => {
      const y = top + 20 + i * (BAR + 1);
      const bar = (end, className) =>
        svg('rect', { x: left, y, width: end - left, height: BAR, class: className });
      const number = svg('text', { x: 0, y: y + BAR - 2 }, String(i + 1));
      const track = bar(width - 16, 'track');
      const times = measured?.[name]?.times;
      if (times === undefined) return [number, track];
      const [low, median, high] = times.map((time) => at(perValue(time, shape)));
      const range = { x1: low, x2: high, y1: y + BAR / 2, y2: y + BAR / 2, class: 'range' };
      return [number, track, bar(median, `bar hue${HUES[name]}`), svg('line', range)];
    });
    return [title, ...rows];
  });
  const bottom = SHAPES.length * GROUP + 14;
  for (const v of ticks(0, most, 5)) {
    const anchor = v === 0 ? 'start' : 'middle';
    parts.push(svg('text', { x: at(v), y: bottom, 'text-anchor': anchor }, tickText(v)));
  }
  const middle = { x: width / 2, y: bottom + 18, 'text-anchor': 'middle' };
  parts.push(svg('text', middle, 'nanoseconds a value'));
  return parts;
}

/** Both builds of the library, or the scalar one where the engine has no SIMD. */
async function loadBuilds(an) {
  const scalar = await load({ build: 'scalar' });
  return an.build === 'simd128' ? { scalar, simd128: an } : { scalar };
}

/**
 * @param {HTMLElement} root
 * @param {import('axisnorm').AxisNorm} an
 */
export function figure(root, an) {
  const view = frame(root, {
    name: 'browser',
    title: 'LayerNorm, timed on this machine',
    fields: FIELDS,
    code: browserCode,
    show,
  });
  const operation = choice({
    legend: 'LayerNorm',
    name: 'browser-operation',
    labels: Object.fromEntries(Object.entries(OPERATIONS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ operation: value }),
  });
  const button = element('button', { type: 'button', className: 'go', onclick: press }, 'Measure');
  const outcome = element('p', { className: 'outcome' });
  const picture = drawing(HEIGHT, bars);
  const key = element(
    'p',
    { className: 'chart-legend' },
    ...Object.entries(CONTENDERS).map(([name, { label }], i) =>
      element(
        'span',
        {},
        element('i', { className: `swatch hue${HUES[name]}` }),
        `${i + 1}. ${label}`,
      ),
    ),
  );
  const table = numbersTable('Microseconds a call: median, and the middle half of the rounds');
  const note = element(
    'p',
    { className: 'remark' },
    `Each takes its turn in ${ROUNDS} rounds of about 10 ms, and results are compared with float64 before anything is timed. The loop and the library work on arrays that are there already; nothing is copied. What else runs on this machine shows in the spread.`,
  );
  view.controls.append(operation.element, button);
  view.stage.append(outcome, picture.element, key, table.element, note);

  /** Results of an operation, one a shape. */
  const known = Object.fromEntries(
    Object.keys(OPERATIONS).map((name) => [name, SHAPES.map((shape) => ({ shape }))]),
  );
  /** @type {AbortController | undefined} */
  let running;

  async function press() {
    if (running) {
      running.abort();
      return;
    }
    running = new AbortController();
    const { operation: name } = view.state;
    known[name] = SHAPES.map((shape) => ({ shape }));
    button.textContent = 'Stop';
    try {
      await measureAll(name, running.signal);
    } catch (error) {
      if (!running.signal.aborted) throw error;
    } finally {
      running = undefined;
      button.textContent = 'Measure again';
      show(view.state);
    }
  }

  async function measureAll(name, signal) {
    const builds = await loadBuilds(an);
    for (const [i, shape] of SHAPES.entries()) {
      show(view.state);
      const work = measure(builds, { operation: name, ...shape }, () => performance.now());
      known[name][i] = { shape, ...(await runInSlices(work, signal)) };
    }
  }

  /** What has come out, in words. */
  function story(results) {
    const done = results.filter(({ measured }) => measured);
    if (done.length === 0) return running ? 'Measuring.' : 'Nothing is measured yet.';
    const best = (measured) => (measured.simd128 ?? measured.scalar).times[1];
    const ratios = done.map(({ measured }) => measured.loop.times[1] / best(measured));
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((v) => short(v));
    const range = low === high ? low : `${low} to ${high}`;
    const worst = Math.max(
      ...done.flatMap(({ measured }) => Object.values(measured).map((m) => m.error)),
    );
    const same = done.every((one) => one.same) ? ' Both builds gave the same bits.' : '';
    const state = done.length < results.length && running ? 'So far' : 'Here';
    return `${state} the loop takes ${range} times as long as axisnorm with ${an.build}. All results were checked first: the largest error is ${short(worst)} of the largest value.${same}`;
  }

  function show(state) {
    operation.show(state.operation);
    const results = known[state.operation];
    outcome.textContent = story(results);
    const done = results.filter(({ measured }) => measured);
    const words = done.map(({ shape, measured }) => {
      const each = Object.entries(measured).map(
        ([name, { times }]) => `${CONTENDERS[name].label} ${short(times[1])} µs`,
      );
      return `${nameOf(shape)}: ${each.join(', ')}`;
    });
    picture.show(results, words.join('; ') || 'Nothing is measured yet');
    table.show(
      ['rows × columns', ...Object.values(CONTENDERS).map(({ label }) => label)],
      results.map(({ shape, measured }) => [
        nameOf(shape),
        ...Object.keys(CONTENDERS).map((name) => {
          const one = measured?.[name];
          if (one === undefined) return '–';
          const [low, median, high] = one.times.map(short);
          return element('span', {}, median, element('small', {}, `${low} to ${high}`));
        }),
      ]),
    );
    if (!running && done.length > 0) view.announce(outcome.textContent);
  }

  view.start();
}
