/** Models while they train: the same quantities, step by step. */
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { lineChart } from '../../shared/chart.js';
import { numbersTable } from '../../shared/table.js';
import { LOOKS, namesOf } from '../race/lanes.js';
import { lossText } from '../race/story.js';
import { STEPS, TRAINED } from './model.js';

const TRAINED_NAMES = namesOf(TRAINED);

/** Powers of ten around values, as far down as `least`. */
function decades(values, least) {
  const known = values.filter((v) => v > 0 && Number.isFinite(v));
  if (known.length === 0) return [0.1, 10];
  const low = Math.max(Math.floor(Math.log10(Math.min(...known))), Math.log10(least));
  const high = Math.max(1, Math.ceil(Math.log10(Math.max(...known))));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** What is known of a lane at a step, or the nearest before it. */
const at = (found, step) => found?.findLast((one) => one.step <= step);

/** @returns the lanes as they were at a step, those that have got there or at least begun */
export const lanesAt = (training, step) =>
  TRAINED.flatMap((_, i) => {
    const one = at(training?.found[i], step);
    if (one === undefined) return [];
    const { gradientNorms, streamNorms } = one.probe;
    const [first, last] = [gradientNorms[0], gradientNorms.at(-1)];
    return [{ ...one, name: TRAINED_NAMES[i], first, last, stream: streamNorms.at(-1) }];
  });

export function trainingView() {
  const first = lineChart({
    ...{ height: 280, title: 'Gradient of the first block’s W₂, step by step', across: 'step' },
  });
  const blocks = lineChart({
    ...{ height: 240, title: 'Gradient of W₂, block by block', across: 'block' },
  });
  const stream = lineChart({
    ...{ height: 240, title: 'Residual stream, ‖x‖²/d behind each block', across: 'block' },
  });
  const table = numbersTable('At this step');

  /** One line a lane. */
  const seriesOf = (draw) =>
    TRAINED.map((_, i) => ({ label: TRAINED_NAMES[i], ...LOOKS[i], points: draw(i) }));

  function chart(place, { x, cursor }, series, label) {
    const y = decades(
      series.flatMap(({ points }) => points.map(([, v]) => v)),
      1e-8,
    );
    place.show({ x, y, cursor, logarithmic: true, series }, label);
  }

  return {
    element: element(
      'div',
      { className: 'why-part' },
      first.element,
      table.element,
      element('div', { className: 'side-by-side' }, blocks.element, stream.element),
    ),
    show({ depth, step }, training) {
      const found = (i) => training?.found[i] ?? [];
      const lanes = lanesAt(training, step);
      const words = (pick) =>
        lanes.map((one) => `${one.name} ${pick(one)}`).join('; ') || 'nothing yet';
      chart(
        first,
        { x: [0, STEPS], cursor: lanes[0]?.step },
        seriesOf((i) => found(i).map((one) => [one.step, one.probe.gradientNorms[0]])).map(
          (one) => ({ ...one, marks: 'last' }),
        ),
        `Gradient of the first block at step ${step}: ${words((one) => short(one.first))}.`,
      );
      const profile = (name, from) => (i) =>
        (at(training?.found[i], step)?.probe[name] ?? []).map((v, k) => [k + from, v]);
      chart(
        blocks,
        { x: [0, depth] },
        seriesOf(profile('gradientNorms', 1)),
        `Gradient by block at step ${step}: ${words((one) => one.probe.gradientNorms.map(short).join(', '))}.`,
      );
      chart(
        stream,
        { x: [0, depth] },
        seriesOf(profile('streamNorms', 0)),
        `‖x‖²/d by block at step ${step}: ${words((one) => one.probe.streamNorms.map(short).join(', '))}.`,
      );
      table.show(
        ['model', 'loss', 'first block', 'last block', '‖x‖²/d, last'],
        TRAINED_NAMES.map((name) => {
          const one = lanes.find((lane) => lane.name === name);
          if (one === undefined) return [name, '–', '–', '–', '–'];
          return [name, lossText(one.loss), ...[one.first, one.last, one.stream].map(short)];
        }),
      );
      table.rename(`After ${lanes[0]?.step ?? 0} steps: loss, gradients of W₂, and the stream`);
    },
  };
}
