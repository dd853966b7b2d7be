/** Which one should I use? A recommendation, and batch and layer norm side by side. */
import { slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { FIELDS } from './fields.js';
import { ARCHITECTURES, BATCHES, COMPARISON, recommend } from './model.js';
import './choose.css';

const PRESETS = [
  { label: 'Images, small batch', state: { batch: 4 } },
  { label: 'A language model', state: { architecture: 'llm', batch: 2 } },
  { label: 'A recurrent network', state: { architecture: 'rnn' } },
];

/** A state of another figure; on a page of its own this one has to leave for it. */
function linkTo(hash, text) {
  const [figure] = hash.slice(1).split('.');
  const isHere = document.querySelector(`[data-figure="${figure}"]`) !== null;
  return element('a', { href: isHere ? hash : `../../index.html${hash}` }, text);
}

function claim(name, [text, hash]) {
  const link = linkTo(hash, 'See it');
  link.setAttribute('aria-label', `See it: ${name}. ${text}`);
  return element(
    'div',
    { className: 'claim' },
    element('h5', {}, name),
    element('p', {}, text, ' ', link),
  );
}

const card = ({ question, batch, layer }) =>
  element(
    'article',
    { className: 'card' },
    element('h4', {}, question),
    claim('BatchNorm', batch),
    claim('LayerNorm', layer),
  );

/** Things in a row, with a word before the last. */
const listed = (nodes, word) =>
  nodes.flatMap((node, i) => (i === 0 ? [node] : [i === nodes.length - 1 ? word : ', ', node]));

/** @param {HTMLElement} root */
export function figure(root) {
  const view = frame(root, {
    name: 'choose',
    title: 'A recommendation and its reason',
    fields: FIELDS,
    presets: PRESETS,
    show,
  });
  const select = element(
    'select',
    {
      id: 'choose-architecture',
      name: 'choose-architecture',
      onchange: () => view.set({ architecture: select.value }),
    },
    ...Object.entries(ARCHITECTURES).map(([value, { label }]) =>
      element('option', { value }, label),
    ),
  );
  const architecture = element(
    'div',
    { className: 'pick' },
    element('label', { htmlFor: select.id }, 'What you build'),
    select,
  );
  const batch = slider({
    legend: 'Batch on one device',
    name: 'choose-batch',
    values: BATCHES,
    format: (n) => (n === 1 ? '1 example' : `${n} examples`),
    onInput: (value) => view.set({ batch: value }),
  });
  const norms = element('p', { className: 'advice' });
  const reason = element('p');
  const remark = element('p', { className: 'quiet' });
  const sources = element('p', { className: 'quiet' });
  const links = element('p');
  const answer = element(
    'div',
    { className: 'recommendation' },
    element('p', { className: 'quiet' }, 'Start with'),
    norms,
    reason,
    remark,
    links,
    sources,
  );
  const like = element('p', { className: 'quiet' });
  view.controls.append(architecture, batch.element);
  view.stage.append(
    answer,
    like,
    element('div', { className: 'cards' }, ...COMPARISON.map(card)),
    element(
      'p',
      { className: 'quiet' },
      'This is guidance, not law. A model that is trained already keeps the norm it was trained with.',
    ),
  );

  function show(state) {
    const advice = recommend(state);
    select.value = state.architecture;
    batch.show(state.batch);
    norms.textContent = advice.norms.join(' or ');
    reason.textContent = advice.reason;
    // The cards are about two norms; the others see one example at a time.
    const [first] = advice.norms;
    like.textContent = `${first}, like LayerNorm below, looks at one example at a time.`;
    like.hidden = /^[BL]/.test(first);
    remark.textContent = advice.remark ?? '';
    remark.hidden = advice.remark === undefined;
    links.replaceChildren(
      'See it: ',
      ...listed(
        advice.links.map((one) => linkTo(...one)),
        ' and ',
      ),
    );
    const papers = advice.sources.map(({ text, href }) => element('a', { href }, text));
    sources.replaceChildren('Source: ', ...listed(papers, ' and '), '.');
    view.announce(`Start with ${norms.textContent}. ${advice.reason}`);
  }

  view.start();
}
