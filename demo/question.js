/** Predict, then reveal: a question before the figure shows what happens. */
import { element } from './dom.js';

/**
 * @typedef {object} Question
 * @property {string} ask
 * @property {string[]} choices  two or three
 * @property {number} right  index of the right one
 * @property {string} because  shown with the answer
 * @property {string} [pending]  shown first, where the figure takes time to find the answer
 * @property {Record<string, any>} [state]  what an answer makes of the figure's state: what was
 *   asked about
 * @property {(state: any) => boolean} [fits]  whether the question is about this state
 */

/**
 * What the field `answer` of a state can be: not yet, one of the choices, told without a guess, or
 * not asked, as in links.
 */
export const ANSWERS = ['', '0', '1', '2', 'told', 'skip'];

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
    { type: 'button', className: 'skip', onclick: () => onAnswer('told') },
    'Show me ',
    element('kbd', { title: 'in this box' }, 'Esc'),
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
  root.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !options.hidden) onAnswer('told');
  });
  return {
    element: root,
    /**
     * @param {boolean} isSettled  the figure shows which answer is right
     * @param {boolean} isAsked
     */
    show(answer, isSettled, isAsked) {
      const hadFocus = options.contains(document.activeElement);
      const isOpen = answer === '';
      options.hidden = !isOpen;
      root.hidden = !isAsked || answer === 'skip';
      const said = choices[answer] ? `You said: ${choices[answer]}. ` : '';
      const told = Number(answer) === right ? 'Yes. ' : `${said}It is: ${choices[right]}. `;
      const text = isSettled ? told + because : said + pending;
      verdict.textContent = isOpen ? '' : text;
      // What had the focus is gone.
      if (hadFocus && !isOpen) verdict.focus();
    },
  };
}
