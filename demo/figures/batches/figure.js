/** Small batches: a network that reads digits, with every norm and ever fewer images at a time. */
import digitsAddress from 'virtual:handwritten-digits';
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { count } from '../../numbers.js';
import { drawnSoon, saidNowAndThen } from '../../shared/live.js';
import { chartsView } from './charts-view.js';
import { batchesCode } from './code.js';
import { digitsView } from './digits-view.js';
import { ALL, FIELDS, SEEDS, SEEN, SIZES } from './fields.js';
import { jobsOf, newResults } from './results.js';
import { UPDATES, WHOLE } from './run.js';
import { progressText, remarkOf, story } from './story.js';
import { publishedTable, tablesView } from './tables-view.js';
import { newTraining } from './training.js';
import './batches.css';

const QUESTION = {
  ask: 'With two images a batch, BatchNorm makes many mistakes while it trains: each image is measured by one other. In inference the running statistics take over. Is its error then …',
  choices: ['larger', 'the same', 'smaller'],
  right: 2,
  pending: 'Train with 2 images a batch to see.',
  because:
    'Running statistics are as steady as a mean of some twenty batches, far steadier than those of two images. What the noise has done to the weights stays: batches of 64 leave fewer errors.',
};

const PRESETS = [
  { label: 'All sizes', state: {} },
  { label: 'Two images a batch', state: { size: 2 } },
  { label: 'An update after every batch', state: { update: 'each' } },
  { label: 'Long training', state: { seen: 51200, seeds: 1 } },
];

const TOY = `Three blocks of 3 × 3 convolution, norm, ReLU and pooling with 8, 16 and 32 channels, and a linear layer; 1,500 digits to learn from and 500 that are held out. Gradient descent with momentum 0.9; the learning rate falls from 0.05 to 0. GroupNorm has four channels a group, and LayerNorm one group: all channels and pixels of an image. Running statistics, with PyTorch’s momentum of 0.1, are as steady as a mean of some twenty batches; the newest seven make up half of them.`;

const UPDATE_NOTES = {
  whole: `Gradients are added up until ${WHOLE} images have been seen. So all sizes make the same updates, and a batch decides one thing: who shares a mean. Without BatchNorm it decides nothing.`,
  each: 'Every batch makes an update, and the learning rate is in proportion to its size. Small batches then make more and smaller updates, which moves the curves of all norms.',
};

const makeWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** @param {HTMLElement} root */
export function figure(root) {
  const view = frame(root, {
    name: 'batches',
    title: 'Errors as batches shrink',
    fields: FIELDS,
    presets: PRESETS,
    question: QUESTION,
    code: batchesCode,
    show,
  });
  const size = slider({
    legend: 'Train with',
    name: 'batches-size',
    values: [ALL, ...SIZES],
    format: (n) => (n === ALL ? 'all batch sizes' : `${n} images a batch`),
    onInput: (value) => view.set({ size: value }),
  });
  const seen = slider({
    legend: 'Images seen',
    name: 'batches-seen',
    values: SEEN,
    format: count,
    onInput: (value) => view.set({ seen: value }),
  });
  const update = choice({
    legend: 'Update',
    name: 'batches-update',
    labels: Object.fromEntries(Object.entries(UPDATES).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ update: value }),
  });
  const seeds = choice({
    legend: 'Seeds',
    name: 'batches-seeds',
    labels: Object.fromEntries(SEEDS.map((n) => [n, String(n)])),
    onChoice: (value) => view.set({ seeds: Number(value) }),
  });
  const go = element('button', { type: 'button', className: 'go', onclick: press }, 'Train');
  const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  const status = element('p', { className: 'status' });
  const trouble = element('p', { className: 'trouble', role: 'alert', hidden: true });
  const hidden = element(
    'p',
    { className: 'remark' },
    'The errors come here once you have made your guess.',
  );
  const outcome = element('p', { className: 'outcome' });
  const digits = digitsView();
  const charts = chartsView();
  const tables = tablesView();
  const key = element('p', { className: 'remark' });
  const updateNote = element('p', { className: 'remark' });
  const remark = element('p', { className: 'remark' });
  const source = element(
    'p',
    { className: 'remark' },
    element('a', { href: 'https://arxiv.org/abs/1803.08494' }, 'Wu & He 2018'),
    ', table 2: ResNet-50, validation set. There the learning rate is in proportion to the batch, and eight GPUs make an update together; BatchNorm’s statistics are those of one GPU.',
  );
  const measured = [
    outcome,
    element('div', { className: 'side-by-side' }, ...charts.elements),
    key,
    element('div', { className: 'errors' }, ...tables.elements),
  ];
  view.controls.append(size.element, seen.element, update.element, seeds.element);
  view.stage.append(
    element('div', { className: 'transport' }, go, element('div', {}, progress, status)),
    trouble,
    hidden,
    ...measured,
    updateNote,
    element(
      'div',
      { className: 'beside-published' },
      publishedTable(),
      element('div', {}, remark, source),
    ),
    digits.element,
    element('p', { className: 'remark' }, TOY),
  );

  const results = newResults();
  /** @type {ReturnType<typeof newTraining> | undefined} */
  let training;
  /** What is being trained, or was last. */
  let wanted = '';
  const redraw = drawnSoon(draw);
  const speech = saidNowAndThen(view.announce);

  const keyOf = (state) =>
    Object.keys(FIELDS)
      .map((name) => state[name])
      .join();

  function press() {
    const { state } = view;
    if (training?.isRunning) training.end();
    else {
      if (results.openOf(state).length === 0) results.forget(state);
      wanted = keyOf(state);
      training = newTraining({
        ...{ makeWorker, address: digitsAddress, jobs: results.openOf(state) },
        onFound: results.add,
        onDigits: digits.show,
        onChange: redraw,
      });
    }
    draw();
  }

  function drawProgress(state) {
    const all = jobsOf(state).length;
    const open = results.openOf(state).length;
    const isRunning = training?.isRunning ?? false;
    const part = isRunning ? training.done % 1 : 0;
    progress.value = (all - open + part) / all;
    status.textContent = progressText(training, open, all);
    const rest = open === all ? 'Train' : open > 0 ? 'Go on' : 'Train again';
    go.textContent = isRunning ? 'Stop' : rest;
    const text = training?.trouble ? `This could not be trained: ${training.trouble}` : '';
    trouble.hidden = text === '';
    if (trouble.textContent !== text) trouble.textContent = text;
  }

  function draw() {
    const { state } = view;
    drawProgress(state);
    hidden.hidden = view.revealed;
    for (const box of measured) box.hidden = !view.revealed;
    view.settle(results.summary({ ...state, size: 2 }, 'inference', 'batch', 2) !== undefined);
    outcome.textContent = story(results, state);
    charts.show(results, state);
    tables.show(results, state);
    key.textContent =
      state.seeds > 1
        ? 'Means of the seeds; bands and small numbers: from the best to the worst of them.'
        : 'One seed. Of 500 images that are held out, one is 0.2 %.';
    announce();
  }

  function announce() {
    const text = () => `${status.textContent} ${outcome.textContent}`;
    if (!view.revealed) return;
    if (training?.isRunning) speech.goOn(text);
    else speech.say(text());
  }

  function show(state) {
    size.show(state.size);
    seen.show(state.seen);
    update.show(state.update);
    seeds.show(String(state.seeds));
    updateNote.textContent = UPDATE_NOTES[state.update];
    remark.textContent = remarkOf(state);
    if (training && keyOf(state) !== wanted) {
      training.end();
      training = undefined;
    }
    draw();
  }

  // A page that is left trains no more.
  addEventListener('pagehide', () => {
    training?.end();
    redraw();
  });
  view.start();
}
