/** What the grid must show, in float64 and without the page's own arithmetic. */
import assert from 'node:assert/strict';
import { PRESETS } from '../../demo/figures/grid/presets.js';
import {
  backward,
  batchNormAxes,
  forward,
  groupNormAxes,
  layerNormAxes,
  rmsNormAxes,
  statistics,
} from '../helpers/oracle.js';

export { PRESETS };

const AXES = {
  batch: ({ n, c, s }) => batchNormAxes({ outer: n, channels: c, inner: s }),
  layer: ({ n, c, s }) => layerNormAxes({ rows: n, cols: c * s }),
  rms: ({ n, c, s }) => rmsNormAxes({ rows: n, cols: c * s }),
  group: ({ n, c, s }, groups) => groupNormAxes({ batch: n, channels: c, spatial: s, groups }),
  instance: ({ n, c, s }) => groupNormAxes({ batch: n, channels: c, spatial: s, groups: c }),
};

/**
 * @param {object} state
 * @param {import('../../demo/figures/grid/presets.js').Table} state.table
 * @param {string} state.norm
 * @param {number} [state.groups]
 * @param {number} [state.eps]
 * @param {number[]} [state.gamma]  one a channel
 * @param {number[]} [state.beta]
 * @param {number} [state.inject]  where dy is 1
 */
export function expected({ table, norm, groups = 2, eps = 1e-5, gamma, beta, inject }) {
  const { n, c, h, w, x } = table;
  const s = h * w;
  const axes = AXES[norm]({ n, c, s }, groups);
  const perElement = ['layer', 'rms'].includes(norm);
  const spread = (values) => values?.flatMap((v) => Array(perElement ? s : 1).fill(Math.fround(v)));
  const parameters = { gamma: spread(gamma), beta: spread(beta) };
  const center = norm !== 'rms';
  const stats = statistics(axes, x, { eps, center });
  const { y } = forward(axes, { x, ...parameters }, stats);
  const columns = center ? [stats.mean, stats.variance, stats.rstd] : [stats.variance, stats.rstd];
  const result = { y, axes, statistics: columns };
  if (inject !== undefined) {
    const dy = new Float64Array(x.length);
    dy[inject] = 1;
    result.dx = backward(axes, { dy, x, gamma: parameters.gamma }, stats, { center }).dx;
  }
  return result;
}

/** The cells that share their statistics with one. */
export function blockOf({ axes }, cell) {
  const cells = [];
  axes.set.forEach((set, i) => {
    if (set === axes.set[cell]) cells.push(i);
  });
  return cells;
}

/** The number that a text of the page stands for. */
export const numberOf = (text) => Number(text.replaceAll('−', '-').replaceAll('∞', 'Infinity'));

/** Whether a text is the number rounded to three significant digits, give or take float32. */
function shows(text, value, slack = 1e-6) {
  const got = numberOf(text);
  if (Math.abs(value) < slack) return Math.abs(got) < 2 * slack && !/-/.test(text);
  const digit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  return Math.abs(got - value) <= digit * 0.501 + slack && !/-/.test(text);
}

/** Every text is its number. */
export function assertAllShown(texts, values, label) {
  assert.equal(texts.length, values.length, label);
  texts.forEach((text, i) => {
    assert.ok(shows(text, values[i], 2e-6), `${label}[${i}]: expected ${values[i]}, got ${text}`);
  });
}

/** What the page shows of a table, before and after a norm and shared, is what must be there. */
export function assertNumbers(seen, table, want) {
  assertAllShown(seen.before, table.x, 'before');
  assertAllShown(seen.after, want.y, 'after');
  assert.equal(seen.shared.length, want.axes.sets);
  want.statistics.forEach((values, k) => {
    assertAllShown(
      seen.shared.map((row) => row[k]),
      Array.from(values),
      `statistic ${k}`,
    );
  });
}
