/** A titled box with a table in it that scrolls by itself and is one stop of the Tab key. */
import { element } from '../../dom.js';
import { roving } from '../../roving.js';

/**
 * @param {object} settings
 * @param {string} settings.id  unique on the page
 * @param {string} settings.className
 */
export function panel({ id, className }) {
  const head = element('tr');
  const body = element('tbody');
  const table = element(
    'table',
    { role: 'grid', 'aria-labelledby': id },
    element('thead', {}, head),
    body,
  );
  const scroller = element('div', { className: 'scroller' }, table);
  const keys = roving(table);
  const title = element('h4', { id });

  return {
    element: element('div', { className: `panel ${className}` }, title, scroller),
    title(text, note) {
      const now = `${text}|${note}`;
      if (title.dataset.now === now) return;
      title.dataset.now = now;
      title.replaceChildren(text, ' ', element('small', {}, note));
    },
    scroller,
    table,
    head,
    body,
    keys,

    /** Scrolls the box, never the page, until one of the rows from first to last is in view. */
    reveal(first, last) {
      const top = body.rows[first].offsetTop - head.offsetHeight;
      const bottom = body.rows[last].offsetTop + body.rows[last].offsetHeight;
      const height = scroller.clientHeight - head.offsetHeight;
      const { scrollTop } = scroller;
      if (bottom > scrollTop && top < scrollTop + height) return;
      scroller.scrollTop = top - height / 3;
    },
  };
}
