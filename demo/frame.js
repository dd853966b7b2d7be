/**
 * What all figures have in common: a heading, presets, the tabs Figure and Code, a place for
 * controls and one for the drawing, a question that may come first, Reset and Copy link, and the
 * state, which lives in the address.
 */
import { followHash, readHash, writeHash } from './address.js';
import { announcer } from './announce.js';
import { copyButton } from './controls.js';
import { element } from './dom.js';
import { ANSWERS, questionView } from './question.js';
import { initialState, oneOf, readState, writeState } from './state.js';

/**
 * @typedef {object} Preset
 * @property {string} label
 * @property {Record<string, any> | ((state: any) => Record<string, any>)} state  what differs from
 *   the initial state, or what becomes of the state as it is
 */

/**
 * @typedef {object} FrameSettings
 * @property {string} name  of the figure: its folder, its `data-figure`, its prefix in the address
 * @property {string} title
 * @property {import('./state.js').Fields} fields  what the visitor can set
 * @property {Preset[]} [presets]
 * @property {import('./question.js').Question} [question]
 * @property {(state: any) => { js: string, pytorch: string }} [code]  a listing that runs as it is
 *   and logs what the figure shows, and what does the same in PyTorch
 * @property {(state: any, frame: Frame) => void} show  draws a state; called at the start and
 *   after every change
 */

/**
 * @typedef {object} Frame
 * @property {HTMLElement} controls  for the figure's controls
 * @property {HTMLElement} stage  for the figure itself
 * @property {any} state  as it is now; never written to
 * @property {boolean} revealed  no question is open: what happens may be shown
 * @property {(change: Record<string, any>) => void} set  changes the state, and draws
 * @property {(text: string) => void} announce  to screen readers, throttled
 * @property {(isSettled: boolean) => void} settle  whether a pending answer is there
 * @property {() => void} start  draws for the first time, once the parts are in place
 */

const TABS = { figure: 'Figure', code: 'Code' };

/** What every figure has besides its own fields. */
const OWN = { tab: oneOf(Object.keys(TABS)), answer: oneOf(ANSWERS) };

/** One listing and the button that copies it. */
function listing(label) {
  const code = element('code');
  const pre = element('pre', { tabIndex: 0, role: 'region', 'aria-label': label }, code);
  const head = element(
    'div',
    { className: 'listing-head' },
    element('span', {}, label),
    copyButton('Copy', () => code.textContent, label),
  );
  return { code, element: element('div', { className: 'listing' }, head, pre) };
}

/** The tabs; the arrow keys go from one to the other, as in every list of tabs. */
function tabList(name, onChoice) {
  const keys = Object.keys(TABS);
  const buttons = keys.map((key) =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${name}-tab-${key}`,
        'aria-controls': `${name}-panel-${key}`,
        onclick: () => onChoice(key),
      },
      TABS[key],
    ),
  );
  const root = element('div', { className: 'tabs', role: 'tablist', 'aria-label': 'View' });
  root.append(...buttons);
  root.addEventListener('keydown', (event) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const other = buttons.find((button) => button !== event.target);
    other.focus();
    other.click();
  });
  return {
    element: root,
    show(chosen) {
      buttons.forEach((button, i) => {
        button.ariaSelected = String(keys[i] === chosen);
        button.tabIndex = keys[i] === chosen ? 0 : -1;
      });
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {FrameSettings} settings
 * @returns {Frame}
 */
export function frame(root, settings) {
  const { name, title, presets = [], question, code, show } = settings;
  const fields = { ...settings.fields, ...OWN };
  const first = initialState(fields);
  const linkOf = (state) => writeState(name, fields, state) || `#${name}`;

  const controls = element('div', { className: 'controls' });
  const stage = element('div', { className: 'stage' });
  const speech = announcer();
  const tabs = tabList(name, (tab) => made.set({ tab }));
  const ask =
    question && questionView(question, (answer) => made.set({ ...question.state, answer }));
  const links = presets.map(({ label }) => element('a', { className: 'preset' }, label));
  const reset = element(
    'button',
    { type: 'button', onclick: () => made.set({ ...first }) },
    'Reset',
  );
  const copy = copyButton('Copy link', () => new URL(linkOf(made.state), location.href).href);
  const listings = { js: listing('JavaScript'), pytorch: listing('PyTorch') };

  const panels = {
    figure: element('div', { className: 'panel-figure' }, controls, stage),
    code: element(
      'div',
      { className: 'panel-code' },
      listings.js.element,
      listings.pytorch.element,
    ),
  };
  for (const [key, panel] of Object.entries(panels)) {
    panel.id = `${name}-panel-${key}`;
    if (code === undefined) continue;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `${name}-tab-${key}`);
  }
  const heading = element('h3', { id: `${name}-figure` }, title);
  const box = element(
    'div',
    { className: 'frame', role: 'group', 'aria-labelledby': heading.id },
    element(
      'div',
      { className: 'frame-head' },
      heading,
      ...(code ? [tabs.element] : []),
      element('div', { className: 'frame-tools' }, reset, copy),
    ),
    ...(links.length > 0
      ? [element('nav', { className: 'presets', 'aria-label': `Presets: ${title}` }, ...links)]
      : []),
    ...(ask ? [ask.element] : []),
    panels.figure,
    panels.code,
    speech.element,
  );
  root.replaceChildren(box);

  let isSettled = question?.pending === undefined;
  const isAsked = () => question?.fits?.(made.state) ?? true;

  function draw() {
    const { state } = made;
    tabs.show(state.tab);
    panels.figure.hidden = code !== undefined && state.tab !== 'figure';
    panels.code.hidden = code === undefined || state.tab !== 'code';
    ask?.show(state.answer, isSettled, isAsked());
    box.classList.toggle('unrevealed', !made.revealed);
    const { tab, answer } = state;
    const here = linkOf(state);
    links.forEach((link, i) => {
      const { state: wanted } = presets[i];
      const target = typeof wanted === 'function' ? wanted(state) : { ...first, ...wanted };
      const to = (said) => linkOf({ ...target, tab, answer: said });
      link.href = to(target.answer || answer);
      if (to(answer) === here) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
    if (code !== undefined && state.tab === 'code') {
      const texts = code(state);
      for (const [key, { code: place }] of Object.entries(listings)) place.textContent = texts[key];
    }
    show(state, made);
  }

  /** @type {Frame} */
  const made = {
    controls,
    stage,
    state: readState(name, fields, readHash()),
    get revealed() {
      return question === undefined || made.state.answer !== '' || !isAsked();
    },
    set(change) {
      made.state = { ...made.state, ...change };
      writeHash(writeState(name, fields, made.state, readHash()));
      draw();
    },
    announce: speech.announce,
    settle(now) {
      isSettled = now;
      ask.show(made.state.answer, isSettled, isAsked());
    },
    start: draw,
  };
  followHash(() => {
    made.state = readState(name, fields, readHash());
    draw();
  });
  return made;
}
