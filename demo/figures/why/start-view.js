/** Models as they start: gradients and the stream, and what the theory says of them. */

import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { lineChart } from '../../shared/chart.js';
import { numbersTable } from '../../shared/table.js';
import { LOOKS } from '../race/lanes.js';
import { bounds, DEPTHS, fitted, PLACEMENTS, SEEDS, SHAPES, spread } from './model.js';
import { NAMES } from './story.js';

const LOOK = { post: LOOKS[0], pre: LOOKS[1] };
const THEORY = { post: 'the same at every depth', pre: 'as 1/√depth' };
const DEEPEST = DEPTHS.at(-1);

/** Above all values, a round number of times. */
const roof = (values, step) => Math.max(step, Math.ceil(Math.max(0, ...values) / step) * step);

const lineOf = (places, x) => ({
  points: places.map(({ mean }, i) => [x(i), mean]),
  band: places.map(({ low, high }, i) => [x(i), low, high]),
});

/** The theory's curve, whose height is fitted. */
function theoryOf(placement, measured) {
  const shape = SHAPES[placement];
  const known = measured.filter(([depth]) => depth > 1);
  if (known.length < 2) return [];
  const factor = fitted(shape, known);
  const depths = Array.from({ length: DEEPEST }, (_, i) => i + 1);
  return [
    {
      ...{ label: `${NAMES[placement]}, theory: ${THEORY[placement]}`, hue: LOOK[placement].hue },
      ...{ dash: '2 3', points: depths.map((depth) => [depth, factor * shape(depth)]) },
    },
  ];
}

export function startView() {
  const depths = lineChart({
    ...{ height: 280, title: 'Gradient of the last block’s W₂, in models of every depth' },
    across: 'blocks in the model',
  });
  const blocks = lineChart({
    ...{ height: 240, title: 'Gradient of W₂, block by block', across: 'block' },
  });
  const stream = lineChart({
    ...{ height: 240, title: 'Residual stream, ‖x‖²/d behind each block', across: 'block' },
  });
  const table = numbersTable('Gradient of the last block’s W₂');

  function showDepths(of, depth) {
    const series = PLACEMENTS.map((placement) => {
      const known = DEPTHS.flatMap((blocks) => {
        const last = spread(of(placement, blocks), 'gradientNorms').at(-1);
        return last ? [{ blocks, last }] : [];
      });
      return {
        ...{ label: NAMES[placement], ...LOOK[placement], placement },
        points: known.map(({ blocks, last }) => [blocks, last.mean]),
        band: known.map(({ blocks, last }) => [blocks, last.low, last.high]),
      };
    });
    const theories = series.flatMap((one) => theoryOf(one.placement, one.points));
    const top = roof(
      series.flatMap((one) => one.band.map(([, , high]) => high)),
      2,
    );
    const words = series.map(
      ({ label, points }) =>
        `${label} ${points.map(([depth, v]) => `${short(v)} at ${depth}`).join(', ')}`,
    );
    depths.show(
      {
        x: [0, DEEPEST],
        xTicks: DEPTHS,
        cursor: depth,
        y: [0, top],
        series: [...theories, ...series],
      },
      `Gradient of the last block by depth: ${words.join('; ') || 'nothing yet'}.`,
    );
  }

  function showBlocks(of, depth) {
    const series = PLACEMENTS.map((placement) => ({
      ...{ label: NAMES[placement], ...LOOK[placement] },
      ...lineOf(spread(of(placement, depth), 'gradientNorms'), (i) => i + 1),
    }));
    const top = roof(
      series.flatMap((one) => one.band.map(([, , high]) => high)),
      2,
    );
    const words = series.map(
      ({ label, points }) => `${label} ${points.map(([, v]) => short(v)).join(', ')}`,
    );
    blocks.show(
      { x: [0, depth], y: [0, top], series },
      `Gradient by block, from the first to the last: ${words.join('; ')}.`,
    );
  }

  function showStream(of, depth) {
    const allowed = Array.from({ length: depth + 1 }, (_, l) => [l, ...bounds(l)]);
    const series = PLACEMENTS.map((placement) => ({
      ...{ label: NAMES[placement], ...LOOK[placement] },
      ...lineOf(spread(of(placement, depth), 'streamNorms'), (i) => i),
    }));
    const words = series.map(
      ({ label, points }) => `${label} ${points.map(([, v]) => short(v)).join(', ')}`,
    );
    const theory = {
      ...{ label: 'Pre-LN, theory: from 1 + l/2 to 1 + 3l/2', hue: LOOK.pre.hue, band: allowed },
    };
    const top = roof([bounds(depth)[1]], 2);
    stream.show(
      { x: [0, depth], y: [0, top], series: [theory, ...series] },
      `‖x‖²/d behind each block: ${words.join('; ')}. Pre-LN’s bounds at the last: ${bounds(depth).join(' and ')}.`,
    );
  }

  function showTable(of) {
    const mean = (placement, depth) =>
      spread(of(placement, depth), 'gradientNorms').at(-1)?.mean ?? Number.NaN;
    const text = (value) => (Number.isNaN(value) ? '–' : short(value));
    table.show(
      ['blocks', 'Post-LN', 'Pre-LN', 'Pre-LN × √blocks'],
      DEPTHS.map((depth) => {
        const [post, pre] = PLACEMENTS.map((placement) => mean(placement, depth));
        return [String(depth), text(post), text(pre), text(pre * Math.sqrt(depth))];
      }),
    );
  }

  return {
    element: element(
      'div',
      { className: 'why-part' },
      depths.element,
      table.element,
      element('div', { className: 'side-by-side' }, blocks.element, stream.element),
    ),
    /**
     * @param {number} depth
     * @param {(placement: string, depth: number) => import('./model.js').Probe[]} of
     */
    show(depth, of) {
      showDepths(of, depth);
      showBlocks(of, depth);
      showStream(of, depth);
      showTable(of);
    },
    /** What is to be measured for it: what the visitor looks at first, and one seed after the other. */
    jobs: (depth) =>
      SEEDS.flatMap((seed) =>
        [depth, ...DEPTHS.filter((other) => other !== depth)].flatMap((one) =>
          PLACEMENTS.map((placement) => ({ placement, depth: one, seed })),
        ),
      ),
  };
}
