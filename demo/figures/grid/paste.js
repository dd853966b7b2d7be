/** Rows from a spreadsheet: pasted onto a cell, or into a field of their own. */
import { element } from '../../dom.js';
import { parseTable } from './table.js';

/**
 * @param {string} name  of the figure
 * @param {HTMLElement} table  where pasting works, too
 * @param {(table: import('./presets.js').Table) => void} onTable
 */
export function pasteView(name, table, onTable) {
  const field = element('textarea', {
    id: `${name}-paste`,
    rows: 4,
    spellcheck: false,
    placeholder: '5.1\t3.5\t1.4\n4.9\t3.0\t1.3',
  });
  const problem = element('p', { className: 'problem', role: 'status' });
  const root = element(
    'details',
    { className: 'more' },
    element('summary', {}, 'Paste a table'),
    element(
      'label',
      { htmlFor: field.id },
      'Rows from a spreadsheet, a line an example. On a cell of the grid, Ctrl + V does the same.',
    ),
    field,
    element('button', { type: 'button', onclick: () => use(field.value) }, 'Use these rows'),
    problem,
  );

  function use(text) {
    try {
      const made = parseTable(text);
      problem.textContent = '';
      onTable(made);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problem.textContent = error.message;
      root.open = true;
    }
  }

  table.addEventListener('paste', (event) => {
    if (event.target.matches('input')) return;
    event.preventDefault();
    use(event.clipboardData.getData('text/plain'));
  });
  return { element: root };
}
