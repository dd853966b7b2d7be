/** View of the statistics: a row a block. */
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { panel } from './panel.js';
import { labelOf, statisticsOf } from './statistic.js';

const CENTERED = ['mean μ', 'variance σ²', 'rstd'];
const NOT_CENTERED = ['mean square r²', 'rstd'];

export function statisticsView(settings) {
  const view = panel(settings);
  /** @type {HTMLElement | undefined} */
  let lit;
  let built = '';
  /** @type {Text[]} the places of the numbers */
  let places = [];

  function build({ norm, blocks }) {
    const key = [norm.label, ...blocks.map(({ name, subscript }) => name + subscript)].join();
    if (key === built) return;
    built = key;
    const names = norm.centers ? CENTERED : NOT_CENTERED;
    view.head.replaceChildren(
      element('th', { scope: 'col' }, 'shared by'),
      ...names.map((name) => element('th', { scope: 'col' }, name)),
    );
    places = [];
    const rows = blocks.map((block) => {
      const cells = statisticsOf(norm, block).map(() => {
        const place = element('span', { className: 'value' }, ' ');
        places.push(place.firstChild);
        return element('td', {}, place);
      });
      cells[0].prepend(element('span', { className: 'label' }, labelOf(norm, block)));
      const header = element('th', { scope: 'row' }, block.name || 'all cells');
      const row = element('tr', { className: `hue${block.index % 4}` }, header, ...cells);
      row.dataset.block = String(block.index);
      return row;
    });
    view.body.replaceChildren(...rows);
    view.keys.refresh();
    view.scroller.scrollTop = 0;
    lit = undefined;
  }

  return {
    ...view,

    /** @param {import('./model.js').Model} model */
    show(model) {
      build(model);
      const values = model.blocks.flatMap((block) =>
        statisticsOf(model.norm, block).map(([, value]) => value),
      );
      places.forEach((place, i) => {
        const text = values[i] === undefined ? '–' : short(values[i]);
        if (place.data !== text) place.data = text;
      });
    },

    /** @param {number} [index] */
    light(index) {
      lit?.classList.remove('lit');
      lit = index === undefined ? undefined : view.body.rows[index];
      lit?.classList.add('lit');
    },
  };
}
