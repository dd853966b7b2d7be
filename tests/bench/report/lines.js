/** What is said while it is measured: a line a row. */
import { perElement } from './figures.js';
import { spread } from './markdown.js';

/** @param {import('../suite.js').Row} row */
export function rowText(row) {
  const times = Object.keys(row.times).map((id) => `${id} ${spread(perElement(row, id))}`);
  const refused = Object.entries(row.refused).map(([id, reason]) => `${id} REFUSED: ${reason}`);
  return `${row.id}, ns/element: ${[...times, ...refused].join(', ')}`;
}
