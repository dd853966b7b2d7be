/** Where BatchNorm stumbles: a batch of one, training against inference, and padding. */
import { choice } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { batchPart } from './batch.js';
import { FIELDS } from './fields.js';
import { paddingPart } from './padding.js';
import { LENGTHS } from './padding-model.js';
import { runningPart } from './running.js';
import './stumbles.css';

const PARTS = {
  batch: { label: 'Batch size', make: batchPart },
  inference: { label: 'Train, infer', make: runningPart },
  padding: { label: 'Padding', make: paddingPart },
};

const PRESETS = [
  { label: 'One row', state: { size: 1, answer: 'skip' } },
  { label: 'One image', state: { block: 'image', size: 1, answer: 'skip' } },
  { label: 'Two rows', state: { size: 2, answer: 'skip' } },
  {
    label: 'Inference too soon',
    state: { part: 'inference', mode: 'inference', trained: 5, answer: 'skip' },
  },
  { label: 'After 40 batches', state: { part: 'inference', trained: 40, answer: 'skip' } },
  { label: 'Long padding', state: { part: 'padding', length: LENGTHS.max, answer: 'skip' } },
];

const QUESTION = {
  ask: 'A batch of one image, with three channels of 3 × 3 pixels. Can BatchNorm train on it?',
  choices: ['No, one example has no variance', 'Yes'],
  right: 1,
  state: { block: 'image', size: 1 },
  fits: ({ part }) => part === 'batch',
  because:
    'What counts is the number of values that share a mean, N·H·W: here nine. One row of a table ' +
    'has one value per channel, and there BatchNorm refuses.',
};

/**
 * @param {HTMLElement} root
 * @param {import('axisnorm').AxisNorm} an
 */
export function figure(root, an) {
  const view = frame(root, {
    name: 'stumbles',
    title: 'Batch size, running statistics, padding',
    fields: FIELDS,
    presets: PRESETS,
    question: QUESTION,
    code: (state) => parts[state.part].code(state),
    show,
  });

  const part = choice({
    legend: 'What happens',
    name: 'stumbles-part',
    labels: Object.fromEntries(Object.entries(PARTS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ part: value }),
  });
  const parts = Object.fromEntries(
    Object.entries(PARTS).map(([key, { make }]) => [key, make(an, view)]),
  );
  view.controls.append(part.element);
  for (const [key, one] of Object.entries(parts)) {
    one.boxes = { controls: element('div', { className: 'controls' }, ...one.controls) };
    one.boxes.stage = element('div', { className: `stumbles-${key}` }, ...one.stage);
    view.controls.append(one.boxes.controls);
    view.stage.append(one.boxes.stage);
  }

  function show(state) {
    part.show(state.part);
    for (const [key, one] of Object.entries(parts)) {
      const isShown = key === state.part;
      for (const box of Object.values(one.boxes)) box.hidden = !isShown;
      if (isShown) one.show(state);
      else one.pause?.();
    }
  }

  view.start();
}
