/**
 * The hash of the address, where every figure keeps what the visitor has set. Writing is delayed:
 * browsers limit how often a page may do it, and a drag changes the state at every frame.
 */
import { isCalm } from './motion.js';

const DELAY = 250;

let hash = location.hash;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending;
/** @type {Set<() => void>} */
const followers = new Set();

/** Whether a hash is the name of a place on the page, as the links of the contents have it. */
const isPlace = (text) => text !== '' && !text.includes('.') && !placeOf(text.slice(1));

/** What the browser has changed: by a link, by hand, or by the back button. */
function follow() {
  if (isPlace(location.hash)) return; // figures stay as they are
  clearTimeout(pending);
  pending = undefined;
  if (hash === location.hash) return;
  hash = location.hash;
  for (const one of followers) one();
}

addEventListener('hashchange', follow);
addEventListener('popstate', follow);
addEventListener('pagehide', flush);

function flush() {
  if (pending === undefined) return;
  clearTimeout(pending);
  pending = undefined;
  history.replaceState(history.state, '', hash || location.pathname + location.search);
}

export const readHash = () => hash;

/** What figures write as they are used: no entry in the history. */
export function writeHash(text) {
  hash = text;
  pending ??= setTimeout(flush, DELAY);
}

/** Calls `run` when the hash was changed by a link, by hand or by the back button. */
export function followHash(run) {
  followers.add(run);
  return () => followers.delete(run);
}

/** The figures that a hash says something about, as in `#grid.norm=rms` or `#grid`. */
export function figuresIn(text) {
  const names = [...new URLSearchParams(text.slice(1)).keys()].map((key) => key.split('.')[0]);
  return [...new Set(names)];
}

/** The hash after a link: the figures that it names are as it says, the others stay as they are. */
export function mergeHash(text, link) {
  const named = figuresIn(link);
  const params = new URLSearchParams(text.slice(1));
  for (const key of [...params.keys()]) {
    if (!key.includes('.') || named.includes(key.split('.')[0])) params.delete(key);
  }
  const set = [...new URLSearchParams(link.slice(1))].filter(([key]) => key.includes('.'));
  for (const [key, value] of set) params.set(key, value);
  const merged = params.toString();
  return merged && `#${merged}`;
}

/** Where a figure is: the box that it is drawn into. */
const placeOf = (name) => document.querySelector(`[data-figure="${CSS.escape(name)}"]`);

/** Brings the first figure that a hash names into view. */
export function showFigureOf(text, behavior = isCalm() ? 'auto' : 'smooth') {
  const [name] = figuresIn(text);
  placeOf(name)?.scrollIntoView({ behavior, block: 'start' });
}

/**
 * Links to states, such as `<a href="#grid.norm=rms">`: a click changes the figure that is meant,
 * leaves the others as they are, and brings it into view.
 */
export function followLinks() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const wanted = link.getAttribute('href');
    const [name] = figuresIn(wanted);
    if (!wanted.includes('.') && !link.closest('.frame')) return;
    event.preventDefault();
    flush();
    hash = mergeHash(hash, wanted);
    history.pushState(null, '', hash || location.pathname + location.search);
    for (const one of followers) one();
    const place = placeOf(name);
    if (!place || place.contains(link)) return;
    showFigureOf(wanted);
    const heading = place.querySelector('h3') ?? place;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
}
