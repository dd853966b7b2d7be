/** The models of a race as cards: what each of them is, and how far it has come. */
import { toggle } from '../../controls.js';
import { element } from '../../dom.js';
import { sample } from '../../shared/chart.js';
import { FEWEST, LOOKS, MOST, NORMS, namesOf, PLACEMENTS } from './lanes.js';
import { lane as newLane } from './presets.js';
import { laneText } from './story.js';

function picker({ label, name, options, onChoice }) {
  const select = element(
    'select',
    { name, 'aria-label': label, onchange: () => onChoice(select.value) },
    ...Object.entries(options).map(([value, { label }]) => element('option', { value }, label)),
  );
  return {
    element: select,
    show(value) {
      select.value = value;
    },
  };
}

/**
 * @param {number} i  which lane
 * @param {{ change: (what: object) => void, remove: () => void }} actions
 */
function card(i, { change, remove }) {
  const name = (part) => `race-lane${i}-${part}`;
  const title = element('span');
  const look = sample({ ...LOOKS[i], points: [] });
  const placement = picker({
    label: 'Placement of the norms',
    name: name('placement'),
    options: PLACEMENTS,
    // Whether a final norm is needed depends on the placement.
    onChoice: (value) => change({ placement: value, finalNorm: newLane(value).finalNorm }),
  });
  const norm = picker({
    label: 'Kind of norm',
    name: name('norm'),
    options: NORMS,
    onChoice: (value) => change({ norm: value }),
  });
  const warmup = toggle({
    label: 'Warm-up',
    name: name('warmup'),
    onChange: (value) => change({ warmup: value }),
  });
  const finalNorm = toggle({
    label: 'Final norm',
    name: name('final'),
    onChange: (value) => change({ finalNorm: value }),
  });
  const formula = element('p', { className: 'formula' });
  const removing = element('span', { className: 'unseen' });
  const cross = element('span', { 'aria-hidden': 'true' }, '×');
  const button = element(
    'button',
    { type: 'button', className: 'remove', onclick: remove },
    cross,
    removing,
  );
  const progress = element('progress', { max: 1, value: 0 });
  const state = element('span', { className: 'lane-state' });
  return {
    element: element(
      'fieldset',
      { className: `lane hue${LOOKS[i].hue}` },
      element('legend', {}, look, title),
      button,
      element('div', { className: 'picks' }, placement.element, norm.element),
      formula,
      element('div', { className: 'switches' }, warmup.element, finalNorm.element),
      element('div', { className: 'lane-progress' }, progress, state),
    ),
    show(lane, title_, canRemove) {
      title.textContent = title_;
      progress.setAttribute('aria-label', `Progress of ${title_}`);
      removing.textContent = `Remove ${title_}`;
      button.hidden = !canRemove;
      placement.show(lane.placement);
      norm.show(lane.norm);
      warmup.show(lane.warmup);
      finalNorm.show(lane.finalNorm);
      formula.textContent = PLACEMENTS[lane.placement].formula;
    },
    /** @param {string} text  where it stands */
    report(share, text) {
      progress.value = share;
      state.textContent = text;
    },
  };
}

/** @param {(lanes: import('./presets.js').Lane[]) => void} onChange */
export function lanesView(onChange) {
  let shown = [];
  const cards = Array.from({ length: MOST }, (_, i) =>
    card(i, {
      change: (what) => onChange(shown.map((lane, k) => (k === i ? { ...lane, ...what } : lane))),
      remove() {
        onChange(shown.filter((_, k) => k !== i));
        add.focus();
      },
    }),
  );
  const add = element(
    'button',
    {
      type: 'button',
      className: 'add',
      onclick() {
        onChange([...shown, newLane(shown.at(-1).placement === 'pre' ? 'post' : 'pre')]);
        cards[shown.length - 1].element.querySelector('select').focus();
      },
    },
    'Add a model',
  );
  return {
    elements: [element('div', { className: 'lanes' }, ...cards.map((one) => one.element)), add],
    show(lanes) {
      shown = lanes;
      const names = namesOf(lanes);
      cards.forEach((one, i) => {
        one.element.hidden = i >= lanes.length;
        if (i < lanes.length) one.show(lanes[i], names[i], lanes.length > FEWEST);
      });
      add.hidden = lanes.length === MOST;
    },
    /** @param {{ lanes: import('./race.js').RaceLane[], steps: number } | undefined} race */
    report(race) {
      shown.forEach((_, i) => {
        const one = race?.lanes[i];
        if (one) cards[i].report(one.history.length / race.steps, laneText(one));
        else cards[i].report(0, '');
      });
    },
  };
}
