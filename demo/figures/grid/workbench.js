/** The grid as a part: a table before and after a norm, and who shares a mean with whom. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { count, literal, long, parseNumber, short } from '../../numbers.js';
import { custom, numberIn, oneOf } from '../../state.js';
import { cellsView } from './cells.js';
import { editing } from './editing.js';
import { inspector } from './inspector.js';
import { listings } from './listing.js';
import { changedBits, modelOf, tally } from './model.js';
import { groupsOf, NORMS } from './norms.js';
import { playOpening } from './opening.js';
import { parametersView } from './parameters.js';
import { pasteView } from './paste.js';
import { PRESETS } from './presets.js';
import { statisticsView } from './statistics.js';
import {
  canAdd,
  isImage,
  layoutOf,
  nameOf,
  rowOf,
  tableOf,
  textOf,
  withExample,
  withoutExample,
  withValue,
} from './table.js';
import './grid.css';

/** The cell that the first figure changes by itself. */
const NUDGED = 9;

/** Outputs have about this size where γ is 1: stronger colours are for no value. */
const OUTPUT_DOMAIN = 3;

/** One number a channel, as in `1_0.5`; those at the end that are plain are left out. */
const numbers = custom(
  [],
  (text) => {
    const values = text.split('_').map(parseNumber);
    return values.includes(undefined) ? undefined : values;
  },
  (values) => values.map((value) => literal(value).replace('+', '')).join('_'),
);

const tableText = custom('', (text) => (/^([et][\w.*-]*)?$/.test(text) ? text : undefined), String);

/** Everything that can be set, with what is different at first in one figure. */
function fieldsWith(initial) {
  const fields = {
    preset: oneOf(Object.keys(PRESETS)),
    norm: oneOf(Object.keys(NORMS)),
    groups: numberIn(1, 16, 2, { whole: true }),
    eps: numberIn(0, 1e6, 1e-5),
    gamma: numbers,
    beta: numbers,
    data: tableText,
    from: tableText,
    direction: oneOf(['forward', 'backward']),
    inject: numberIn(0, 1e5, 0, { whole: true }),
  };
  for (const [name, value] of Object.entries(initial)) {
    fields[name] = { ...fields[name], initial: value };
  }
  return fields;
}

/** A round number that is not below any of the values. */
function domainOf(values) {
  const largest = values.reduce(
    (most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most),
    0,
  );
  if (largest === 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 3, 5, 8, 10].find((times) => times * unit >= largest) * unit;
}

/** By which keys and drags change a value: a hundredth of the scale, but a round one. */
const stepOf = (domain) => 10 ** Math.round(Math.log10(domain / 100));

