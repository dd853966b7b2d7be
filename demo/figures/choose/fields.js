/** What the visitor can set. */
import { custom, oneOf } from '../../state.js';
import { ARCHITECTURES, BATCHES } from './model.js';

export const FIELDS = {
  architecture: oneOf(Object.keys(ARCHITECTURES)),
  batch: custom(32, (text) => BATCHES.find((value) => String(value) === text), String),
};
