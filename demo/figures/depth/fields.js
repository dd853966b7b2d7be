/** What the visitor can set. */
import { custom, oneOf } from '../../state.js';
import { INITS, NORMS, PLACES, WIDTHS } from './model.js';

export const FIELDS = {
  width: custom(64, (text) => WIDTHS.find((width) => String(width) === text), String),
  init: oneOf(Object.keys(INITS)),
  norm: oneOf(Object.keys(NORMS)),
  place: oneOf(Object.keys(PLACES)),
};
