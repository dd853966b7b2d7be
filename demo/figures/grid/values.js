/** View of one table of values: outlines around blocks, their labels, what is lit. */
import { element } from '../../dom.js';
import { decimals, short } from '../../numbers.js';
import { panel } from './panel.js';
import { labelOf } from './statistic.js';

/** Of three significant digits, in what is not written with an exponent and fits into a cell. */
const MOST_DECIMALS = 4;

/**
 * @param {object} settings
 * @param {string} settings.className
 * @param {string} settings.title
 * @param {string} settings.note
 * @param {typeof import('../../iris.js').iris} settings.table
 */
export function valuesView({ table, ...titles }) {
  const view = panel(titles);
  const { rows, cols, features } = table;

  const columns = features.map((name) => element('th', { scope: 'col' }, name));
  view.head.append(
    element('th', { scope: 'col' }, element('abbr', { title: 'example' }, '#')),
    ...columns,
  );
  const cells = Array.from({ length: rows * cols }, () => element('td'));
  for (let i = 0; i < rows; i++) {
    const header = element('th', { scope: 'row' }, String(i + 1));
    view.body.append(element('tr', {}, header, ...cells.slice(i * cols, (i + 1) * cols)));
  }
  cells.forEach((cell, i) => {
    cell.dataset.cell = String(i);
  });
  view.keys.refresh();

  /** @type {HTMLElement[]} */
  let lit = [];
  /** @type {HTMLElement | undefined} */
  let marked;

  /** A block of whole columns is named in the head, which stays in view; others in their corner. */
  function showLabels({ norm, blocks, tile }) {
    for (const old of view.head.querySelectorAll('.label')) old.remove();
    const inHead = tile.rows === rows;
    view.body.classList.toggle('labelled', !inHead);
    for (const block of blocks) {
      const label = element('span', { className: 'label', 'aria-hidden': 'true' });
      label.append(labelOf(norm, block));
      if (inHead) columns[block.cells[0]].append(label);
      else cells[block.cells[0]].prepend(label);
    }
  }

  return {
    ...view,

    /**
     * @param {Float32Array} values
     * @param {import('./model.js').Model} model
     */
    show(values, model) {
      const texts = Array.from(values, short);
      const most = Math.min(MOST_DECIMALS, Math.max(...texts.map(decimals)));
      cells.forEach((cell, i) => {
        const edges = Object.entries(model.edgesOf(i)).filter(([, isEdge]) => isEdge);
        const sides = edges.map(([side]) => side);
        cell.className = [`hue${model.blockOf(i).index % 4}`, ...sides].join(' ');
        cell.style.setProperty('--missing', String(Math.max(0, most - decimals(texts[i]))));
        cell.replaceChildren(element('span', { className: 'value' }, texts[i]));
      });
      showLabels(model);
      lit = [];
      marked = undefined;
    },

    /**
     * @param {number[]} inBlock  cells to light up
     * @param {number} [one]  the cell among them that is pointed at
     */
    light(inBlock, one) {
      for (const cell of lit) cell.classList.remove('lit');
      marked?.classList.remove('marked');
      lit = inBlock.map((i) => cells[i]);
      marked = one === undefined ? undefined : cells[one];
      for (const cell of lit) cell.classList.add('lit');
      marked?.classList.add('marked');
    },
  };
}
