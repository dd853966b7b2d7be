/** What all models of a race share, and how it is looked at, as controls. */
import { choice, slider } from '../../controls.js';
import { DEPTHS, PACES, RATES, RUNS, SCALES, SEEDS, STEPS, WARMUPS, WIDTHS } from './fields.js';

const labelsOf = (things) =>
  Object.fromEntries(Object.entries(things).map(([key, { label }]) => [key, label]));

const counted = (what) => (n) => `${n} ${n === 1 ? what : `${what}s`}`;

/** @param {(change: Record<string, any>) => void} set */
export function settingsView(set) {
  const own = (field) => ({
    name: `race-${field}`,
    onInput: (value) => set({ [field]: value }),
  });
  const sliders = {
    depth: slider({ legend: 'Depth', values: DEPTHS, format: counted('block'), ...own('depth') }),
    rate: slider({ legend: 'Learning rate', values: RATES, ...own('rate') }),
    warmup: slider({
      legend: 'Warm-up, where on',
      values: WARMUPS,
      format: counted('step'),
      ...own('warmup'),
    }),
    width: slider({
      legend: 'Width',
      values: WIDTHS,
      format: counted('feature'),
      ...own('width'),
    }),
    steps: slider({ legend: 'Training', ...STEPS, format: counted('step'), ...own('steps') }),
    seed: slider({ legend: 'Seed', ...SEEDS, ...own('seed') }),
  };
  const choices = {
    runs: choice({
      legend: 'Seeds at once',
      name: 'race-runs',
      labels: Object.fromEntries(RUNS.map((n) => [n, String(n)])),
      onChoice: (value) => set({ runs: Number(value) }),
    }),
    pace: choice({
      legend: 'Speed, steps a second',
      name: 'race-pace',
      labels: labelsOf(PACES),
      onChoice: (value) => set({ pace: value }),
    }),
    scale: choice({
      legend: 'Axis of the loss',
      name: 'race-scale',
      labels: SCALES,
      onChoice: (value) => set({ scale: value }),
    }),
  };
  return {
    /** What the models are. */
    elements: [...Object.values(sliders), choices.runs].map((one) => one.element),
    /** How fast they are trained, and how the loss is drawn. */
    pace: choices.pace.element,
    scale: choices.scale.element,
    show(state) {
      for (const [field, one] of Object.entries(sliders)) one.show(state[field]);
      choices.runs.show(String(state.runs));
      choices.pace.show(state.pace);
      choices.scale.show(state.scale);
      sliders.warmup.element.hidden = !state.lanes.some(({ warmup }) => warmup);
    },
  };
}
