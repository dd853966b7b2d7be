/** View of one table of values: colours, outlines around blocks, their labels, and marks. */
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { morph } from './morph.js';
import { panel } from './panel.js';
import { labelOf } from './statistic.js';
import { isImage, layoutOf, rowOf } from './table.js';

/** Narrower cells than this have no room for a number, in pixels. */
const ROOM = 46;

/** From so many cells on, those out of sight are written later: after a pause, some at a time. */
const MANY = 200;
const PAUSE = 100;
const CHUNK = 80;

/** What tells whether the table has to be built anew. */
const shapeOf = (table) => [
  table.n,
  table.c,
  table.h,
  table.w,
  table.examples?.join(),
  table.features?.join(),
];

/**
 * @typedef {object} Marks
 * @property {number} domain  the value that has the strongest colour
 * @property {Uint8Array} [bits]  of every cell, how many have changed
 * @property {number[]} [perExample]  the same, by example
 * @property {(index: number) => boolean} [isReached]
 */

/**
 * @param {object} settings
 * @param {string} settings.id  unique on the page
 * @param {string} settings.className
 * @param {string} settings.title
 */
export function cellsView(settings) {
  const view = panel(settings);
  /** @type {(HTMLTableCellElement)[]} by index into the table's values */
  let cells = [];
  /** What each cell shows, so that only what is new is written. */
  let shown = [];
  let columns = [];
  let tallies = [];
  let built = '';
  let labelled = '';
  let outlined = '';
  /** Size of the blocks that are outlined. @type {import('./morph.js').Tile | undefined} */
  let drawn;
  const transition = morph(view.scroller, view.table);
  /** @type {string[]} */
  let outlines = [];
  /** @type {HTMLElement[]} */
  let lit = [];
  /** @type {HTMLElement | undefined} */
  let marked;
  /** @type {Set<HTMLElement>} */
  let isLit = new Set();
  /** Cells that do not show their value yet. @type {Set<number>} */
  const stale = new Set();
  let paint = (_) => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /** Where the box stands over the table; asking it at every change would cost a layout. */
  const seen = { top: 0, height: 600, row: 34 };

  /** Numbers are left out where they do not fit. */
  function fit() {
    seen.height = view.scroller.clientHeight;
    seen.row = view.body.offsetHeight / view.body.rows.length || seen.row;
    const width = cells[0]?.offsetWidth ?? 0;
    if (width > 0) view.table.classList.toggle('tight', width < ROOM);
  }
  new ResizeObserver(fit).observe(view.scroller);

  /** @param {import('./presets.js').Table} table */
  function build(table) {
    const key = JSON.stringify(shapeOf(table));
    if (key === built) return;
    built = key;
    labelled = '';
    outlines = [];
    drawn = undefined;
    transition.end();
    const { n, c, h, w } = table;
    const { rows, cols, indexAt } = layoutOf(table);
    const isWide = isImage(table);
    columns = Array.from({ length: c }, (_, i) =>
      element(
        'th',
        { scope: 'col', colSpan: w },
        element('span', {}, table.features?.[i] ?? String(i + 1)),
      ),
    );
    const corner = element('th', { scope: 'col', className: 'corner' }, rowOf(table));
    const count = element('th', { scope: 'col', className: 'aside' }, 'bits');
    count.title = 'bits that have changed';
    view.head.replaceChildren(corner, ...columns, count);
    cells = Array(rows * cols);
    tallies = [];
    const made = Array.from({ length: rows }, (_, row) => {
      const tr = element('tr');
      const isFirst = row % h === 0;
      const example = row / h;
      if (isFirst) {
        tr.append(
          element(
            'th',
            { scope: 'row', rowSpan: h },
            table.examples?.[example] ?? String(example + 1),
          ),
        );
        if (table.padding?.[example]) tr.className = 'padding';
      }
      for (let col = 0; col < cols; col++) {
        const index = indexAt(row, col);
        const td = element('td', {}, element('span', { className: 'value' }, ' '));
        td.dataset.index = String(index);
        cells[index] = td;
        tr.append(td);
      }
      if (isFirst) {
        const bits = element('span', { className: 'value' }, ' ');
        tallies.push(bits);
        tr.append(element('td', { className: 'aside', rowSpan: h }, bits));
      }
      return tr;
    });
    shown = cells.map(() => ({ text: ' ', tone: '', className: '' }));
    view.body.replaceChildren(...made);
    view.table.classList.toggle('wide', isWide);
    view.table.style.setProperty('--columns', String(cols));
    view.table.setAttribute('aria-rowcount', String(n * h + 1));
    view.keys.refresh();
    lit = [];
    isLit = new Set();
    stale.clear();
    marked = undefined;
    fit();
  }

  /** A block of whole columns is named in the head, which stays in view; others in their corner. */
  function showLabels({ table, norm, blocks, tile }) {
    const key = [norm.label, tile.rows, tile.cols].join();
    if (key === labelled) return;
    labelled = key;
    for (const old of view.table.querySelectorAll('.label')) old.remove();
    const inHead = tile.rows === table.n * table.h;
    view.body.classList.toggle('labelled', !inHead);
    const { channelOf } = layoutOf(table);
    for (const block of blocks) {
      const label = element('span', { className: 'label', 'aria-hidden': 'true' });
      label.append(labelOf(norm, block));
      const [first] = block.cells;
      if (inHead) columns[channelOf(first)].append(label);
      else cells[first].prepend(label);
    }
  }

  /** What does not change with the values: the block's hue, and the sides that are its sides. */
  function outline({ table, tile, blocks, norm }) {
    const key = [norm.label, tile.rows, tile.cols, built].join();
    if (key === outlined) return;
    outlined = key;
    const { rows, cols, indexAt, placeOf } = layoutOf(table);
    if (drawn) {
      transition.start({ rows, cols }, drawn, tile, (row, col) => cells[indexAt(row, col)]);
    }
    drawn = tile;
    for (const { index, cells: inBlock } of blocks) {
      for (const i of inBlock) {
        const { row, col } = placeOf(i);
        outlines[i] = [
          `hue${index % 4}`,
          row % tile.rows === 0 && 'top',
          (col + 1) % tile.cols === 0 && 'right',
          (row + 1) % tile.rows === 0 && 'bottom',
          col % tile.cols === 0 && 'left',
        ]
          .filter(Boolean)
          .join(' ');
      }
    }
  }

  /** Writes what is new in one cell. */
  function showCell(i, values, { domain, bits, isReached }) {
    const cell = cells[i];
    const old = shown[i];
    const text = values ? short(values[i]) : '–';
    if (text !== old.text) {
      cell.lastChild.firstChild.data = text;
      old.text = text;
    }
    const share = values ? Math.max(-1, Math.min(1, values[i] / domain)) || 0 : 0;
    const tone = `${Math.abs(share * 100).toFixed(0)}%`;
    if (tone !== old.tone) {
      cell.style.setProperty('--tone', tone);
      old.tone = tone;
    }
    let className = `${outlines[i]} ${share < 0 ? 'cold' : 'warm'}`;
    if (bits?.[i] > 0) className += ' changed';
    if (isReached(i)) className += ' reached';
    if (className !== old.className) {
      cell.className = className;
      old.className = className;
      if (isLit.has(cell)) cell.classList.add('lit');
      if (marked === cell) cell.classList.add('marked');
    }
  }

  function showTally(example, perExample) {
    const text = perExample ? String(perExample[example]) : ' ';
    const place = tallies[example].firstChild;
    if (place.data !== text) place.data = text;
  }

  /** The first and the last row that can be seen, and some more. */
  function visible() {
    const first = Math.floor(seen.top / seen.row);
    return [first - 3, first + Math.ceil(seen.height / seen.row) + 3];
  }

  /** In a long table, cells out of sight wait until there is time. */
  function later() {
    clearTimeout(waiting);
    view.table.setAttribute('aria-busy', 'true');
    waiting = setTimeout(catchUp, PAUSE);
  }

  function catchUp() {
    clearTimeout(waiting);
    let left = CHUNK;
    for (const i of stale) {
      if (left-- === 0) {
        waiting = setTimeout(catchUp);
        return;
      }
      stale.delete(i);
      paint(i);
    }
    view.table.removeAttribute('aria-busy');
  }

  view.scroller.addEventListener('scroll', () => {
    seen.top = view.scroller.scrollTop;
    if (stale.size > 0) catchUp();
  });

  return {
    ...view,
    cellAt: (index) => cells[index],

    /**
     * @param {import('./model.js').Model} model
     * @param {ArrayLike<number> | undefined} values  absent where there are none
     * @param {Marks} marks
     */
    show(model, values, { domain, bits, perExample, isReached = () => false }) {
      build(model.table);
      view.table.classList.toggle('counted', perExample !== undefined);
      showLabels(model);
      outline(model);
      const { indexAt, exampleOf } = layoutOf(model.table);
      paint = (i) => {
        showCell(i, values, { domain, bits, isReached });
        const example = exampleOf(i);
        if (i === indexAt(example * model.table.h, 0)) showTally(example, perExample);
      };
      stale.clear();
      const isTall = cells.length > MANY;
      const [top, bottom] = isTall ? visible() : [0, Infinity];
      const { placeOf } = layoutOf(model.table);
      cells.forEach((_, i) => {
        const { row } = placeOf(i);
        if (row >= top && row <= bottom) paint(i);
        else stale.add(i);
      });
      if (stale.size > 0) later();
    },

    /**
     * @param {number[]} inBlock  cells to light up
     * @param {number} [one]  the cell among them that is pointed at
     */
    light(inBlock, one) {
      const next = inBlock.map((i) => cells[i]);
      const isSame = next.length === lit.length && next.every((cell, k) => cell === lit[k]);
      if (!isSame) for (const cell of lit) cell.classList.remove('lit');
      marked?.classList.remove('marked');
      lit = next;
      isLit = new Set(lit);
      marked = one === undefined ? undefined : cells[one];
      if (!isSame) for (const cell of lit) cell.classList.add('lit');
      marked?.classList.add('marked');
      view.table.classList.toggle('some-lit', lit.length > 0);
    },
  };
}
