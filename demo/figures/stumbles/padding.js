/** Sentences of unequal length, padded with zeros. */
import { slider, toggle } from '../../controls.js';
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { numbersTable } from '../../shared/table.js';
import { paddingCode } from './code.js';
import { FEATURES, featuresOf, LENGTHS, padding, SENTENCES } from './padding-model.js';

/** The sentences as boxes, a word each, and hatched ones where a sentence has ended. */
function sentences(length) {
  return SENTENCES.map((words, n) => {
    const boxes = words.map((word) => element('span', { className: 'word' }, word));
    const pads = Array.from({ length: length - words.length }, () =>
      element('span', { className: 'pad' }),
    );
    const label = `Sentence ${n + 1}: ${words.join(' ')}, and ${length - words.length} of padding`;
    return element(
      'div',
      { role: 'img', className: 'sentence', 'aria-label': label },
      ...boxes,
      ...pads,
    );
  });
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {import('../../frame.js').Frame} view
 */
export function paddingPart(an, view) {
  const length = slider({
    legend: 'Padded to',
    name: 'stumbles-length',
    ...LENGTHS,
    format: (n) => `${n} tokens`,
    onInput: (value) => view.set({ length: value }),
  });
  const mask = toggle({
    label: 'Mask for BatchNorm',
    name: 'stumbles-mask',
    onChange: (value) => view.set({ mask: value }),
  });
  const picture = element('div', { className: 'sentences' });
  const key = element(
    'p',
    { className: 'remark' },
    'Hatched: padding, a token of zeros. BatchNorm averages each feature over all tokens of all sentences, and padding counts as much as words. The repair is a mask, here the lengths of the sentences: padding enters no average, and comes out as 0.',
  );
  const statistics = numbersTable('BatchNorm’s statistics');
  const outputs = numbersTable(`What becomes of “${SENTENCES[0][1]}”`);
  const outcome = element('p', { className: 'outcome' });

  function show(state) {
    length.show(state.length);
    mask.show(state.mask);
    const model = padding(an, state);
    const { batch, layer, cells, count, tokens } = model;
    picture.replaceChildren(...sentences(state.length));
    const how = state.mask ? 'masked' : 'padded';
    statistics.show(
      ['feature', `μ, ${how}`, 'μ, words', `σ², ${how}`, 'σ², words'],
      Array.from({ length: FEATURES }, (_, c) => {
        const [dirty, clean] = [batch.padded.channels[c], batch.alone.channels[c]];
        return [
          String(c + 1),
          short(dirty.mean),
          short(clean.mean),
          short(dirty.variance),
          short(clean.variance),
        ];
      }),
    );
    const x = featuresOf(SENTENCES[0][1]);
    outputs.show(
      ['feature', 'x', `Batch, ${how}`, 'Batch, words', 'Layer, padded', 'Layer, words'],
      x.map((value, c) => {
        const i = FEATURES + c;
        const ys = [batch.padded, batch.alone, layer.padded, layer.alone].map(({ y }) =>
          short(y[i]),
        );
        return [String(c + 1), short(value), ...ys];
      }),
    );
    const all = tokens.length;
    const changes = (n) => `${n} of ${all}`;
    outcome.textContent = `${count} words and ${cells - count} of padding. With the ${state.mask ? 'mask' : 'padding'}, ${changes(batch.changed)} values of the words come out of BatchNorm with other bits, and ${changes(layer.changed)} out of LayerNorm: it averages within a token, and needs no mask.`;
    view.announce(outcome.textContent);
  }

  return {
    controls: [length.element, mask.element],
    stage: [
      picture,
      outcome,
      element('div', { className: 'side-by-side' }, statistics.element, outputs.element),
      key,
    ],
    show,
    code: paddingCode,
  };
}
