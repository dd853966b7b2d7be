// A residual block with a norm on both sides of the sublayer: node examples/blocks/sandwich_norm.js
import { load } from 'axisnorm';
import { LayerNorm } from 'axisnorm/layers';
import { isProgram, normal, rms, seeded } from '../program.js';
import { add, Dense } from './parts.js';
import { PreLN } from './pre_ln.js';

/**
 * Sandwich-LN: y = x + LN(f(LN(x))).
 *
 * However large the sublayer's output, what is added has the size that the second norm gives it. As
 * in Pre-LN, nothing normalizes the sum, and a norm has to follow the last block.
 *
 * @see Ding et al. 2021 (CogView), https://arxiv.org/abs/2105.13290
 */
export class SandwichNorm {
  /** @param {import('./parts.js').Sublayer} sublayer  f */
  constructor(an, width, sublayer, options) {
    this.before = new LayerNorm(an, width, options);
    this.sublayer = sublayer;
    this.after = new LayerNorm(an, width, options);
  }

  /** @param {Float32Array} x  [rows][width] */
  forward(x) {
    return add(x, this.after.forward(this.sublayer.forward(this.before.forward(x))));
  }

  backward(dy) {
    return add(dy, this.before.backward(this.sublayer.backward(this.after.backward(dy))));
  }

  dispose() {
    this.before.dispose();
    this.after.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const WIDTH = 64;
  const an = await load();
  const x = normal(32 * WIDTH, seeded(1));

  console.log('root mean square of y, for weights that grow');
  for (const gain of [1, 100, 10000]) {
    const dense = new Dense(WIDTH, WIDTH, { gain, draw: seeded(2) });
    const [pre, sandwich] = [PreLN, SandwichNorm].map((Block) =>
      rms(new Block(an, WIDTH, dense).forward(x)).toFixed(2),
    );
    console.log(`weights × ${gain}: Pre-LN ${pre}, Sandwich-LN ${sandwich}`);
  }
}
