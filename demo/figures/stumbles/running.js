/** Training against inference: running statistics over batches. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { lineChart } from '../../shared/chart.js';
import { numbersTable } from '../../shared/table.js';
import { runningCode } from './code.js';
import {
  BATCH_SIZE,
  BATCHES,
  halfLife,
  history,
  MOMENTA,
  normalized,
  READINGS,
} from './running-model.js';

const PLAY_MS = 350;
const MODES = { training: 'Training', inference: 'Inference' };
const STYLES = {
  pytorch: { hue: 0, shape: 'circle' },
  keras: { hue: 1, shape: 'square', dash: '6 4' },
};

/** The statistics of one kind as lines. */
function seriesOf(model, kind, { trained }) {
  const lines = Object.entries(READINGS).map(([key, { label }]) => ({
    label,
    ...STYLES[key],
    points: model.readings[key].slice(0, trained + 1).map((s, i) => [i, s[kind]]),
  }));
  const batches = model.batches.slice(0, trained).map((s, i) => [i + 1, s[kind]]);
  const all = model.all[kind];
  return [
    { label: 'one batch', hue: 3, shape: 'ring', line: false, points: batches },
    {
      label: 'all 150',
      hue: 2,
      dash: '2 3',
      points: [
        [0, all],
        [BATCHES, all],
      ],
    },
    ...lines,
  ];
}

/** With two decimals: what is less is rounding here. */
const fixed = (value) => (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace('-', '−');

const percent = (share) => `${Number((share * 100).toPrecision(3))} %`;

/** What the number means, in each formula. */
function remark(momentum) {
  const [py, keras] = [momentum, 1 - momentum].map((w) => [percent(w), halfLife(w)]);
  const batches = (n) => (n === 1 ? 'the newest batch alone' : `the newest ${n} batches`);
  const start = `With ${momentum} PyTorch gives a new batch ${py[0]}, and ${batches(py[1])} make${py[1] === 1 ? 's' : ''} up at least half. Keras gives it ${keras[0]}, and ${batches(keras[1])} make${keras[1] === 1 ? 's' : ''} up at least half.`;
  if (momentum > 0.1) return start;
  return `${start} You may have read code with Keras’ formula and PyTorch’s 0.1: at each step it keeps only a tenth of the history.`;
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {import('../../frame.js').Frame} view
 */
export function runningPart(an, view) {
  const mode = choice({
    legend: 'The layer is in',
    name: 'stumbles-mode',
    labels: MODES,
    onChoice: (value) => change({ mode: value, looked: 0 }),
  });
  const momentum = slider({
    legend: 'momentum m',
    name: 'stumbles-momentum',
    values: MOMENTA,
    onInput: (value) => change({ momentum: value }),
  });
  const step = element(
    'button',
    { type: 'button', onclick: () => pause() || next() },
    'Next batch',
  );
  const play = element(
    'button',
    { type: 'button', onclick: () => (timer ? pause() : run()) },
    'Play',
  );
  const again = element(
    'button',
    { type: 'button', onclick: () => change({ trained: 0, looked: 0 }) },
    'From the start',
  );
  const charts = {
    mean: lineChart({
      height: 230,
      title: 'Running mean of the petal length, cm',
      across: 'batch',
    }),
    variance: lineChart({ height: 230, title: 'Running variance, cm²', across: 'batch' }),
  };
  const outcome = element('p', { className: 'outcome' });
  const table = numbersTable('The same m, read in two ways');
  const note = element('p', { className: 'remark' });
  let timer;
  let known;

  function pause() {
    clearInterval(timer);
    timer = undefined;
    play.textContent = 'Play';
  }

  function run() {
    play.textContent = 'Pause';
    timer = setInterval(next, PLAY_MS);
    next();
  }

  function change(what) {
    pause();
    view.set(what);
  }

  /** In training a batch is learnt from, in inference it is only looked at. */
  function next() {
    const { mode: now, trained, looked } = view.state;
    if (now === 'training') view.set({ trained: Math.min(trained + 1, BATCHES) });
    else view.set({ looked: (looked + 1) % BATCHES });
    if (view.state.trained === BATCHES && now === 'training') pause();
  }

  function show(state) {
    if (known?.momentum !== state.momentum) {
      known = { momentum: state.momentum, model: history(an, state.momentum) };
    }
    const { model } = known;
    const isTraining = state.mode === 'training';
    mode.show(state.mode);
    momentum.show(state.momentum);
    step.disabled = isTraining && state.trained === BATCHES;
    play.disabled = step.disabled;

    for (const [kind, chart] of Object.entries(charts)) {
      const series = seriesOf(model, kind, state);
      const ends = Object.entries(READINGS).map(
        ([key, { label }]) => `${label} ${short(model.readings[key][state.trained][kind])}`,
      );
      const top = kind === 'mean' ? 5 : 6;
      chart.show(
        { x: [0, BATCHES], y: [0, top], series },
        `Running ${kind} after ${state.trained} batches: ${ends.join(', ')}; of all irises ${short(model.all[kind])}.`,
      );
    }

    const index = Math.max(0, state.trained - 1 + (isTraining ? 0 : state.looked + 1)) % BATCHES;
    const rows = Object.entries(READINGS).map(([key, { label, formula, weight }]) => {
      const frozen = model.readings[key][state.trained];
      const one = normalized(an, index, isTraining ? undefined : frozen);
      return [
        element('span', {}, label, element('small', {}, formula)),
        percent(weight(state.momentum)),
        short(frozen.mean),
        short(frozen.variance),
        `${fixed(one.mean)} ± ${fixed(Math.sqrt(one.variance))}`,
      ];
    });
    table.show(['as in', 'new batch', 'running μ', 'running σ²', 'y of batch, μ ± σ'], rows);
    outcome.textContent = isTraining
      ? state.trained === 0
        ? `No batch yet: the running mean is 0 and the running variance 1, which is what inference would use. y here is batch 1 by its own statistics.`
        : `Batch ${state.trained} of ${BATCHES}, ${BATCH_SIZE} irises: y comes from this batch’s own mean and variance, and the running ones move.`
      : `Batch ${index + 1} is only looked at: y comes from the running statistics of ${state.trained} batches, which stay as they are. A single example would do.`;
    note.textContent = remark(state.momentum);
    view.announce(outcome.textContent);
  }

  return {
    controls: [
      mode.element,
      momentum.element,
      element('div', { className: 'buttons' }, step, play, again),
    ],
    stage: [
      outcome,
      element('div', { className: 'side-by-side' }, charts.mean.element, charts.variance.element),
      table.element,
      note,
    ],
    show,
    pause,
    code: runningCode,
  };
}
