/** Starts the library and draws figures into the boxes that are marked with their names. */
import { isSupported, load } from 'axisnorm';
import { followLinks, readHash, showFigureOf } from './address.js';

const NO_WEBASSEMBLY =
  'This page computes with WebAssembly, and this browser has none, or has it switched off. ' +
  'Current versions of Chrome, Edge, Firefox and Safari have it.';

/** @typedef {(root: HTMLElement, an: import('axisnorm').AxisNorm) => unknown} DrawFigure */

function showTrouble(text) {
  const trouble = document.querySelector('#trouble');
  trouble.textContent = text;
  trouble.hidden = false;
}

/** How far below the window a figure is when it is fetched. */
const AHEAD = '900px 0px';

/** Calls `use` once, when the element comes near the window. */
function whenNear(box, use) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      use();
    },
    { rootMargin: AHEAD },
  );
  observer.observe(box);
}

/** Draws a figure; one that fails leaves the others alone. */
async function draw(box, get, an) {
  try {
    const { figure } = await get();
    await figure(box, an);
    box.dataset.ready = '';
  } catch (error) {
    box.textContent = `This figure could not start: ${error.message}`;
    box.classList.add('trouble');
    throw error;
  }
}

/**
 * @param {Record<string, () => Promise<{ figure: DrawFigure }>>} figures  by name: how to get them
 * @param {string[]} [eager]  those that do not wait until they are near
 */
export async function start(figures, eager = []) {
  if (!isSupported()) {
    showTrouble(NO_WEBASSEMBLY);
    return;
  }
  let an;
  try {
    an = await load();
  } catch (error) {
    showTrouble(`The page could not start: ${error.message}`);
    throw error;
  }
  followLinks();
  for (const box of document.querySelectorAll('[data-figure]')) {
    const { figure } = box.dataset;
    const get = figures[figure];
    if (get === undefined) box.remove();
    else if (eager.includes(figure)) await draw(box, get, an);
    else whenNear(box, () => draw(box, get, an));
  }
  const [entry] = performance.getEntriesByType('navigation');
  if (readHash() && entry?.type === 'navigate') showFigureOf(readHash(), 'auto');
}
