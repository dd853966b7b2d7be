/** The grid: one table before and after each norm, and who shares a mean with whom. */
import { choice } from '../../controls.js';
import { element } from '../../dom.js';
import { iris } from '../../iris.js';
import { count, short } from '../../numbers.js';
import { readState, writeState } from '../../state.js';
import { inspector } from './inspector.js';
import { normalize } from './model.js';
import { NORMS } from './norms.js';
import { statisticsView } from './statistics.js';
import { timeForward } from './time.js';
import { valuesView } from './values.js';

const NAME = 'grid';
const GROUPS = ['1', '2', '4'];
const CHOICES = {
  norm: { values: Object.keys(NORMS), initial: 'batch' },
  groups: { values: GROUPS, initial: '2' },
};

/** Two boxes that scroll together. */
function scrollTogether(one, other) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ]) {
    from.addEventListener('scroll', () => {
      to.scrollTop = from.scrollTop;
    });
  }
}

/**
 * Calls `point` with what the mouse is over and `focus` with what the keyboard is on, undefined
 * when they leave.
 *
 * @param {HTMLElement} body
 * @param {(target: HTMLElement) => object | undefined} read
 */
function watch(body, read, { point, focus }) {
  body.addEventListener('pointerover', ({ target }) => point(read(target)));
  body.addEventListener('pointerleave', () => point(undefined));
  body.addEventListener('focusin', ({ target }) => focus(read(target)));
  body.addEventListener('focusout', () => focus(undefined));
}

/**
 * @param {HTMLElement} root  what the figure is put into
 * @param {import('axisnorm').AxisNorm} an
 */
export function gridFigure(root, an) {
  let state = readState(NAME, CHOICES, location.hash);
  /** @type {import('./model.js').Model} */
  let model;
  let pointed;
  let focused;
  let timing = new AbortController();

  const norm = choice({
    legend: 'Norm',
    name: 'norm',
    labels: Object.fromEntries(Object.entries(NORMS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => set({ norm: value }),
  });
  const groups = choice({
    legend: 'Groups of features',
    name: 'groups',
    labels: Object.fromEntries(GROUPS.map((value) => [value, value])),
    onChoice: (value) => set({ groups: value }),
  });
  const about = element('p', { className: 'about', 'aria-live': 'polite' });
  const before = valuesView({ className: 'before', title: 'Before', note: 'x, cm', table: iris });
  const after = valuesView({ className: 'after', title: 'After', note: 'y', table: iris });
  const shared = statisticsView({ className: 'shared', title: 'Shared', note: 'statistics of x' });
  const details = inspector(iris);
  const time = element('p', { className: 'time' });
  const again = element('button', { type: 'button', onclick: showTime }, 'Measure again');

  root.append(
    element('div', { className: 'controls' }, norm.element, groups.element),
    about,
    details.element,
    element('div', { className: 'panels' }, before.element, after.element, shared.element),
    element('div', { className: 'measured' }, time, again),
  );

  scrollTogether(before.scroller, after.scroller);
  const watchers = {
    point(what) {
      pointed = what;
      showActive();
    },
    focus(what) {
      focused = what;
      showActive();
    },
  };
  for (const view of [before, after]) {
    view.body.parentElement.setAttribute('aria-describedby', details.element.id);
    watch(view.body, (target) => readCell(target.closest('td')), watchers);
  }
  watch(shared.body, (target) => readBlock(target.closest('tr')), watchers);
  addEventListener('hashchange', () => {
    state = readState(NAME, CHOICES, location.hash);
    show();
  });

  function readCell(td) {
    if (td === null) return undefined;
    const cell = Number(td.dataset.cell);
    return { cell, block: model.blockOf(cell) };
  }

  function readBlock(tr) {
    return tr === null ? undefined : { block: model.blocks[Number(tr.dataset.block)] };
  }

  function set(change) {
    state = { ...state, ...change };
    const hash = writeState(NAME, CHOICES, state, location.hash);
    history.replaceState(null, '', hash || location.pathname + location.search);
    show();
  }

  function show() {
    model = normalize(an, iris, state);
    pointed = undefined;
    focused = undefined;
    norm.show(state.norm);
    groups.show(state.groups);
    groups.element.hidden = state.norm !== 'group';
    about.textContent = model.norm.about(iris, Number(state.groups));
    before.show(iris.x, model);
    after.show(model.y, model);
    shared.show(model);
    showActive();
    showTime();
  }

  /** Lights what the mouse is over, else what the keyboard is on. */
  function showActive() {
    const active = pointed ?? focused;
    const cells = active?.block.cells ?? [];
    for (const view of [before, after]) view.light(cells, active?.cell);
    shared.light(active?.block.index);
    details.show(model, active);
    if (active === undefined) return;
    const [first, last] = [cells[0], cells.at(-1)].map((cell) => Math.floor(cell / iris.cols));
    if (active.cell === undefined) before.reveal(first, last);
    else shared.reveal(active.block.index, active.block.index);
  }

  async function showTime() {
    timing.abort();
    timing = new AbortController();
    const { signal } = timing;
    time.textContent = `Measuring. Build: ${an.build}.`;
    try {
      const { microseconds, batches, calls } = await timeForward(an, iris, state, signal);
      time.textContent = `${model.norm.operation}.forward takes ${short(microseconds)} µs here, on tensors, which copies nothing: the median of ${batches} batches of ${count(calls)} calls. Build: ${an.build}.`;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  show();
}
