/**
 * docs/performance.md is written by hand but for the tables, which stand between comments. Only
 * what a run has measured is replaced.
 */

const startOf = (id) => `<!-- npm run bench: ${id} -->`;
const END = '<!-- end -->';

/** Where the section with a heading ends: before the next of its level. */
function endOfSection(page, heading) {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`docs/performance.md has no section "${heading}"`);
  const next = page.indexOf('\n## ', start + 1);
  return next < 0 ? page.length : next;
}

/**
 * The page with a table in its place: where it was, or at the end of its section.
 *
 * @param {string} page
 * @param {{ heading: string, id: string, text: string }} section
 */
export function withSection(page, { heading, id, text }) {
  const block = `${startOf(id)}\n\n${text}\n\n${END}`;
  const start = page.indexOf(startOf(id));
  if (start >= 0) {
    const end = page.indexOf(END, start);
    if (end < 0) throw new Error(`docs/performance.md: ${id} has no ${END}`);
    return page.slice(0, start) + block + page.slice(end + END.length);
  }
  const at = endOfSection(page, heading);
  return `${page.slice(0, at).trimEnd()}\n\n${block}\n${page.slice(at)}`;
}
