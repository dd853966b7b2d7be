/** Errors against the batch size, one chart for inference and one for training. */
import { lineChart } from '../../shared/chart.js';
import { SIZES } from './fields.js';
import { sizesOf } from './results.js';
import { NORMS } from './run.js';
import { percent } from './story.js';

const LOOKS = {
  batch: { hue: 1, shape: 'square' },
  group: { hue: 0, shape: 'circle' },
  layer: { hue: 2, shape: 'triangle', dash: '2 4' },
  none: { hue: 3, shape: 'diamond', dash: '7 4' },
};

const TITLES = {
  inference: 'Error in inference, on images that were held out',
  training: 'Error while training, with the statistics of the batch',
};

/** Halving the batch is a step to the right. */
const place = (size) => -Math.log2(size);
const PLACES = SIZES.map(place);
const RANGE = [PLACES[0] - 0.3, PLACES.at(-1) + 0.3];

/** The axis ends at a multiple of so much. */
const STEP = 0.1;

function seriesOf(results, state, kind) {
  return Object.entries(NORMS).map(([norm, { label }]) => {
    const known = sizesOf(state)
      .map((size) => ({ at: place(size), ...results.summary(state, kind, norm, size) }))
      .filter(({ mean }) => mean !== undefined);
    return {
      ...{ label, ...LOOKS[norm] },
      points: known.map(({ at, mean }) => [at, mean]),
      ...(state.seeds > 1 && { band: known.map(({ at, low, high }) => [at, low, high]) }),
    };
  });
}

function wordsOf(results, state, kind) {
  const each = Object.entries(NORMS).map(([norm, { label }]) => {
    const numbers = sizesOf(state)
      .map((size) => [size, results.summary(state, kind, norm, size)])
      .filter(([, summary]) => summary)
      .map(([size, { mean }]) => `${percent(mean)} with ${size}`);
    return `${label} ${numbers.join(', ') || 'not yet'}`;
  });
  return `${TITLES[kind]}, in percent: ${each.join('; ')}.`;
}

export function chartsView() {
  const charts = Object.fromEntries(
    Object.entries(TITLES).map(([kind, title]) => [
      kind,
      lineChart({
        ...{ height: 300, title, across: 'images a batch' },
        format: (share) => `${Math.round(100 * share)} %`,
        formatX: (at) => String(2 ** -at),
      }),
    ]),
  );
  return {
    elements: Object.values(charts).map(({ element }) => element),
    show(results, state) {
      const all = Object.fromEntries(
        Object.keys(charts).map((kind) => [kind, seriesOf(results, state, kind)]),
      );
      const highest = Object.values(all)
        .flat()
        .flatMap(({ points, band = [] }) => [...points, ...band].map((one) => one.at(-1)))
        .filter(Number.isFinite);
      const top = STEP * Math.max(3, Math.ceil(Math.max(0, ...highest) / STEP));
      for (const [kind, chart] of Object.entries(charts)) {
        const data = { x: RANGE, xTicks: PLACES, y: [0, top], series: all[kind] };
        chart.show(data, wordsOf(results, state, kind));
      }
    },
  };
}
