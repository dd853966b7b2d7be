// From TypeScript 5.7 on typed arrays name their buffer. Results are not shared memory, so that
// whatever takes none takes them.
import type { AxisNorm } from 'axisnorm';

export function results(an: AxisNorm, x: Float32Array): Blob {
  const y: Float32Array<ArrayBuffer> = an.layerNorm(x, { normalizedShape: 4 });
  const f = an.layerNorm.forward(x, { normalizedShape: 4 });
  return new Blob([y, f.y, f.mean]);
}

// What is taken may be shared.
export const shared = (an: AxisNorm, x: Float32Array<SharedArrayBuffer>) =>
  an.layerNorm(x, { normalizedShape: 4 });
