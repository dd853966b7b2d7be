/** What the visitor can set. */
import { custom, oneOf } from '../../state.js';
import { UPDATES } from './run.js';

/** Images of a batch. */
export const SIZES = [64, 32, 16, 8, 4, 2];
/** In place of a size: all of them. */
export const ALL = 0;
/** Images that are trained on; whole updates, whatever the size. */
export const SEEN = [6400, 12800, 25600, 51200];
export const SEEDS = [1, 3, 5];

const among = (values, initial) =>
  custom(initial, (text) => values.find((value) => String(value) === text), String);

export const FIELDS = {
  size: among([ALL, ...SIZES], ALL),
  seen: among(SEEN, 12800),
  update: oneOf(Object.keys(UPDATES)),
  seeds: among(SEEDS, 3),
};
