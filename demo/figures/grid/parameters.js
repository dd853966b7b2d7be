/** γ, β and ε: a slider, and a field for every channel. */
import { slider } from '../../controls.js';
import { element } from '../../dom.js';
import { literal, nine, parseNumber } from '../../numbers.js';
import { featureName } from './table.js';

export const EPS = [0, 1e-8, 1e-6, 1e-5, 1e-3, 0.1, 1];

const SIGNS = { gamma: 'γ', beta: 'β' };
const PLAIN = { gamma: 1, beta: 0 };

/**
 * @param {string} name  of the figure
 * @param {(change: object) => void} onChange
 */
export function parametersView(name, onChange) {
  const eps = slider({
    legend: 'ε, added to the variance',
    name: `${name}-eps`,
    values: EPS,
    format: nine,
    onInput: (value) => onChange({ eps: value }),
  });
  const table = element('div', { className: 'parameters' });
  let built = '';
  /** @type {Record<string, HTMLInputElement[]>} */
  let inputs = { gamma: [], beta: [] };

  function build(model) {
    const { table: data, norm } = model;
    const names = Array.from({ length: data.c }, (_, i) => featureName(data, i));
    const kinds = norm.centers ? ['gamma', 'beta'] : ['gamma'];
    const key = [...kinds, ...names].join();
    if (key === built) return;
    built = key;
    inputs = { gamma: [], beta: [] };
    const rows = kinds.map((kind) => {
      inputs[kind] = names.map((feature, i) => {
        const input = element('input', {
          type: 'text',
          inputMode: 'decimal',
          autocomplete: 'off',
          name: `${name}-${kind}-${i}`,
          'aria-label': `${SIGNS[kind]} of ${feature}`,
        });
        input.addEventListener('change', () => {
          const value = parseNumber(input.value);
          if (value === undefined) input.value = literal(current[kind][i]);
          else onChange({ [kind]: current[kind].with(i, value) });
        });
        return input;
      });
      return element(
        'div',
        { className: 'parameter-row', role: 'group', 'aria-label': SIGNS[kind] },
        element('span', { 'aria-hidden': 'true' }, SIGNS[kind]),
        ...inputs[kind],
      );
    });
    table.replaceChildren(...rows);
  }

  let current = { gamma: [], beta: [] };
  return {
    element: element(
      'details',
      { className: 'more' },
      element('summary', {}, 'γ, β and ε'),
      'γ and β: a factor and a shift that are learned. ε keeps from dividing by zero.',
      eps.element,
      table,
    ),
    /** @param {import('./model.js').Model} model */
    show(model) {
      current = { gamma: model.gamma, beta: model.beta };
      eps.show(model.eps, EPS.includes(model.eps) ? EPS : [...EPS, model.eps]);
      build(model);
      for (const kind of ['gamma', 'beta']) {
        inputs[kind].forEach((input, i) => {
          const text = literal(model[kind][i]);
          if (input !== document.activeElement || parseNumber(input.value) !== model[kind][i]) {
            input.value = text;
          }
          input.classList.toggle('changed', model[kind][i] !== PLAIN[kind]);
        });
      }
    },
  };
}
