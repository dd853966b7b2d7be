/**
 * A generator that gives the same numbers for the same seed (mulberry32), so that a figure looks
 * alike wherever it is opened.
 *
 * @param {number} seed
 * @returns {() => number} uniform in [0, 1)
 */
export function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Normally distributed numbers (Box and Muller).
 *
 * @param {number} seed
 * @returns {() => number} mean 0, variance 1
 */
export function gaussian(seed) {
  const next = random(seed);
  return () => {
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    return radius * Math.cos(2 * Math.PI * next());
  };
}
