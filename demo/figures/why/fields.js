/** What the visitor can set. */
import { custom, oneOf } from '../../state.js';
import { DEPTHS, PROBED, STEPS } from './model.js';

export const MODES = { start: 'At the start', training: 'While training' };

const among = (values, initial) =>
  custom(initial, (text) => values.find((value) => String(value) === text), String);

export const FIELDS = {
  mode: oneOf(Object.keys(MODES)),
  depth: among(DEPTHS, 8),
  step: among(PROBED, STEPS),
};
