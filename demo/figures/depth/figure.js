/** Ten layers deep: what becomes of activations and gradients. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { short } from '../../numbers.js';
import { lineChart, svg } from '../../shared/chart.js';
import { runInSlices } from '../../shared/slices.js';
import { numbersTable } from '../../shared/table.js';
import { depthCode } from './code.js';
import { FIELDS } from './fields.js';
import { BINS, INITS, LAYERS, LIMIT, NORMS, PLACES, runLayers, WIDTHS } from './model.js';
import './depth.css';

const PRESETS = [
  { label: 'PyTorch’s default fades', state: {} },
  { label: 'Too large explodes', state: { init: 'large' } },
  { label: 'The same with LayerNorm', state: { init: 'large', norm: 'layer' } },
  { label: 'The default with BatchNorm', state: { norm: 'batch' } },
];

/** Without a norm the place of the norm makes no difference. */
const withoutNorm = (state) => ({ ...state, norm: 'none', place: 'before' });
const keyOf = ({ width, init, norm, place }) => [width, init, norm, place].join();

const labelsOf = (things) =>
  Object.fromEntries(Object.entries(things).map(([key, { label }]) => [key, label]));

const WIDTH = 5;
const HEIGHT = 26;

/** The histogram of one layer; the height of a bar is the root of its share. */
function bars(shares) {
  const rects = shares.map((share, bin) => {
    const height = Math.sqrt(share) * HEIGHT;
    const isOutside = (bin === 0 || bin === BINS - 1) && share > 0;
    const place = { x: bin * WIDTH, y: HEIGHT - height, width: WIDTH - 1, height };
    return svg('rect', { ...place, class: isOutside ? 'outside' : 'inside' });
  });
  const middle = ((BINS - 1) / 2) * WIDTH + WIDTH / 2 - 0.5;
  const zero = svg('line', { x1: middle, x2: middle, y1: HEIGHT, y2: HEIGHT + 3 });
  const box = `0 0 ${BINS * WIDTH} ${HEIGHT + 3}`;
  return svg('svg', { viewBox: box, class: 'bars', 'aria-hidden': 'true' }, ...rects, zero);
}

/** Powers of ten around all values, three at least. */
function decades(values) {
  const known = values.filter((v) => v > 0 && Number.isFinite(v));
  const low = Math.min(-1, Math.floor(Math.log10(Math.min(...known)) + 0.05));
  const high = Math.max(1, Math.ceil(Math.log10(Math.max(...known)) - 0.05));
  return [10 ** low, 10 ** high];
}

/** From the first to the last layer, in words. */
function story({ layers }, { norm, init }) {
  const [first, last] = [layers[0], layers[LAYERS - 1]];
  const name = norm === 'none' ? 'Without a norm' : `With ${NORMS[norm].label} norm`;
  const activations = `the spread of the activations goes from ${short(first.spread)} in layer 1 to ${short(last.spread)} in layer ${LAYERS}`;
  const gradients = `of a gradient of size 1 at the top, ${short(first.gradient)} arrives below layer 1`;
  const note = norm === 'none' ? ` ${INITS[init].story}` : '';
  return `${name}, ${activations}; ${gradients}.${note}`;
}

/**
 * @param {HTMLElement} root
 * @param {import('axisnorm').AxisNorm} an
 */
export function figure(root, an) {
  const view = frame(root, {
    name: 'depth',
    title: 'Activations up, gradients down',
    fields: FIELDS,
    presets: PRESETS,
    code: depthCode,
    show,
  });
  const norm = choice({
    legend: 'Norm',
    name: 'depth-norm',
    labels: labelsOf(NORMS),
    onChoice: (value) => view.set({ norm: value }),
  });
  const place = choice({
    legend: 'Where',
    name: 'depth-place',
    labels: labelsOf(PLACES),
    onChoice: (value) => view.set({ place: value }),
  });
  const init = choice({
    legend: 'Initial weights',
    name: 'depth-init',
    labels: labelsOf(INITS),
    onChoice: (value) => view.set({ init: value }),
  });
  const width = slider({
    legend: 'Width of a layer',
    name: 'depth-width',
    values: WIDTHS,
    format: (value) => `${value} features`,
    onInput: (value) => view.set({ width: value }),
  });
  const outcome = element('p', { className: 'outcome' });
  const charts = {
    spread: lineChart({
      height: 250,
      title: 'Forward: spread of the activations',
      across: 'layer',
    }),
    gradient: lineChart({
      height: 250,
      title: 'Backward: size of the gradients. ←\u00a0They travel this way',
      across: 'layer',
    }),
  };
  const table = numbersTable('Layer by layer', 'layers');
  const weights = element('p', { className: 'remark' });
  const key = element(
    'p',
    { className: 'remark' },
    `64 normally distributed examples go up; a normally distributed gradient comes down. Spread: standard deviation over all examples and features. Gradients: root mean squares, below each layer. Histograms: how often values of each size occur, from −${LIMIT} to ${LIMIT}; the height is the root of a bar’s share, and the outer bars, where coloured, hold what lies outside.`,
  );
  view.controls.append(norm.element, place.element, init.element, width.element);
  view.stage.append(
    outcome,
    element('div', { className: 'side-by-side' }, charts.spread.element, charts.gradient.element),
    table.element,
    weights,
    key,
  );

  /** What has been computed since the page was opened, by state. */
  const known = new Map();
  let running = new AbortController();

  async function resultOf(state, signal) {
    const name = keyOf(state);
    if (!known.has(name)) known.set(name, await runInSlices(runLayers(an, state), signal));
    return known.get(name);
  }

  function show(state) {
    norm.show(state.norm);
    place.show(state.place);
    init.show(state.init);
    width.show(state.width);
    place.element.hidden = state.norm === 'none';
    running.abort();
    running = new AbortController();
    compute(state, running.signal);
  }

  async function compute(state, signal) {
    view.stage.setAttribute('aria-busy', 'true');
    try {
      const isPlain = state.norm === 'none';
      const own = await resultOf(isPlain ? withoutNorm(state) : state, signal);
      const plain = await resultOf(withoutNorm(state), signal);
      if (!signal.aborted) draw(state, own, plain);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function draw(state, own, plain) {
    const isPlain = own === plain;
    outcome.textContent = story(own, state);
    weights.textContent = `Weights: ${INITS[state.init].about}.`;
    for (const [kind, chart] of Object.entries(charts)) {
      const points = ({ layers }) => layers.map((layer, i) => [i + 1, layer[kind]]);
      const series = [
        { label: 'no norm', hue: 1, shape: 'square', dash: '6 4', points: points(plain) },
        ...(isPlain
          ? []
          : [
              {
                label: `${NORMS[state.norm].label} norm`,
                hue: 0,
                shape: 'circle',
                points: points(own),
              },
            ]),
      ];
      const y = decades(series.flatMap((one) => one.points.map(([, v]) => v)));
      const words = own.layers.map((layer, i) => `layer ${i + 1} ${short(layer[kind])}`).join(', ');
      chart.show({ x: [1, LAYERS], y, logarithmic: true, series }, words);
    }
    table.show(
      ['layer', 'activations', 'mean', 'spread', 'gradient', 'weights’ gradient'],
      own.layers.map((layer, i) => [
        String(i + 1),
        bars(layer.shares),
        short(layer.mean),
        short(layer.spread),
        short(layer.gradient),
        short(layer.weightGradient),
      ]),
    );
    view.stage.setAttribute('aria-busy', 'false');
    view.announce(outcome.textContent);
  }

  view.start();
}
