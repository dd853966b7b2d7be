/** A slider adds the same number to every feature: LayerNorm does not notice, RMSNorm does. */
import { slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { literal, long, short } from '../../numbers.js';
import { custom } from '../../state.js';
import { OFFSETS, shifted, VALUES } from './model.js';
import './offset.css';

const offsetField = custom(0, (text) => OFFSETS.find((offset) => String(offset) === text), String);

const rows = {
  x: 'x + offset',
  layer: 'LayerNorm',
  rms: 'RMSNorm',
};

function listings({ offset }) {
  const values = Array.from(VALUES, literal).join(', ');
  const size = VALUES.length;
  return {
    js: `import { load } from 'axisnorm';

const an = await load();
const x = Float32Array.of(${values}).map((value) => value + ${offset});
console.log(an.layerNorm(x, { normalizedShape: ${size} }));
console.log(an.rmsNorm(x, { normalizedShape: ${size} }));
`,
    pytorch: `import torch
import torch.nn.functional as F

x = torch.tensor([${values}]) + ${offset}
print(F.layer_norm(x, [${size}], eps=1e-5))
print(F.rms_norm(x, [${size}], eps=1e-5))
`,
  };
}

export function figure(root, an) {
  const view = frame(root, {
    name: 'offset',
    title: 'The same number added to every feature',
    fields: { offset: offsetField },
    presets: [0, 1, 8, 1024].map((offset) => ({ label: `+ ${offset}`, state: { offset } })),
    question: {
      ask: 'Add 8 to all six features of an example. Whose output stays as it is?',
      choices: ['LayerNorm’s', 'RMSNorm’s', 'Both'],
      right: 0,
      state: { offset: 8 },
      because:
        'LayerNorm subtracts the mean, and the offset with it. RMSNorm divides only: its outputs all move towards 1.',
    },
    code: listings,
    show,
  });
  const offset = slider({
    legend: 'Offset',
    name: 'offset-offset',
    values: OFFSETS,
    onInput: (value) => view.set({ offset: value }),
  });
  const head = element(
    'tr',
    {},
    element('td'),
    ...Array.from(VALUES, (_, i) => element('th', { scope: 'col' }, `feature ${i + 1}`)),
  );
  const places = {};
  const body = Object.entries(rows).map(([key, label]) => {
    places[key] = Array.from(VALUES, () => element('td'));
    return element(
      'tr',
      { className: key },
      element('th', { scope: 'row' }, label),
      ...places[key],
    );
  });
  const summary = element('p', { className: 'moved' });
  view.controls.append(offset.element);
  view.stage.append(
    element(
      'div',
      {
        className: 'strip',
        tabIndex: 0,
        role: 'region',
        'aria-label': 'The example and its outputs',
      },
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
    ),
    summary,
  );

  function show(state) {
    offset.show(state.offset);
    const { x, layer, rms } = shifted(an, state.offset);
    const hidden = !view.revealed;
    for (const [key, values] of Object.entries({ x, layer: layer.y, rms: rms.y })) {
      const domain = key === 'x' ? 8 : 2;
      places[key].forEach((cell, i) => {
        const isHidden = hidden && key !== 'x';
        const share = isHidden ? 0 : Math.max(-1, Math.min(1, values[i] / domain));
        cell.className = share < 0 ? 'cold' : 'warm';
        cell.style.setProperty('--tone', `${Math.abs(share * 100).toFixed(0)}%`);
        cell.textContent = isHidden ? '?' : short(values[i]);
      });
    }
    summary.textContent = hidden
      ? ''
      : `Since offset 0, LayerNorm’s outputs moved by at most ${long(layer.moved)}, RMSNorm’s by ${short(rms.moved)}. RMSNorm’s lie ${short(rms.spread)} apart, LayerNorm’s ${short(layer.spread)}.`;
    if (!hidden) view.announce(summary.textContent);
  }

  view.start();
}
