// A residual block with the norm in front of the sublayer: node examples/blocks/pre_ln.js
import { load } from 'axisnorm';
import { LayerNorm } from 'axisnorm/layers';
import { isProgram, normal, rms, seeded } from '../program.js';
import { add, Dense } from './parts.js';

/**
 * Pre-LN: y = x + f(LN(x)).
 *
 * Nothing normalizes the sum, which grows from block to block, so that one more norm has to follow
 * the last block.
 *
 * @see Xiong et al. 2020, https://arxiv.org/abs/2002.04745
 */
export class PreLN {
  /** @param {import('./parts.js').Sublayer} sublayer  f */
  constructor(an, width, sublayer, options) {
    this.norm = new LayerNorm(an, width, options);
    this.sublayer = sublayer;
  }

  /** @param {Float32Array} x  [rows][width] */
  forward(x) {
    return add(x, this.sublayer.forward(this.norm.forward(x)));
  }

  backward(dy) {
    return add(dy, this.norm.backward(this.sublayer.backward(dy)));
  }

  dispose() {
    this.norm.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const [DEPTH, WIDTH] = [12, 64];
  const an = await load();
  const draw = seeded(1);
  const finalNorm = new LayerNorm(an, WIDTH);

  console.log('root mean square of what the blocks add up');
  let x = normal(32 * WIDTH, draw);
  console.log(`block  0  ${rms(x).toFixed(3)}`);
  for (let i = 1; i <= DEPTH; i++) {
    x = new PreLN(an, WIDTH, new Dense(WIDTH, WIDTH, { draw })).forward(x);
    if (i % 4 === 0) console.log(`block ${String(i).padStart(2)}  ${rms(x).toFixed(3)}`);
  }
  console.log(`final norm  ${rms(finalNorm.forward(x)).toFixed(3)}`);
}
