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

/**
 * A slider with its value beside it. It steps through `values` where they are given (any list, in
 * order), else from min to max.
 *
 * @param {object} settings
 * @param {string} settings.legend
 * @param {string} settings.name  unique on the page
 * @param {number[]} [settings.values]
 * @param {number} [settings.min]
 * @param {number} [settings.max]
 * @param {number} [settings.step]
 * @param {(value: number) => string} [settings.format]  for eye and ear
 * @param {(value: number) => void} settings.onInput
 */
export function slider({ legend, name, values, min, max, step = 1, format = String, onInput }) {
  let steps = values;
  const input = element('input', {
    type: 'range',
    name,
    id: name,
    min: values ? 0 : min,
    max: values ? values.length - 1 : max,
    step: values ? 1 : step,
    oninput: () => onInput(steps ? steps[Number(input.value)] : Number(input.value)),
  });
  const output = element('output', { htmlFor: name });
  const root = element(
    'div',
    { className: 'slider' },
    element('label', { htmlFor: name }, legend),
    output,
    input,
  );
  return {
    element: root,
    /** @param {number[]} [others]  a new list to step through */
    show(value, others = steps) {
      steps = others;
      if (steps) input.max = String(steps.length - 1);
      input.value = String(steps ? Math.max(0, steps.indexOf(value)) : value);
      output.textContent = format(value);
      input.setAttribute('aria-valuetext', format(value));
    },
  };
}

/** A switch: on or off. */
export function toggle({ label, name, onChange }) {
  const input = element('input', {
    type: 'checkbox',
    name,
    role: 'switch',
    onchange: () => onChange(input.checked),
  });
  return {
    element: element('label', { className: 'toggle' }, input, element('span', {}, label)),
    show(value) {
      input.checked = value;
    },
  };
}

/** Copies what `read` gives and says that it did. */
export function copyButton(label, read, what = '') {
  const said = element('span', { role: 'status' });
  const button = element('button', { type: 'button', className: 'copy' }, label);
  if (what) button.append(element('span', { className: 'unseen' }, ` ${what}`));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(read());
      said.textContent = 'Copied';
    } catch {
      said.textContent = 'Not allowed';
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      said.textContent = '';
    }, 2000);
  });
  return element('span', { className: 'copying' }, button, said);
}
