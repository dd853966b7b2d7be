/** Tells screen readers what has changed, not more often than can be listened to. */
import { element } from './dom.js';

const PAUSE = 700;

export function announcer() {
  const region = element('p', { className: 'unseen', role: 'status', 'aria-live': 'polite' });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let next = '';

  return {
    element: region,
    /** Of texts in quick succession only the last is said. */
    announce(text) {
      next = text;
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        if (region.textContent !== next) region.textContent = next;
      }, PAUSE);
    },
  };
}
