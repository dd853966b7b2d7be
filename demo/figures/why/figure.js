/** Why: gradients and the residual stream, as models start and while they train. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { drawnSoon, saidNowAndThen } from '../../shared/live.js';
import { whyCode } from './code.js';
import { FIELDS, MODES } from './fields.js';
import { newTraining, startMeasuring } from './measuring.js';
import { DEPTHS, LOSSES, PROBED, STEPS, spread } from './model.js';
import { startView } from './start-view.js';
import { startProgress, startStory, trainingProgress, trainingStory } from './story.js';
import { lanesAt, trainingView } from './training-view.js';
import './why.css';

const PRESETS = [
  { label: 'Shallow', state: { depth: 2 } },
  { label: 'Eight blocks', state: {} },
  { label: 'Deep', state: { depth: 24 } },
  { label: 'Eight blocks, while training', state: { mode: 'training' } },
];

const NOTES = {
  start: `W₂ is the second matrix of the feed-forward network. Each gradient is that of the loss of one token, as the theorem has it; the norms of ${LOSSES} tokens and all seeds are averaged after. In the gradient of a batch the tokens’ gradients cancel in part, more so in shallow models, and that hides the law. The theory bounds the last block only, up to a factor: the height of its curves is fitted.`,
  training:
    'Reversing eight symbols at a learning rate of 0.006, the warm-up over 300 steps. What happens here is measured, not promised by the theory, which is about the start alone.',
};

const makeWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** @param {HTMLElement} root */
export function figure(root) {
  const view = frame(root, {
    name: 'why',
    title: 'Why: gradients and the residual stream',
    fields: FIELDS,
    presets: PRESETS,
    code: whyCode,
    show,
  });
  const mode = choice({
    legend: 'When',
    name: 'why-mode',
    labels: MODES,
    onChoice: (value) => view.set({ mode: value }),
  });
  const depth = slider({
    legend: 'Depth',
    name: 'why-depth',
    values: DEPTHS,
    format: (n) => (n === 1 ? '1 block' : `${n} blocks`),
    onInput: (value) => view.set({ depth: value }),
  });
  const step = slider({
    legend: 'Look at',
    name: 'why-step',
    values: PROBED,
    format: (n) => (n === 0 ? 'the start' : `step ${n}`),
    onInput: (value) => view.set({ step: value }),
  });
  const go = element('button', { type: 'button', className: 'go', onclick: press }, 'Train');
  const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  const status = element('p', { className: 'status' });
  const trouble = element('p', { className: 'trouble', role: 'alert', hidden: true });
  const outcome = element('p', { className: 'outcome' });
  const parts = { start: startView(), training: trainingView() };
  const note = element('p', { className: 'remark' });
  view.controls.append(mode.element, depth.element, step.element, go);
  view.stage.append(
    element('div', { className: 'overall' }, progress, status),
    trouble,
    outcome,
    parts.start.element,
    parts.training.element,
    note,
  );

  const redraw = drawnSoon(draw);
  const speech = saidNowAndThen(view.announce);
  const measuring = startMeasuring({ makeWorker, onChange: redraw });
  /** @type {ReturnType<typeof newTraining> | undefined} */
  let training;

  const lastOf = (placement, blocks) =>
    spread(measuring.of(placement, blocks), 'gradientNorms').at(-1)?.mean ?? Number.NaN;

  function press() {
    if (training?.isRunning) training.end();
    else training = newTraining({ makeWorker, onChange: redraw, depth: view.state.depth });
    draw();
  }

  function drawStart(state) {
    const all = parts.start.jobs(state.depth).length;
    parts.start.show(state.depth, measuring.of);
    outcome.textContent = startStory(state.depth, lastOf, measuring.open === 0);
    status.textContent = startProgress(measuring.open, all);
    progress.value = 1 - measuring.open / all;
    return { isBusy: measuring.open > 0, problem: measuring.trouble };
  }

  function drawTraining(state) {
    parts.training.show(state, training);
    const lanes = lanesAt(training, state.step);
    outcome.textContent = trainingStory(lanes[0]?.step ?? 0, lanes);
    status.textContent = trainingProgress(training);
    progress.value = (training?.found[0]?.at(-1)?.step ?? 0) / STEPS;
    go.textContent = training?.isRunning ? 'Stop' : training ? 'Train again' : 'Train';
    return { isBusy: training?.isRunning ?? false, problem: training?.trouble };
  }

  function draw() {
    const { state } = view;
    const isStart = state.mode === 'start';
    const { isBusy, problem } = isStart ? drawStart(state) : drawTraining(state);
    const text = problem ? `This could not be measured: ${problem}` : '';
    trouble.hidden = text === '';
    if (trouble.textContent !== text) trouble.textContent = text;
    if (isBusy) speech.goOn(() => outcome.textContent);
    else speech.say(outcome.textContent);
  }

  function show(state) {
    const isStart = state.mode === 'start';
    mode.show(state.mode);
    depth.show(state.depth);
    step.show(state.step);
    step.element.hidden = isStart;
    go.hidden = isStart;
    parts.start.element.hidden = !isStart;
    parts.training.element.hidden = isStart;
    note.textContent = NOTES[state.mode];
    if (training && training.depth !== state.depth) {
      training.end();
      training = undefined;
    }
    measuring.want(isStart ? parts.start.jobs(state.depth) : []);
    draw();
  }

  // What nobody looks at leaves the processors to others.
  new IntersectionObserver((entries) => measuring.watch(entries.at(-1).isIntersecting)).observe(
    root,
  );
  view.start();
}
