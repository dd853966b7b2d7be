/** The batch shrinks to one example. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { short } from '../../numbers.js';
import { ticks, tickText } from '../../shared/axis.js';
import { drawing, svg } from '../../shared/chart.js';
import { numbersTable } from '../../shared/table.js';
import { BLOCKS, batch, LARGEST } from './batch-model.js';
import { batchCode } from './code.js';

const LANE = 46;
const AXIS = 26;
const LANES = Math.max(...Object.values(BLOCKS).map(({ channels }) => channels.length));
/** Names of the channels stand left of the lanes. */
const LEFT = 84;

/** μ, and σ to both sides of it. */
function bar({ mean, variance }, at, y, className) {
  const spread = Math.sqrt(variance);
  const [x1, x2, center] = [mean - spread, mean + spread, mean].map(at);
  return svg(
    'g',
    { class: className },
    svg('line', { x1, x2, y1: y, y2: y }),
    svg('line', { x1: center, x2: center, y1: y - 6, y2: y + 6 }),
  );
}

/** A lane for each channel: the values of the batch, their μ ± σ, and that of all examples. */
function lanes(width, { all, batch: own, channels, shape, x, one }) {
  const from = Math.min(0, ...x, ...all.map((s) => s.mean - Math.sqrt(s.variance)));
  const to = Math.max(...x, ...all.map((s) => s.mean + Math.sqrt(s.variance)));
  const at = (v) => LEFT + ((v - from) / (to - from)) * (width - LEFT - 10);
  const perChannel = one / channels.length;
  const parts = channels.flatMap((name, c) => {
    const top = c * LANE;
    const values = Array.from({ length: shape[0] }, (_, n) =>
      Array.from(x.subarray(n * one + c * perChannel, n * one + (c + 1) * perChannel)),
    ).flat();
    const dots = values.map((v) => svg('circle', { cx: at(v), cy: top + 16, r: 4 }));
    return [
      svg('text', { x: 0, y: top + 20, class: 'strong' }, name),
      svg('line', { class: 'rule', x1: LEFT, x2: width, y1: top + LANE, y2: top + LANE }),
      svg('g', { class: `dots hue${c % 4}` }, ...dots),
      bar(all[c], at, top + 37, 'everything'),
      ...(own ? [bar(own.channels[c], at, top + 29, `own hue${c % 4}`)] : []),
    ];
  });
  const bottom = channels.length * LANE;
  for (const v of ticks(from, to, 6)) {
    parts.push(svg('text', { x: at(v), y: bottom + 18, 'text-anchor': 'middle' }, tickText(v)));
  }
  return parts;
}

const plural = (n, what) => `${n} ${n === 1 ? what : `${what}s`}`;

/** Whose statistics there are, in words. */
function verdict({ shape, perChannel, refusal }) {
  const [n, , ...space] = shape;
  const product = space.length > 0 ? `${[n, ...space].join(' × ')} = ${perChannel}` : String(n);
  if (refusal === undefined) {
    const two =
      perChannel === 2
        ? ' Of two values one becomes +1 and one −1, whatever they were: only which is larger remains.'
        : '';
    return [`BatchNorm trains: each channel has ${product} values to average.${two}`];
  }
  return [
    'BatchNorm refuses to train: ',
    element('q', {}, refusal),
    '. A single value is its own mean and its variance is 0, so that every input would become β. LayerNorm goes on: it averages over the features of the row.',
  ];
}

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {import('../../frame.js').Frame} view
 */
export function batchPart(an, view) {
  const block = choice({
    legend: 'The examples are',
    name: 'stumbles-block',
    labels: Object.fromEntries(Object.entries(BLOCKS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ block: value }),
  });
  const size = slider({
    legend: 'Batch size N',
    name: 'stumbles-size',
    min: 1,
    max: LARGEST,
    format: (n) => plural(n, 'example'),
    onInput: (value) => view.set({ size: value }),
  });
  const outcome = element('p', { className: 'outcome' });
  const hidden = element(
    'p',
    { className: 'remark' },
    'The answer comes here once you have made your guess.',
  );
  const picture = drawing(LANES * LANE + AXIS, lanes);
  const key = element(
    'p',
    { className: 'remark' },
    'Dots: values of the batch. Coloured bar: their μ ± σ. Grey bar: that of all 150 examples, which the batch has to stand for. The estimate gets worse as N falls, and with it the noise grows that each example brings into the others.',
  );
  const statistics = numbersTable('Mean and variance of each channel');
  const outputs = numbersTable('What becomes of example 1');
  const tables = element('div', { className: 'side-by-side' }, statistics.element, outputs.element);
  const results = [outcome, picture.element, key, tables];

  function show(state) {
    const model = batch(an, state);
    block.show(state.block);
    size.show(state.size);
    hidden.hidden = view.revealed;
    for (const box of results) box.hidden = !view.revealed;
    if (!view.revealed) return;

    outcome.replaceChildren(...verdict(model));
    outcome.classList.toggle('refused', model.refusal !== undefined);
    const { all, batch: own, channels, layer, one, perChannel, x } = model;
    const words = own
      ? channels.map((name, c) => `${name} ${short(own.channels[c].mean)}`).join(', ')
      : 'none, as each channel has a single value';
    picture.show(model, `${perChannel} values in each channel. Means of the batch: ${words}.`);
    statistics.show(
      ['channel', 'μ', 'μ of 150', 'σ²', 'σ² of 150'],
      channels.map((name, c) => {
        const [mean, variance] = own
          ? [short(own.channels[c].mean), short(own.channels[c].variance)]
          : ['none', 'none'];
        return [name, mean, short(all[c].mean), variance, short(all[c].variance)];
      }),
    );
    const first = one / channels.length > 1 ? ', first pixel' : '';
    outputs.rename(`What becomes of example 1${first}`);
    outputs.show(
      ['channel', 'x', 'BatchNorm', 'LayerNorm'],
      channels.map((name, c) => {
        const i = (c * one) / channels.length;
        return [name, short(x[i]), own ? short(own.y[i]) : 'refused', short(layer[i])];
      }),
    );
    view.announce(`${plural(state.size, 'example')}. ${outcome.textContent}`);
  }

  return {
    controls: [block.element, size.element],
    stage: [hidden, ...results],
    show,
    code: batchCode,
  };
}
