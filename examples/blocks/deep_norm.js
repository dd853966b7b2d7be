// A residual block for very deep transformers: node examples/blocks/deep_norm.js
import { load } from 'axisnorm';
import { LayerNorm } from 'axisnorm/layers';
import { isProgram, normal, rms, seeded } from '../program.js';
import { add, Dense, scale } from './parts.js';

/**
 * Alpha weighs the residual connection. Beta is the gain of the Xavier initialization of the
 * feed-forward weights and of the value and output projections; queries and keys have gain 1.
 *
 * Layers are counted, not their sublayers. Leave out the side that the model does not have.
 *
 * @param {{ encoderLayers?: number, decoderLayers?: number }} layers  N and M
 * @returns {{ encoder?: { alpha: number, beta: number }, decoder?: { alpha: number, beta: number } }}
 * @see Wang et al. 2022 (DeepNet), https://arxiv.org/abs/2203.00555
 */
export function deepNormCoefficients({ encoderLayers: n = 0, decoderLayers: m = 0 }) {
  const only = (layers) => ({ alpha: (2 * layers) ** (1 / 4), beta: (8 * layers) ** (-1 / 4) });
  if (n === 0 && m === 0) throw new RangeError('expected encoderLayers, decoderLayers or both');
  if (m === 0) return { encoder: only(n) };
  if (n === 0) return { decoder: only(m) };
  const size = (n ** 4 * m) ** (1 / 16);
  return {
    encoder: { alpha: 0.81 * size, beta: 0.87 / size },
    decoder: { alpha: (3 * m) ** (1 / 4), beta: (12 * m) ** (-1 / 4) },
  };
}

/**
 * DeepNorm: y = LN(alpha x + f(x)).
 *
 * @see Wang et al. 2022 (DeepNet), https://arxiv.org/abs/2203.00555
 */
export class DeepNorm {
  /** @param {import('./parts.js').Sublayer} sublayer  f, initialized with gain beta */
  constructor(an, width, sublayer, alpha, options) {
    this.norm = new LayerNorm(an, width, options);
    this.sublayer = sublayer;
    this.alpha = alpha;
  }

  /** @param {Float32Array} x  [rows][width] */
  forward(x) {
    return this.norm.forward(add(scale(x, this.alpha), this.sublayer.forward(x)));
  }

  backward(dy) {
    const dsum = this.norm.backward(dy);
    return add(scale(dsum, this.alpha), this.sublayer.backward(dsum));
  }

  dispose() {
    this.norm.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const WIDTH = 64;
  const an = await load();
  const x = normal(32 * WIDTH, seeded(1));

  console.log('a decoder: the deeper it is, the less a block changes x at first');
  for (const decoderLayers of [6, 100, 1000]) {
    const { alpha, beta } = deepNormCoefficients({ decoderLayers }).decoder;
    const dense = new Dense(WIDTH, WIDTH, { gain: beta, draw: seeded(2) });
    const y = new DeepNorm(an, WIDTH, dense, alpha).forward(x);
    const change = rms(add(y, scale(an.layerNorm(x, { normalizedShape: WIDTH }), -1)));
    const coefficients = `alpha ${alpha.toFixed(3)}, beta ${beta.toFixed(4)}`;
    console.log(`${decoderLayers} layers: ${coefficients}, change ${change.toFixed(4)}`);
  }
}
