/** A figure on a page of its own. */
import { start } from './start.js';

/** @param {import('./start.js').DrawFigure} figure  its box is the only one on the page */
export function openAlone(figure) {
  const { figure: name } = document.querySelector('[data-figure]').dataset;
  return start({ [name]: async () => ({ figure }) }, [name]);
}
