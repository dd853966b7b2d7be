/** One example with an offset added to every feature, after LayerNorm and after RMSNorm. */

/** Quarters: with the offsets below added they are still exact in float32. */
export const VALUES = Float32Array.of(0.5, -1.25, 2, 0.25, -0.75, 1.5);

export const OFFSETS = [0, 0.5, 1, 2, 4, 8, 16, 64, 256, 1024];

/**
 * @param {import('axisnorm').AxisNorm} an
 * @param {number} offset
 */
export function shifted(an, offset) {
  const x = VALUES.map((value) => value + offset);
  const options = { normalizedShape: x.length };
  const [layer, rms] = ['layerNorm', 'rmsNorm'].map((norm) => {
    const y = an[norm](x, options);
    const plain = an[norm](VALUES, options);
    const moved = y.reduce((most, value, i) => Math.max(most, Math.abs(value - plain[i])), 0);
    return { y, moved, spread: Math.max(...y) - Math.min(...y) };
  });
  return { x, layer, rms };
}
