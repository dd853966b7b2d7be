/** Controls that figures share. */
import { element } from './dom.js';

/**
 * A row of buttons of which one is down. They are radio buttons: arrow keys choose.
 *
 * @param {object} settings
 * @param {string} settings.legend
 * @param {string} settings.name  unique on the page
 * @param {Record<string, string>} settings.labels  value -> text
 * @param {(value: string) => void} settings.onChoice
 */
export function choice({ legend, name, labels, onChoice }) {
  const inputs = Object.keys(labels).map((value) =>
    element('input', { type: 'radio', name, value, onchange: () => onChoice(value) }),
  );
  const options = inputs.map((input) =>
    element('label', {}, input, element('span', {}, labels[input.value])),
  );
  const root = element(
    'fieldset',
    { className: 'choice' },
    element('legend', {}, legend),
    element('div', { className: 'options' }, ...options),
  );
  return {
    element: root,
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
  };
}
