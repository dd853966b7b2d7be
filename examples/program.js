// What the examples share as programs: numbers to try them on, and ways to look at numbers.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether node was started with this module. */
export const isProgram = (url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);

/** Math.random with a seed, so that every run prints the same. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Normally distributed (Box & Muller 1958). */
export const normal = (length, draw, { mean = 0, deviation = 1 } = {}) =>
  Float32Array.from({ length }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - draw()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * draw());
  });

const sum = (a) => a.reduce((total, v) => total + v, 0);

export const meanOf = (a) => sum(a) / a.length;

export function varianceOf(a) {
  const mean = meanOf(a);
  return meanOf(Float64Array.from(a, (v) => (v - mean) ** 2));
}

/** Root mean square. */
export const rms = (a) => Math.sqrt(meanOf(Float64Array.from(a, (v) => v * v)));

export const largestDifference = (a, b) =>
  a.reduce((largest, v, i) => Math.max(largest, Math.abs(v - b[i])), 0);
