/** A table of many cells that is one stop for the Tab key; other keys move inside. */

const PAGE = 10;

/** Key -> [row, column] to go to from there; what lies outside is brought back in. */
const MOVES = {
  ArrowUp: (r, c) => [r - 1, c],
  ArrowDown: (r, c) => [r + 1, c],
  ArrowLeft: (r, c) => [r, c - 1],
  ArrowRight: (r, c) => [r, c + 1],
  PageUp: (r, c) => [r - PAGE, c],
  PageDown: (r, c) => [r + PAGE, c],
  Home: (r) => [r, 0],
  End: (r) => [r, Infinity],
};
const MOVES_WITH_CONTROL = {
  Home: () => [0, 0],
  End: () => [Infinity, Infinity],
};

const within = (i, length) => Math.max(0, Math.min(i, length - 1));

/**
 * The data cells of the table's body become reachable by keys. Cells are found when a key is
 * pressed, so rows may come and go; `refresh` must be called after they did.
 *
 * @param {HTMLTableElement} table
 */
export function roving(table) {
  const [body] = table.tBodies;
  const cellsOf = (row) => [...row.querySelectorAll('td:not(.aside)')];

  function stopAt(cell) {
    for (const other of body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  table.addEventListener('focusin', ({ target }) => {
    if (target.matches('td')) stopAt(target);
  });

  table.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.altKey || event.shiftKey || !target.matches('td')) return;
    const moves = event.ctrlKey || event.metaKey ? MOVES_WITH_CONTROL : MOVES;
    const move = Object.hasOwn(moves, key) ? moves[key] : null;
    if (move === null) return;
    event.preventDefault();
    const row = target.parentElement;
    const [r, c] = move(row.sectionRowIndex, cellsOf(row).indexOf(target));
    const cells = cellsOf(body.rows[within(r, body.rows.length)]);
    cells[within(c, cells.length)].focus();
  });

  return {
    refresh() {
      for (const cell of body.querySelectorAll('td:not(.aside)')) cell.tabIndex = -1;
      body.querySelector('td').tabIndex = 0;
    },
  };
}
