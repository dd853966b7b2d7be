/* docs/accuracy.md: the tables, and what has to be known to read them. */
import { librariesOf, PARTS } from './measure.js';
import { NORMS } from './norms.js';

/**
 * @typedef {object} Row  a case without its arrays
 * @property {(typeof NORMS)[number]} norm
 * @property {string} name
 * @property {boolean} hostile
 * @property {Map<string, Record<string, import('./measure.js').Cell>>} cells
 */

const DASH = '–';

function unitsText(units) {
  if (units === 0) return '0';
  if (units >= 1e5) return units.toExponential(1).replace('+', '');
  return units >= 100 ? String(Number(units.toPrecision(2))) : units.toPrecision(2);
}

const cellText = ({ units, got }) => {
  if (units < Infinity) return unitsText(units);
  return Number.isFinite(got) ? 'not ∞' : String(got).replace('-', '−').replace('Infinity', '∞');
};

/** Reasons below a table, numbered as they come up. */
class Notes {
  #reasons = [];

  text(cell) {
    if (cell.units !== undefined) return cellText(cell);
    if (!this.#reasons.includes(cell.reason)) this.#reasons.push(cell.reason);
    return `${DASH}<sup>${this.#reasons.indexOf(cell.reason) + 1}</sup>`;
  }

  get lines() {
    return this.#reasons.map((reason, i) => `<sup>${i + 1}</sup> ${reason}.`);
  }
}

/** A markdown table; all columns but the first `texts` ones hold numbers. */
function table(head, body, texts = 1) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i < texts ? '---' : '--:'));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}

function detail(norm, part, rows, libraries) {
  const columns = librariesOf(norm, libraries).map(({ name }) => name);
  const notes = new Notes();
  const body = rows
    .filter((row) => row.norm === norm)
    .map(({ name, hostile, cells }) => [
      hostile ? name : `*${name}*`,
      ...columns.map((column) => notes.text(cells.get(column)[part.id])),
    ]);
  const grid = table(['input', ...columns], body);
  return [`### ${norm.title}, ${part.title}`, grid, ...notes.lines].join('\n\n');
}

/** The worst of some cells; undefined where none has units. */
function worst(cells) {
  const known = cells.filter(({ units }) => units !== undefined);
  return known.sort((a, b) => b.units - a.units)[0];
}

const DIRECTIONS = [
  ['forward', ['forward']],
  ['backward', ['dx', 'parameters']],
];

/** Worst realistic / worst hostile of a norm, a direction and a column. */
function summaryCell(rows, names, parts) {
  const of = (hostile) => {
    const cells = rows
      .filter((row) => row.hostile === hostile)
      .flatMap((row) => names.flatMap((name) => parts.map((part) => row.cells.get(name)?.[part])))
      .filter(Boolean);
    return worst(cells);
  };
  const [realistic, hostile] = [of(false), of(true)];
  return realistic && hostile ? `${cellText(realistic)} / ${cellText(hostile)}` : DASH;
}

/** @returns {string} */
export function summary(rows, libraries) {
  const columns = libraries.filter(({ worstIn }) => worstIn === undefined).map(({ name }) => name);
  const members = (column) =>
    libraries
      .filter(({ name, worstIn }) => name === column || worstIn === column)
      .map(({ name }) => name);
  const body = NORMS.flatMap((norm) =>
    DIRECTIONS.map(([direction, parts]) => {
      const own = rows.filter((row) => row.norm === norm);
      const cells = columns.map((column) => summaryCell(own, members(column), parts));
      return [norm.title, direction, ...cells];
    }),
  ).filter((cells) => cells.length > 0);
  return table(['norm', '', ...columns], body, 2);
}

const introduction = (versions) => `# Accuracy

Written by \`npm run accuracy\`; not edited by hand.

The largest error of each library, against a float64 reference whose statistics are compensated
sums. The numbers are **units in the last place at the scale of the row**: 2^-23 times the largest
magnitude in the row, group, channel or filter of

| result         | magnitudes                                                                             |
| -------------- | -------------------------------------------------------------------------------------- |
| y              | abs(y) and abs(y − beta)                                                               |
| dx             | abs(dx) and the terms it is the difference of: rstd·g, rstd·mean(g), rstd·xhat·mean(g·xhat) |
| dgamma, dbeta  | the sum, and the root of the sum of the squares of its terms dy·xhat or dy, where xhat counts as the largest of its row |

so 0.5 is a result that was computed without error and rounded once, and one unit is one part in
8 million of the largest value. It is never less than the smallest denormal, 2^-149. Where float32
cannot hold the result, the infinity counts as right. Details: \`tests/helpers/ulp.js\`.

**Inputs** are float32, drawn from seeds, with gamma within 0.5 … 1.5, beta within ± 0.5, eps 1e-5
and a gradient of N(0.1, 1) unless the row says otherwise. The *first rows, in italics,* are
realistic; the others are hostile.

**Machines** make no difference: WebAssembly and JavaScript define every operation used here to the
last bit, so the numbers are the same on every machine, and change only with a version below.
Kernels of the simd128 and the scalar build of axisnorm give the same bits, which is checked, so
they share a column.

| column                    | how it computes                                                                      |
| ------------------------- | ------------------------------------------------------------------------------------ |
| axisnorm                  | its float32 kernels, see [numerics.md](numerics.md)                                  |
| axisnorm, NHWC            | the same values with the channels last                                               |
| axisnorm, exact           | \`exact: true\`                                                                        |
| onnxruntime-web           | LayerNormalization, SimplifiedLayerNormalization, GroupNormalization (opset 21), InstanceNormalization (also for weights), BatchNormalization (also with training_mode = 1), wasm execution provider, one thread; it computes no gradients |
| TensorFlow.js wasm        | composed of moments, sub, rsqrt, mul, add; BatchNorm with tf.batchNorm; gradients by tf.grads |
| TensorFlow.js wasm, layer | tf.layers.layerNormalization; gradients by tf.variableGrads                          |
| TensorFlow.js cpu         | as on wasm. Each operation computes in doubles and stores float32                     |
| jax-js                    | composed of mean, square, sqrt, reciprocal, under jit, wasm device; gradients by grad |
| JavaScript doubles        | the formulas in a loop of doubles with plain sums, rounded once                      |

Versions: ${versions}.`;

const NO_NUMBER = `NaN, ∞ and −∞ stand where that is the result though float32 holds the right one.`;

/**
 * @param {Row[]} rows
 * @param {import('./measure.js').Library[]} libraries
 * @param {string} versions
 */
export function page(rows, libraries, versions) {
  const details = NORMS.flatMap((norm) => PARTS.map((part) => detail(norm, part, rows, libraries)));
  const parts = [
    introduction(versions),
    '## Summary',
    'Worst realistic / worst hostile input; with axisnorm, of the worse layout; backward, of the worst\ngradient.',
    summary(rows, libraries),
    `## Every input\n\n${NO_NUMBER}`,
    ...details,
  ];
  return `${parts.join('\n\n')}\n`;
}
