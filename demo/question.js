/** Predict, then reveal: a question before the figure shows what happens. */
import { element } from './dom.js';

/**
 * @typedef {object} Question
 * @property {string} ask
 * @property {string[]} choices  two or three
 * @property {number} right  index of the right one
 * @property {string} because  shown with the answer
 * @property {string} [pending]  shown first, where the figure takes time to find the answer
 */

/** What the field `answer` of a state can be: not yet, one of the choices, or skipped. */
export const ANSWERS = ['', '0', '1', '2', 'skip'];

/** What follows the question in a frame and can have the focus. */
const NEXT = '.panel-figure :is(input, button, [tabindex="0"])';

/**
 * @param {Question} question
 * @param {(answer: string) => void} onAnswer
 */
export function questionView({ ask, choices, right, because, pending }, onAnswer) {
  const buttons = choices.map((text, i) =>
    element('button', { type: 'button', onclick: () => onAnswer(String(i)) }, text),
  );
  const skip = element(
    'button',
    { type: 'button', className: 'skip', onclick: () => onAnswer('skip') },
    'Show me ',
    element('kbd', { title: 'in this figure' }, 'Esc'),
  );
  const verdict = element('p', { className: 'verdict', role: 'status', tabIndex: -1 });
  const options = element('div', { className: 'answers' }, ...buttons, skip);
  const root = element(
    'div',
    { className: 'question', role: 'group', 'aria-label': 'Predict, then see' },
    element('p', { className: 'ask' }, ask),
    options,
    verdict,
  );
  return {
    element: root,
    /** @param {boolean} isSettled  the figure shows which answer is right */
    show(answer, isSettled) {
      const hadFocus = options.contains(document.activeElement);
      const isOpen = answer === '';
      const isSkipped = answer === 'skip';
      options.hidden = !isOpen;
      root.hidden = isSkipped;
      const said = `You said: ${choices[Number(answer)]}. `;
      const told = Number(answer) === right ? 'Yes. ' : `${said}It is: ${choices[right]}. `;
      const text = isSettled ? told + because : said + pending;
      verdict.textContent = isOpen || isSkipped ? '' : text;
      // What had the focus is gone.
      if (hadFocus && isSkipped) root.parentElement.querySelector(NEXT)?.focus();
      else if (hadFocus && !isOpen) verdict.focus();
    },
  };
}
