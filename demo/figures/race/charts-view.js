/** The curves of a race: loss, accuracy and learning rate over the steps. */
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { tickText } from '../../shared/axis.js';
import { lineChart } from '../../shared/chart.js';
import { curveOf, newest, rateCurve, stepsPerPoint } from './history.js';
import { LOOKS, namesOf } from './lanes.js';
import { SCHEDULE, TASK } from './presets.js';
import { CHANCE, lossText, percent } from './story.js';

/** Up to where a linear axis shows losses: guessing, and room for a bad start above. */
const LINEAR_TOP = 1.5 * CHANCE;
const RATE_TITLE = `Learning rate: from step ${SCHEDULE.decayFrom} it falls`;
/** Less is as good as nothing. */
const LOG_BOTTOM = 1e-4;

/**
 * From where to where the loss is drawn. A linear axis stays; a logarithmic one reaches to the power
 * of ten above the largest loss.
 */
export function lossRange(scale, largest) {
  if (scale === 'linear') return [0, LINEAR_TOP];
  return [LOG_BOTTOM, 10 ** Math.max(1, Math.ceil(Math.log10(largest)))];
}

/** The largest finite value of all bands; 0 where there is none. */
const largestOf = (series) =>
  series
    .flatMap(({ band = [] }) => band)
    .reduce((most, [, , high]) => (Number.isFinite(high) && high > most ? high : most), 0);

const CHANCE_LEVEL = { y: CHANCE, label: `guessing: ln ${TASK.symbols} = ${lossText(CHANCE)}` };
const GUESSED = 1 / TASK.symbols;

const asPercent = (share) => `${Math.round(100 * share)} %`;

/** What a point and its band are. */
function meaning(steps, runs) {
  const width = stepsPerPoint(steps);
  if (runs > 1) {
    const each = width > 1 ? `means of ${width} steps` : 'single steps';
    return `Line: median of ${runs} seeds (${each}); band: from the least to the largest of them.`;
  }
  if (width === 1) return 'Every point is one step, one batch.';
  return `Line: mean of ${width} steps; band: from the least to the largest of them.`;
}

/** @param {HTMLElement} scale  the control of the loss’s axis */
export function chartsView(scale) {
  const loss = lineChart({ height: 320, title: 'Loss', across: 'step' });
  const accuracy = lineChart({
    ...{ height: 200, title: 'Tokens that are right', across: 'step' },
    format: asPercent,
  });
  const rate = lineChart({
    ...{ height: 200, title: RATE_TITLE, across: 'step' },
    format: (value) => String(Number(value.toPrecision(3))),
  });
  const key = element('p', { className: 'remark' });

  /** Lines of all lanes; without a race they are only announced. */
  function seriesOf(names, race, draw) {
    return names.map((label, i) => ({
      ...{ label, ...LOOKS[i], marks: 'last', points: [] },
      ...(race && draw(race.lanes[i].history)),
    }));
  }

  return {
    loss: element(
      'div',
      { className: 'loss' },
      loss.element,
      element('div', { className: 'below' }, key, scale),
    ),
    others: element('div', { className: 'side-by-side smaller' }, accuracy.element, rate.element),
    show(state, race) {
      const names = namesOf(state.lanes);
      const x = [0, state.steps];
      const words = (say) =>
        race
          ? race.lanes.map((one) => `${one.name} ${say(one.history)}`).join(', ')
          : 'no steps yet';
      const series = seriesOf(names, race, (history) => curveOf(history, 'loss'));
      const largest = largestOf(series);
      const y = lossRange(state.scale, largest);
      loss.show(
        {
          ...{ x, y, logarithmic: state.scale === 'log' },
          ...{ levels: [CHANCE_LEVEL], series },
        },
        `Loss: ${words((history) => lossText(newest(history, 'loss')))}; ${CHANCE_LEVEL.label}.`,
      );
      accuracy.show(
        {
          ...{ x, y: [0, 1], levels: [{ y: GUESSED, label: 'guessing' }] },
          series: seriesOf(names, race, (history) => curveOf(history, 'accuracy')),
        },
        `Tokens that are right: ${words((history) => percent(newest(history, 'accuracy')))}.`,
      );
      rate.show(
        {
          ...{ x, y: [0, state.rate * 1.1] },
          series: seriesOf(names, race, (history) => ({ points: rateCurve(history) })),
        },
        `Learning rate: ${words(({ length, rate: all }) => String(length > 0 ? all[length - 1] : 0))}.`,
      );
      const beyond =
        largest > y[1]
          ? ` Losses above ${tickText(y[1])}, up to ${short(largest)}, are drawn at the edge.`
          : '';
      key.textContent = meaning(state.steps, state.runs) + beyond;
    },
  };
}
