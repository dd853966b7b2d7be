/** A small table of numbers. */
import { element } from '../dom.js';
import './chart.css';

/**
 * @param {string} caption
 * @param {string} [className]
 */
export function numbersTable(caption, className = '') {
  const title = element('caption', {}, caption);
  const head = element('tr');
  const body = element('tbody');
  const classes = `numbers ${className}`.trim();
  return {
    element: element('table', { className: classes }, title, element('thead', {}, head), body),
    /**
     * @param {(string | Node)[]} titles  of the columns
     * @param {(string | Node | HTMLTableCellElement)[][]} rows  each begins with its own title
     */
    show(titles, rows) {
      head.replaceChildren(...titles.map((text) => element('th', { scope: 'col' }, text)));
      body.replaceChildren(
        ...rows.map(([first, ...cells]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, first),
            ...cells.map((cell) =>
              cell instanceof HTMLTableCellElement ? cell : element('td', {}, cell),
            ),
          ),
        ),
      );
    },
    rename(text) {
      title.textContent = text;
    },
  };
}
