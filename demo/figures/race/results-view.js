/** The results of a race: a table, and a file with all numbers. */
import { element } from '../../dom.js';
import { saveFile } from '../../shared/save.js';
import { runInSlices } from '../../shared/slices.js';
import { numbersTable } from '../../shared/table.js';
import { csvOf } from './csv.js';
import { newest } from './history.js';
import { namesOf } from './lanes.js';
import { lossText, percent, unseenOf } from './story.js';

const TITLES = ['model', 'loss', 'right', 'loss, unseen', 'right, unseen'];
const NOTHING = '–';

function cells(lane) {
  if (lane === undefined) return [NOTHING, NOTHING, NOTHING, NOTHING];
  const { history, unseen } = lane;
  return [
    lossText(newest(history, 'loss')),
    percent(newest(history, 'accuracy')),
    unseen ? lossText(unseenOf(lane, 'loss')) : NOTHING,
    unseen ? percent(unseenOf(lane, 'accuracy')) : NOTHING,
  ];
}

export function resultsView() {
  const table = numbersTable('The newest 20 steps, and what no model has seen', 'results');
  const save = element('button', { type: 'button', onclick: saveNumbers }, 'Download CSV');
  let race;

  async function saveNumbers() {
    const pieces = await runInSlices(csvOf(race.lanes), new AbortController().signal);
    saveFile('race.csv', 'text/csv', pieces);
  }

  return {
    elements: [table.element, element('div', { className: 'buttons' }, save)],
    show({ lanes }, now) {
      race = now;
      save.disabled = race === undefined;
      const rows = namesOf(lanes).map((name, i) => [name, ...cells(race?.lanes[i])]);
      table.show(TITLES, rows);
    },
  };
}
