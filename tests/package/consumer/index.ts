// Compiles only when the package's types say what its functions take and return.
import { load } from 'axisnorm';

const an = await load();
const build: 'simd128' | 'scalar' = an.build;

const x = new Float32Array(8);
const gamma = new Float32Array(4);
const y: Float32Array = an.layerNorm(x, { normalizedShape: 4, gamma });

const f = an.layerNorm.forward(x, { normalizedShape: 4, gamma, eps: 1e-6 });
const mean: Float32Array = f.mean;
const { dx, dgamma } = an.layerNorm.backward(y, { ...f, x, gamma });
const gradients: (Float32Array | null | undefined)[] = [dx, dgamma];

// @ts-expect-error: eps is a number
an.layerNorm(x, { normalizedShape: 4, eps: 'small' });
// @ts-expect-error: there is no such norm
an.layerNrom(x, { normalizedShape: 4 });

export { build, gradients, mean };
