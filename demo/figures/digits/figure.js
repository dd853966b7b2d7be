/** Digits that get lost: the variance of a row with an offset, computed in four ways. */
import { choice, slider } from '../../controls.js';
import { element } from '../../dom.js';
import { frame } from '../../frame.js';
import { count, long, short, significant } from '../../numbers.js';
import { drawing, svg } from '../../shared/chart.js';
import { numbersTable } from '../../shared/table.js';
import { digitsCode } from './code.js';
import { FIELDS } from './fields.js';
import { digits, OFFSETS, ROWS, worst } from './model.js';
import './digits.css';

const PRESETS = [
  { label: 'Offset 1,000', state: { offset: 1e3, answer: 'skip' } },
  { label: 'Offset 10,000', state: { offset: 1e4, answer: 'skip' } },
  { label: 'Offset a million', state: { offset: 1e6, answer: 'skip' } },
  { label: 'A constant row', state: { row: 'constant', offset: 1e6, answer: 'skip' } },
];

const QUESTION = {
  ask: 'Ten thousand is added to each of twelve activations. Their variance stays what it was. What does E[x²] − E[x]² give in float32?',
  choices: ['the same to a few digits', 'a negative number', 'infinity'],
  right: 1,
  state: { row: 'activations', offset: 1e4 },
  fits: ({ row }) => row === 'activations',
  because:
    'Both terms are about 10⁸, where neighbouring float32 numbers are 8 apart. Their difference is made of rounding alone, and here it comes out negative.',
};

/** The next float32 that is larger, less this one. */
function gap(value) {
  const floats = Float32Array.of(value);
  const words = new Uint32Array(floats.buffer);
  words[0] += 1;
  return floats[0] - Math.fround(value);
}

const REASONS = {
  negative: ([a, b]) =>
    `E[x²] = ${long(a)}, less E[x]² = ${long(b)}, is negative. A negative variance has no square root: NaN, everywhere in the row.`,
  eps: ([a, b]) =>
    `E[x²] = ${long(a)}, less E[x]² = ${long(b)}, is negative. Only ε keeps the root from being NaN.`,
  zero: ([a]) =>
    `E[x²] and E[x]² are the same float32, ${long(a)}: the variance is lost, and only √ε is left to divide by.`,
};

/** What the shortcut lost, in words. */
function reason({ ailment, squares, results }) {
  const [naive, , , exact] = results;
  const [meanSquare] = squares;
  const spacing = `Near ${short(meanSquare)} neighbouring float32 numbers are ${short(gap(meanSquare))} apart`;
  if (ailment !== undefined) return `${REASONS[ailment](squares)} ${spacing}.`;
  return `${howFar(naive.variance, exact.variance)} ${spacing}.`;
}

function howFar(variance, right) {
  if (right < 1e-12) return 'The variance of a constant row is 0.';
  const off = variance / right;
  if (off > 2) return `The shortcut gives ${short(off)} times the variance.`;
  return `The shortcut is off by ${short(Math.abs(off - 1) * 100)} %.`;
}

const HALF = 16;

/** Values of y as dots on four lanes, beside what they should be. */
function lanes(width, { results }) {
  const right = results.at(-1).y;
  const limit = Math.max(2.5, ...right.map(Math.abs));
  const left = Math.min(150, width * 0.38);
  const at = (v) => left + 12 + ((v + limit) / (2 * limit)) * (width - left - 24);
  const parts = results.flatMap(({ label, y }, lane) => {
    const middle = lane * 2 * HALF + HALF;
    const name = svg('text', { x: 0, y: middle + 4, class: 'strong' }, label);
    const rule = svg('line', { class: 'rule', x1: left, x2: width, y1: middle, y2: middle });
    if (y.some(Number.isNaN)) {
      const text = svg('text', { x: at(0), y: middle - 4, 'text-anchor': 'middle', class: 'lost' });
      text.append('NaN');
      return [name, rule, text];
    }
    const targets = right.map((v) =>
      svg('line', { x1: at(v), x2: at(v), y1: middle - 9, y2: middle + 9 }),
    );
    const inside = y.filter((v) => Math.abs(v) <= limit);
    const dots = inside.map((v) => svg('circle', { cx: at(v), cy: middle, r: 4 }));
    const lost = y.length - inside.length;
    const place = { x: width - 4, y: middle - 5, 'text-anchor': 'end', class: 'lost' };
    return [
      name,
      rule,
      svg('g', { class: 'targets' }, ...targets),
      svg('g', { class: `dots hue${lane}` }, ...dots),
      ...(lost > 0 ? [svg('text', place, `${lost} of ${y.length} outside`)] : []),
    ];
  });
  const bottom = results.length * 2 * HALF + 14;
  for (const v of [-2, -1, 0, 1, 2]) {
    const text = String(v).replace('-', '−');
    parts.push(svg('text', { x: at(v), y: bottom, 'text-anchor': 'middle' }, text));
  }
  return parts;
}

