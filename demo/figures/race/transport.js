/** What starts, pauses and undoes a race, and how far it is. */
import { element } from '../../dom.js';
import { progressText } from './story.js';

/** What the button does now. */
function labelOf(race) {
  if (race === undefined) return 'Start';
  if (race.isPlaying) return 'Pause';
  return race.isOver ? 'Start again' : 'Continue';
}

/** How far a lane is, from 0 to 1. */
const shareOf = ({ worker, history }, steps) => (worker ? history.length / steps : 1);

/**
 * @param {{ press: () => void, step: () => void, drop: () => void }} actions
 * @param {HTMLElement} pace  the control of the speed
 */
export function transport({ press, step, drop }, pace) {
  const button = (text, onclick) => element('button', { type: 'button', onclick }, text);
  const go = button('Start', press);
  go.className = 'go';
  const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Progress of the race' });
  const status = element('p', { className: 'status' });
  return {
    element: element(
      'div',
      { className: 'transport' },
      element(
        'div',
        { className: 'buttons' },
        go,
        button('Step', step),
        button('Back to step 0', drop),
      ),
      pace,
      element('div', { className: 'overall' }, progress, status),
    ),
    show({ steps }, race) {
      go.textContent = labelOf(race);
      status.textContent = progressText(race, steps);
      progress.value = race ? Math.min(...race.lanes.map((one) => shareOf(one, steps))) : 0;
    },
  };
}
