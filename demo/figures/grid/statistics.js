/** View of the statistics: a row a block. */
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { panel } from './panel.js';
import { meanOf, rmsOf, varianceOf } from './statistic.js';

const CENTERED = ['mean μ', 'variance σ²'];
const NOT_CENTERED = ['root mean square r'];

/** What a block has, as [name, number]. */
const statisticsOf = ({ centers }, block) =>
  centers
    ? [
        [meanOf(block), block.mean],
        [varianceOf(block), block.spread],
      ]
    : [[rmsOf(block), block.spread]];

export function statisticsView(titles) {
  const view = panel(titles);
  /** @type {HTMLElement | undefined} */
  let lit;

  return {
    ...view,

    /** @param {import('./model.js').Model} model */
    show({ norm, blocks }) {
      const names = norm.centers ? CENTERED : NOT_CENTERED;
      view.head.replaceChildren(
        element('th', { scope: 'col' }, 'shared by'),
        ...names.map((name) => element('th', { scope: 'col' }, name)),
      );
      const rows = blocks.map((block) => {
        const cells = statisticsOf(norm, block).map(([label, value]) =>
          element(
            'td',
            {},
            element('span', { className: 'label' }, label),
            element('span', { className: 'value' }, short(value)),
          ),
        );
        const header = element('th', { scope: 'row' }, block.name);
        const row = element('tr', { className: `hue${block.index % 4}` }, header, ...cells);
        row.dataset.block = String(block.index);
        return row;
      });
      view.body.replaceChildren(...rows);
      view.keys.refresh();
      view.scroller.scrollTop = 0;
      lit = undefined;
    },

    /** @param {number} [index] */
    light(index) {
      lit?.classList.remove('lit');
      lit = index === undefined ? undefined : view.body.rows[index];
      lit?.classList.add('lit');
    },
  };
}