/** An element of the row; a float32 near a million has one or two decimals. */
const plain = (x) =>
  x.toLocaleString('en', { maximumFractionDigits: 3, useGrouping: false }).replace('-', '−');

/** An element of y: its decimals stand below each other where it is of ordinary size. */
const ofY = (y) => (y === 0 || !(Math.abs(y) < 100) ? short(y) : y.toFixed(3).replace('-', '−'));

/** A number with a mark where it is wrong in the third digit. */
function cellOf(text, value, right) {
  const isWrong = !(Math.abs(value - right) <= 1e-3 * Math.max(Math.abs(right), 1e-3));
  return element('td', { className: isWrong ? 'wrong' : '' }, isWrong ? `✗\u202f${text}` : text);
}

/**
 * @param {HTMLElement} root
 * @param {import('axisnorm').AxisNorm} an
 */
export function figure(root, an) {
  const view = frame(root, {
    name: 'digits',
    title: 'One variance, computed in four ways',
    fields: FIELDS,
    presets: PRESETS,
    question: QUESTION,
    code: (state) => digitsCode(digits(an, state)),
    show,
  });
  const row = choice({
    legend: 'The row',
    name: 'digits-row',
    labels: Object.fromEntries(Object.entries(ROWS).map(([key, { label }]) => [key, label])),
    onChoice: (value) => view.set({ row: value }),
  });
  const offset = slider({
    legend: 'Added to each value',
    name: 'digits-offset',
    values: OFFSETS,
    format: count,
    onInput: (value) => view.set({ offset: value }),
  });
  const outcome = element('p', { className: 'outcome' });
  const hidden = element(
    'p',
    { className: 'remark' },
    'The answer comes here once you have made your guess.',
  );
  const picture = drawing(4 * 2 * HALF + 20, lanes);
  const ways = numbersTable('One row, four ways', 'ways');
  const values = numbersTable('The normalized values', 'values');
  const key = element(
    'p',
    { className: 'remark' },
    'Dots: y. Upright lines: where float64 puts them. ✗: wrong in the third digit. ε = 1e−5, γ = 1, β = 0. The library takes d = x − μ, then c = mean(d), and the variance as mean(d²) − c²: what rounding the mean has left is taken out again.',
  );
  const results = [outcome, picture.element, ways.element, values.element, key];
  view.controls.append(row.element, offset.element);
  view.stage.append(hidden, ...results);

  function show(state) {
    row.show(state.row);
    offset.show(state.offset);
    hidden.hidden = view.revealed;
    for (const box of results) box.hidden = !view.revealed;
    if (!view.revealed) return;

    const model = digits(an, state);
    const exact = model.results.at(-1);
    outcome.textContent = reason(model);
    const [naive] = model.results;
    const isLost = Math.abs(naive.variance - exact.variance) > 0.01 * exact.variance;
    outcome.classList.toggle('refused', isLost);
    const words = model.results.map(({ label, variance }) => `${label} ${short(variance)}`);
    picture.show(model, `Normalized values, four ways. Variances: ${words.join(', ')}.`);
    ways.show(
      ['computed in', 'variance', 'largest error of y'],
      model.results.map(({ label, formula, variance, y }) => {
        const error = worst(y, exact.y);
        return [
          element('span', {}, label, element('small', {}, formula)),
          cellOf(significant(variance, 6), variance, exact.variance),
          cellOf(y === exact.y ? '' : short(error), error, 0),
        ];
      }),
    );
    values.show(
      ['x', 'shortcut', 'two passes', 'axisnorm', 'float64'],
      Array.from(model.x, (x, i) => [
        plain(x),
        ...model.results.map(({ y }) => cellOf(ofY(y[i]), y[i], exact.y[i])),
      ]),
    );
    view.announce(`Offset ${count(state.offset)}. ${words.join(', ')}.`);
  }

  view.start();
}
