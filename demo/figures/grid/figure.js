/** The grid: one table before and after each norm, and who shares a mean with whom. */
import { PRESETS } from './presets.js';
import { workbench } from './workbench.js';

/** Links that change the table and leave the norm as it is. */
export const tables = (names) =>
  names.map((preset) => ({
    label: PRESETS[preset].label,
    state: (state) => ({ ...state, preset, data: '', from: '', inject: 0 }),
  }));

/**
 * @param {HTMLElement} root  what the figure is put into
 * @param {import('axisnorm').AxisNorm} an
 */
export function figure(root, an) {
  workbench(root, an, {
    name: 'grid',
    title: 'Who shares a mean with whom',
    presets: tables(Object.keys(PRESETS)),
    isFirst: true,
  });
}
