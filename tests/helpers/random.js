/**
 * A generator seeded by the label that a failing test prints, so that the label is all it takes
 * to see the same numbers again.
 * @param {string} label
 * @returns {() => number} uniform in [-1, 1)
 */
export function random(label) {
  let state = 2166136261;
  for (let i = 0; i < label.length; i++) {
    state = Math.imul(state ^ label.charCodeAt(i), 16777619);
  }
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/**
 * @param {string} label
 * @param {number} length
 * @param {(uniform: number, i: number) => number} [map]
 */
export function randomArray(label, length, map = (u) => u) {
  const next = random(label);
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = map(next(), i);
  return values;
}
