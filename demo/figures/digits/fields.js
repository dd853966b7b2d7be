/** What the visitor can set. */
import { custom, oneOf } from '../../state.js';
import { OFFSETS, ROWS } from './model.js';

export const FIELDS = {
  row: oneOf(Object.keys(ROWS)),
  offset: custom(0, (text) => OFFSETS.find((value) => String(value) === text), String),
};
