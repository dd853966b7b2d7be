/** Gives the visitor a file. */
import { element } from '../dom.js';

/**
 * @param {string} name
 * @param {string} type  of its content
 * @param {string[]} pieces
 */
export function saveFile(name, type, pieces) {
  const href = URL.createObjectURL(new Blob(pieces, { type }));
  element('a', { href, download: name }).click();
  // Not at once: the download has to begin first.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
