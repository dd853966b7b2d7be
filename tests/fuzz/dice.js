/** Choices from a label, which is all it takes to make the same choices again. */
import { random } from '../helpers/random.js';

/** @param {string} label */
export function dice(label) {
  const next = random(label);
  const unit = () => (next() + 1) / 2;
  const below = (n) => Math.floor(unit() * n);
  return {
    below,
    from: (low, high) => low + below(high - low + 1),
    chance: (p) => unit() < p,
    pick: (list) => list[below(list.length)],
    /** Those entries of an object that the dice say. */
    some: (object, p = 0.5) => Object.fromEntries(Object.entries(object).filter(() => unit() < p)),
    floats: (length, map = (u) => u) => Float32Array.from({ length }, () => map(next())),
  };
}
