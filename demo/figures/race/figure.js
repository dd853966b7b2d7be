/** The race: the same model with norms in different places, trained side by side. */
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { drawnSoon, saidNowAndThen } from '../../shared/live.js';
import { initialState } from '../../state.js';
import { chartsView } from './charts-view.js';
import { raceCode } from './code.js';
import { FIELDS, PACES } from './fields.js';
import { writeLanes } from './lanes.js';
import { lanesView } from './lanes-view.js';
import { PRESETS } from './presets.js';
import { newRace } from './race.js';
import { resultsView } from './results-view.js';
import { settingsView } from './settings-view.js';
import { progressText, standing, story, troubleText } from './story.js';
import { transport } from './transport.js';
import './race.css';

const QUESTION = {
  ask: 'The same network twice, eight blocks deep, with the same data and a learning rate of 0.006 from the first step on. Which one learns to reverse eight symbols?',
  choices: ['Post-LN', 'Pre-LN', 'Both'],
  right: 1,
  // It is about the first race.
  fits: (state) => keyOf(state) === FIRST,
  pending: 'Press Start to see.',
  because:
    'At this rate the first steps throw Post-LN off and it never does better than guessing. Pre-LN takes them. Warm-up, a rate that starts small, would have carried Post-LN over, too.',
};

/** What a race depends on; the rest is how it is looked at. */
const keyOf = ({ lanes, depth, rate, warmup, width, steps, seed, runs }) =>
  [writeLanes(lanes), depth, rate, warmup, width, steps, seed, runs].join();

const FIRST = keyOf(initialState(FIELDS));

const presets = PRESETS.map(({ label, name, ...others }) => ({
  label,
  state: ({ pace }) => ({ ...initialState(FIELDS), pace, ...others }),
}));

const makeWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

/** @param {HTMLElement} root */
export function figure(root) {
  const view = frame(root, {
    name: 'race',
    title: 'The race',
    fields: FIELDS,
    presets,
    question: QUESTION,
    code: raceCode,
    show,
  });
  // What starts the race comes first for the keyboard, too.
  view.stage.after(view.controls);

  const actions = { press, step: stepOnce, drop };
  const lanes = lanesView((now) => view.set({ lanes: now }));
  const settings = settingsView((change) => view.set(change));
  const controls = transport(actions, settings.pace);
  const trouble = element('p', { className: 'trouble', role: 'alert', hidden: true });
  const charts = chartsView(settings.scale);
  const outcome = element('p', { className: 'outcome' });
  const results = resultsView();
  const speech = saidNowAndThen(view.announce);
  const redraw = drawnSoon(draw);
  view.controls.append(...lanes.elements, ...settings.elements);
  view.stage.append(
    controls.element,
    trouble,
    charts.loss,
    outcome,
    charts.others,
    ...results.elements,
  );

  /** @type {ReturnType<typeof newRace> | undefined} */
  let race;
  let key = '';
  let wasOver = false;

  const paceOf = (state) => PACES[state.pace].perSecond;

  /** Makes sure that there is a race. */
  function enter() {
    const { state } = view;
    if (race === undefined || race.isOver) {
      race = newRace({ settings: state, perSecond: paceOf(state), makeWorker, onChange: redraw });
      key = keyOf(state);
    }
    // Whoever starts without a guess wants to see.
    if (!view.revealed) view.set({ answer: 'skip' });
  }

  function press() {
    if (race?.isPlaying) {
      race.pause();
      speech.say(progressText(race, view.state.steps));
    } else {
      enter();
      race.play();
      speech.say('Training.');
    }
    draw();
  }

  function stepOnce() {
    if (race?.isPlaying) race.pause();
    else {
      enter();
      race.step();
    }
    draw();
  }

  /** Ends the workers and forgets what they gave. */
  function drop() {
    race?.end();
    race = undefined;
    draw();
  }

  function draw() {
    const { state } = view;
    controls.show(state, race);
    lanes.report(race);
    showTrouble(troubleText(race));
    charts.show(state, race);
    outcome.textContent = story(race, state);
    results.show(state, race);
    view.settle(race?.isComplete ?? false);
    // The names of presets give the answer away.
    root.querySelector('.presets').hidden = !view.revealed;
    sayWhatIs();
  }

  function showTrouble(text) {
    trouble.hidden = text === '';
    if (trouble.textContent !== text) trouble.textContent = text;
  }

  function sayWhatIs() {
    const isOver = race?.isOver ?? false;
    if (isOver && !wasOver) speech.say(outcome.textContent);
    if (race?.isPlaying)
      speech.goOn(() => `${progressText(race, view.state.steps)} ${standing(race.lanes)}.`);
    wasOver = isOver;
  }

  let pace;

  function show(state) {
    // Another race, or the question anew.
    if (race && (keyOf(state) !== key || !view.revealed)) {
      race.end();
      race = undefined;
    }
    if (race && state.pace !== pace) race.setPace(paceOf(state));
    pace = state.pace;
    settings.show(state);
    lanes.show(state.lanes);
    draw();
  }

  view.start();
}
