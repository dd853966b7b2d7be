// GroupNorm and an activation behind a convolution: node examples/blocks/group_norm_activation.js
import { load } from 'axisnorm';
import { GroupNorm } from 'axisnorm/layers';
import { isProgram, normal, seeded } from '../program.js';
import { Activation } from './parts.js';

/**
 * y = activation(GN(x)), one image at a time, whatever else is in the batch. ReLU is usual in
 * classifiers, SiLU in diffusion models (Ho et al. 2020, https://arxiv.org/abs/2006.11239).
 *
 * @see Wu & He 2018, https://arxiv.org/abs/1803.08494
 */
export class GroupNormActivation {
  /** @param {'relu' | 'silu'} activation */
  constructor(an, groups, channels, activation = 'relu', options = {}) {
    this.norm = new GroupNorm(an, groups, channels, options);
    this.activation = new Activation(activation);
  }

  /** @param {{ shape: number[] }} options  [batch, channels, ...spatial], or as the layout says */
  forward(x, options) {
    return this.activation.forward(this.norm.forward(x, options));
  }

  backward(dy) {
    return this.norm.backward(this.activation.backward(dy));
  }

  dispose() {
    this.norm.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const an = await load();
  const shape = [2, 32, 8, 8];
  const x = normal(2 * 32 * 8 * 8, seeded(1), { mean: -20, deviation: 5 });

  console.log(`ReLU alone lets through ${x.filter((v) => v > 0).length} of ${x.length} values`);
  for (const activation of ['relu', 'silu']) {
    const y = new GroupNormActivation(an, 8, 32, activation).forward(x, { shape });
    const percent = (100 * y.filter((v) => v > 0).length) / y.length;
    const smallest = y.reduce((a, b) => Math.min(a, b)).toFixed(3);
    console.log(`GroupNorm and ${activation}: ${percent.toFixed(0)} % above 0, least ${smallest}`);
  }
}
