/** LayerNorm of 128×768: what every page computes, and how it says that it is done. */
export const [ROWS, COLS, EPS] = [128, 768, 1e-5];

export const x = Float32Array.from({ length: ROWS * COLS }, (_, i) => ((i * 7919) % 1000) / 500);
export const gamma = new Float32Array(COLS).fill(1.5);
export const beta = new Float32Array(COLS).fill(0.25);

/** @param {Float32Array} y */
export function done(y) {
  globalThis.result = { ms: performance.now(), y };
}
