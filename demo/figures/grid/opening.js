/** A cell is nudged before the visitor has touched anything: up, back, and that is all. */
import { isCalm } from '../../motion.js';

const START = 1500;
const LENGTH = 3600;

/** From 0 to 1 and back, and once more the other way. */
const wave = (share) => Math.sin(share * 2 * Math.PI);

/**
 * @param {HTMLElement} root  a click or a key in it takes over
 * @param {(amount: number | null) => void} nudge  from −1 to 1; null at the end
 */
export function playOpening(root, nudge) {
  if (isCalm()) return;
  const taken = new AbortController();
  const { signal } = taken;
  const end = () => {
    if (signal.aborted) return;
    taken.abort();
    nudge(null);
  };
  for (const type of ['pointerdown', 'keydown', 'focusin']) {
    root.addEventListener(type, end, { signal, capture: true });
  }
  addEventListener('hashchange', end, { signal });

  let start;
  const step = (now) => {
    if (signal.aborted) return;
    start ??= now;
    const share = (now - start) / LENGTH;
    if (share >= 1) end();
    else {
      nudge(wave(share));
      requestAnimationFrame(step);
    }
  };
  setTimeout(() => requestAnimationFrame(step), START);
}