/** Two boxes that scroll together. */
function scrollTogether(one, other) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ]) {
    from.addEventListener('scroll', () => {
      to.scrollTop = from.scrollTop;
      to.scrollLeft = from.scrollLeft;
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

/** What the colours mean. */
function legend() {
  const ends = [element('span'), element('span')];
  return {
    element: element(
      'p',
      { className: 'legend' },
      ends[0],
      element('span', {
        className: 'ramp',
        role: 'img',
        'aria-label': 'from negative to positive',
      }),
      ends[1],
    ),
    show(domain) {
      ends[0].textContent = short(-domain);
      ends[1].textContent = short(domain);
    },
  };
}

/**
 * @param {HTMLElement} root  what the figure is put into
 * @param {import('axisnorm').AxisNorm} an
 * @param {object} settings
 * @param {string} settings.name
 * @param {string} settings.title
 * @param {object} [settings.initial]  what is different at first
 * @param {import('../../frame.js').Preset[]} settings.presets
 * @param {import('../../question.js').Question} [settings.question]
 * @param {boolean} [settings.hasBackward]  whether a gradient can be sent back
 * @param {boolean} [settings.isFirst]  whether it begins by itself, with a nudge
 */
export function workbench(root, an, settings) {
  const {
    name,
    title,
    initial = {},
    presets,
    question,
    hasBackward = false,
    isFirst = false,
  } = settings;
  /** @type {import('./model.js').Model} */
  let model;
  let pointed;
  /** The cell that was pointed at last: its example is the one to remove. */
  let last;
  let focused;
  let revealed = '';
  let domain = 1;
  let domainKey = '';

  const view = frame(root, {
    name,
    title,
    fields: fieldsWith(initial),
    presets,
    question,
    code: (state) => listings(an, state),
    show,
  });
  const { controls, stage } = view;

  const norm = choice({
    legend: 'Norm',
    name: `${name}-norm`,
    labels: Object.fromEntries(Object.entries(NORMS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ norm: value }),
  });
  const groups = slider({
    legend: 'Groups',
    name: `${name}-groups`,
    values: [1],
    format: groupsText,
    onInput: (value) => view.set({ groups: value }),
  });
  const direction = choice({
    legend: 'Direction',
    name: `${name}-direction`,
    labels: { forward: 'Forward', backward: 'Backward' },
    onChoice: (value) => view.set({ direction: value }),
  });
  const parameters = parametersView(name, (change) => view.set(change));
  const about = element('p', { className: 'about' });
  const moved = element('p', { className: 'moved' });
  const hint = element('p', { className: 'hint', id: `${name}-hint` });
  const details = inspector(`${name}-inspector`);
  const before = cellsView({ id: `${name}-before`, className: 'before' });
  const after = cellsView({ id: `${name}-after`, className: 'after' });
  const statistics = statisticsView({ id: `${name}-shared`, className: 'shared' });
  const panels = element(
    'div',
    { className: 'panels' },
    before.element,
    after.element,
    statistics.element,
  );
  const ramps = { before: legend(), after: legend() };
  before.element.append(ramps.before.element);
  after.element.append(ramps.after.element);

  const add = element('button', {
    type: 'button',
    onclick: () => useRows(withExample(model.table)),
  });
  add.textContent = 'Add example';
  const remove = element('button', { type: 'button', onclick: removeExample });
  const forget = element('button', { type: 'button', onclick: forgetChanges }, 'Clear marks');
  const paste = pasteView(name, before.table, (table) => useRows(table));

  controls.append(norm.element, groups.element);
  if (hasBackward) controls.append(direction.element);
  stage.append(
    about,
    moved,
    panels,
    hint,
    details.element,
    element('div', { className: 'row' }, add, remove, forget),
    element('div', { className: 'row' }, parameters.element, paste.element),
  );

  before.table.setAttribute('aria-describedby', hint.id);
  scrollTogether(before.scroller, after.scroller);
  const watchers = {
    point(what) {
      pointed = what;
      showActive();
    },
    focus(what) {
      focused = what;
      showActive();
      if (what?.cell !== undefined) view.announce(spoken(what.cell));
    },
  };
  for (const { body } of [before, after]) {
    watch(body, (target) => readCell(target.closest('td[data-index]')), watchers);
  }
  watch(statistics.body, (target) => readBlock(target.closest('tr')), watchers);

  editing(before.table, {
    valueAt: (index) => model.table.x[index],
    step: () => stepOf(domain),
    nameOf: (index) => nameOf(model.table, index),
    onChange: changeCell,
  });
  after.table.addEventListener('click', ({ target }) => inject(target));
  after.table.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (inject(event.target)) event.preventDefault();
  });

  function groupsText(value) {
    const { c } = model.table;
    if (value === c) return `${value}: Instance`;
    return value === 1 ? 'one group' : `${value} groups of ${c / value}`;
  }

  function readCell(td) {
    if (td === null) return undefined;
    const cell = Number(td.dataset.index);
    return { cell, block: model.blockOf(cell) };
  }

  function readBlock(tr) {
    return tr === null ? undefined : { block: model.blocks[Number(tr.dataset.block)] };
  }

  /** Where the gradient arrives; true where it can be chosen. */
  function inject(target) {
    const td = target.closest('td[data-index]');
    if (!td || !model.dx) return false;
    view.set({ inject: Number(td.dataset.index) });
    view.announce(movedText());
    return true;
  }

  function changeCell(index, value, isNew) {
    const { preset, data } = view.state;
    const text = textOf(preset, withValue(model.table, index, value));
    if (text === data) return;
    view.set(isNew ? { data: text, from: data } : { data: text });
    view.announce(`${long(value)}. ${movedText()}`);
  }

  /** Other rows: what was before cannot be compared cell by cell. */
  function useRows(table) {
    const data = textOf(view.state.preset, table);
    view.set({ data, from: data });
    view.announce(`${table.n} examples, ${table.c} ${isImage(table) ? 'channels' : 'features'}.`);
  }

  const exampleToRemove = () => {
    const cell = last?.cell;
    const example = cell === undefined ? Infinity : layoutOf(model.table).exampleOf(cell);
    return Math.min(example, model.table.n - 1);
  };

  function removeExample() {
    useRows(withoutExample(model.table, exampleToRemove()));
    if (remove.disabled) add.focus();
  }

  function forgetChanges() {
    view.set({ from: view.state.data });
    before.body.querySelector('[tabindex="0"]').focus();
  }

  /** A cell in words, for those who do not see where it stands. */
  function spoken(cell) {
    const { table, y, dx, blocks, blockOf } = model;
    const block = blockOf(cell);
    const out = dx ? `dx ${short(dx[cell])}` : y ? `y ${short(y[cell])}` : 'no output';
    const share = block.cells.length === 1 ? 'alone' : `one of ${block.cells.length} cells`;
    return `${nameOf(table, cell)}: x ${short(table.x[cell])}, ${out}; ${share} in block ${block.index + 1} of ${blocks.length}`;
  }

  function movedText() {
    const { table, old, y, bits, dx, dy, refusal } = model;
    if (refusal) return 'There is no output.';
    if (dx) {
      const reached = dx.filter((value) => value !== 0).length;
      return `dy is 1 at ${nameOf(table, dy.indexOf(1))}, and 0 elsewhere. It reaches ${count(reached)} of ${count(dx.length)} inputs.`;
    }
    if (!bits || !view.revealed) return '';
    const { outputs, examples } = tally(model);
    const changes = [...table.x.keys()].filter((i) => !Object.is(table.x[i], old.x[i]));
    const [i] = changes;
    const change =
      changes.length === 1
        ? ` Changed: ${nameOf(table, i)}, ${short(old.x[i])} → ${short(table.x[i])}.`
        : '';
    return `Of ${count(y.length)} outputs ${count(outputs)} moved, in ${examples} of ${table.n} ${rowOf(table)}${table.n === 1 ? '' : 's'}.${change}`;
  }

  function show(state) {
    model = modelOf(an, state);
    const { table, old, y, dx, dy, bits } = model;
    const key = [state.preset, table.n, table.c, table.x.length].join();
    if (key !== domainKey) {
      domainKey = key;
      // The scale stays where it is while cells change.
      const still = state.data.startsWith('t') ? table : tableOf(state.preset, '');
      domain = domainOf(still.x);
      pointed = undefined;
      last = undefined;
    }
    // Narrower cells have no room for their numbers.
    panels.classList.toggle('stacked', table.c * table.w > 5);
    norm.show(state.norm);
    groups.element.hidden = state.norm !== 'group';
    groups.show(model.groups, groupsOf(table.c));
    direction.show(state.direction);
    const preset = PRESETS[state.preset];
    const text = model.refusal
      ? 'One value per feature: no variance, so BatchNorm refuses to train. Try Layer, or Images.'
      : `${state.data === '' ? `${preset.about} ` : ''}${model.norm.about(table, model.groups)}`;
    if (about.textContent !== text) about.textContent = text;

    const isBackward = dx !== undefined;
    const isMarked = bits !== undefined && view.revealed && !isBackward;
    const axes = isImage(table) ? 'N × C × H × W' : `${rowOf(table)}s × features`;
    const sizes = isImage(table)
      ? [table.n, table.c, table.h, table.w].join(' × ')
      : `${table.n} × ${table.c}`;
    const unit = table.unit ? `, ${table.unit}` : '';
    before.title(
      isBackward ? 'Gradient at the inputs' : 'Before',
      isBackward ? 'dx' : `x${unit}: ${sizes}, ${axes}`,
    );
    after.title(isBackward ? 'Gradient at the outputs' : 'After', isBackward ? 'dy' : 'y');
    statistics.title('Shared', 'statistics of x');
    const beforeValues = dx ?? table.x;
    const beforeDomain = dx ? domainOf(dx) : domain;
    const at = dy?.indexOf(1);
    before.show(model, beforeValues, {
      domain: beforeDomain,
      bits: old && !isBackward ? changedBits(old.x, table.x) : undefined,
      isReached: isBackward ? (i) => dx[i] !== 0 : undefined,
    });
    after.show(model, dy ?? y, {
      domain: isBackward ? 1 : OUTPUT_DOMAIN,
      bits: isMarked ? bits : undefined,
      perExample: isMarked ? tally(model).perExample : undefined,
      isReached: isBackward ? (i) => i === at : undefined,
    });
    before.table.classList.toggle('editable', !isBackward);
    after.table.classList.toggle('choosable', isBackward);
    ramps.before.show(beforeDomain);
    ramps.after.show(isBackward ? 1 : OUTPUT_DOMAIN);
    statistics.show(model);
    parameters.show(model);
    moved.textContent = movedText();
    hint.textContent = isBackward
      ? 'Choose the output where the gradient arrives: click a cell of dy, or press Enter on it.'
      : 'Drag a cell up or down to change it, or press Shift + ↑ ↓; Enter or a digit types a value, Escape leaves.';
    add.disabled = !canAdd(table);
    remove.disabled = table.n === 1;
    remove.textContent = `Remove example ${exampleToRemove() + 1}`;
    forget.hidden = !isMarked;
    for (const one of [add, remove, paste.element]) one.hidden = isBackward;
    showActive();
  }

  /** Lights what the mouse is over, else what the keyboard is on. */
  function showActive() {
    const now = pointed ?? focused;
    // Blocks are made anew with every change.
    const block =
      now?.cell === undefined ? model.blocks[now?.block.index] : model.blockOf(now.cell);
    const active = now && block && { ...now, block };
    const cells = active?.block.cells ?? [];
    for (const one of [before, after]) one.light(cells, active?.cell);
    statistics.light(active?.block.index);
    details.show(model, active);
    if (active === undefined) {
      revealed = '';
      return;
    }
    if (active.cell !== undefined && active.cell !== last?.cell) {
      last = active;
      remove.textContent = `Remove example ${exampleToRemove() + 1}`;
    }
    // Looking where things are costs a layout: only where something else is pointed at.
    const where = `${active.cell},${active.block.index},${model.blocks.length}`;
    if (where === revealed) return;
    revealed = where;
    const { placeOf } = layoutOf(model.table);
    const [first, end] = [cells[0], cells.at(-1)].map((cell) => placeOf(cell).row);
    if (active.cell === undefined) before.reveal(first, end);
    else statistics.reveal(active.block.index, active.block.index);
  }

  view.start();
  if (isFirst && view.state.data === '' && model.y) playOpening(root, nudge);

  /** What the figure does by itself at the start is no part of its state. */
  function nudge(amount) {
    const { state } = view;
    if (amount === null) {
      pointed = undefined;
      show(state);
      return;
    }
    const index = Math.min(NUDGED, model.table.x.length - 1);
    const value = tableOf(state.preset, '').x[index] + amount * 0.25 * domain;
    const table = withValue(
      tableOf(state.preset, ''),
      index,
      Math.fround(Number(value.toFixed(2))),
    );
    pointed = { cell: index, block: model.blockOf(index) };
    show({ ...state, data: textOf(state.preset, table), from: '' });
  }
}
