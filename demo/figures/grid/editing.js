/** Changing cells: by dragging, with keys, and by typing. */
import { element } from '../../dom.js';
import { literal, parseNumber } from '../../numbers.js';

/** Pixels before a press becomes a drag, and pixels that stand for the whole scale. */
const SLACK = 3;
const SCALE = 160;

/** Presses of a key that follow each other this fast are one change, in milliseconds. */
const TOGETHER = 1000;

const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/**
 * @param {HTMLTableElement} table  its cells have data-index
 * @param {object} settings
 * @param {(index: number) => number} settings.valueAt
 * @param {() => number} settings.step  by which a key changes a value
 * @param {(index: number) => string} settings.nameOf
 * @param {(index: number, value: number, isNew: boolean) => void} settings.onChange  isNew: not the
 *   same drag, or run of keys, as the change before
 */
export function editing(table, { valueAt, step, nameOf, onChange }) {
  /** @type {{ index: number, y: number, value: number, pointerId: number, isDrag: boolean } | undefined} */
  let drag;
  let frame = 0;
  let lastKey = { index: -1, time: 0 };

  const cellOf = (target) => target.closest?.('td[data-index]');
  const indexOf = (cell) => Number(cell.dataset.index);
  const rounded = (value) => {
    const unit = step();
    return Math.fround(Number((Math.round(value / unit) * unit).toPrecision(6)));
  };

  table.addEventListener('pointerdown', (event) => {
    const cell = cellOf(event.target);
    if (!cell || event.button !== 0 || event.target.matches('input')) return;
    const index = indexOf(cell);
    drag = {
      index,
      y: event.clientY,
      value: valueAt(index),
      pointerId: event.pointerId,
      isDrag: false,
    };
    cell.setPointerCapture(event.pointerId);
  });

  table.addEventListener('pointermove', (event) => {
    if (drag?.pointerId !== event.pointerId) return;
    const way = drag.y - event.clientY;
    if (!drag.isDrag && Math.abs(way) < SLACK) return;
    const isNew = !drag.isDrag;
    drag.isDrag = true;
    const { index, value } = drag;
    const start = Number.isFinite(value) ? value : 0;
    const wanted = rounded(start + (way / SCALE) * step() * 100);
    if (isNew) onChange(index, wanted, true);
    else {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => onChange(index, wanted, false));
    }
  });

  const end = () => {
    drag = undefined;
  };
  table.addEventListener('pointerup', end);
  table.addEventListener('pointercancel', end);

  /** An input in the place of the number. */
  function type(cell, start) {
    if (cell.querySelector('input')) return;
    const index = indexOf(cell);
    const input = element('input', {
      className: 'editor',
      type: 'text',
      inputMode: 'decimal',
      autocomplete: 'off',
      value: start ?? literal(valueAt(index)),
      'aria-label': `New value of ${nameOf(index)}`,
    });
    let isOver = false;
    const leave = (isKept, hasFocus) => {
      if (isOver) return;
      isOver = true;
      const value = parseNumber(input.value);
      input.remove();
      if (hasFocus) cell.focus();
      if (isKept && value !== undefined && !Object.is(value, valueAt(index))) {
        onChange(index, value, true);
      }
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter' && parseNumber(input.value) === undefined) {
        input.setAttribute('aria-invalid', 'true');
        input.setCustomValidity('a number, please');
        input.reportValidity();
      } else if (event.key === 'Enter' || event.key === 'Escape') {
        event.preventDefault();
        leave(event.key === 'Enter', true);
      }
    });
    input.addEventListener('blur', () => leave(true, false));
    cell.prepend(input);
    input.focus();
    if (start === undefined) input.select();
  }

  table.addEventListener('dblclick', ({ target }) => {
    const cell = cellOf(target);
    if (cell) type(cell);
  });

  table.addEventListener('keydown', (event) => {
    const cell = event.target.matches('td[data-index]') ? event.target : null;
    if (!cell || event.ctrlKey || event.metaKey) return;
    const index = indexOf(cell);
    if (event.shiftKey && Object.hasOwn(STEPS, event.key)) {
      const isNew = lastKey.index !== index || event.timeStamp - lastKey.time > TOGETHER;
      lastKey = { index, time: event.timeStamp };
      const value = valueAt(index);
      const start = Number.isFinite(value) ? value : 0;
      onChange(index, rounded(start + STEPS[event.key] * step()), isNew);
    } else if (event.key === 'Enter' || event.key === 'F2') type(cell);
    else if (/^[\d.,−-]$/.test(event.key) && !event.altKey) type(cell, event.key);
    else return;
    event.preventDefault();
  });
}
