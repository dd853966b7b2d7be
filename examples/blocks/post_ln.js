// A residual block with the norm behind the addition: node examples/blocks/post_ln.js
import { load } from 'axisnorm';
import { LayerNorm } from 'axisnorm/layers';
import { isProgram, normal, rms, seeded } from '../program.js';
import { add, Dense } from './parts.js';

/**
 * Post-LN: y = LN(x + f(x)), as in the first transformer.
 *
 * What comes out is normalized at every depth and needs no final norm, but deep stacks need a
 * warm-up of the learning rate (Xiong et al. 2020, https://arxiv.org/abs/2002.04745).
 *
 * @see Vaswani et al. 2017, https://arxiv.org/abs/1706.03762
 */
export class PostLN {
  /** @param {import('./parts.js').Sublayer} sublayer  f */
  constructor(an, width, sublayer, options) {
    this.norm = new LayerNorm(an, width, options);
    this.sublayer = sublayer;
  }

  /** @param {Float32Array} x  [rows][width] */
  forward(x) {
    return this.norm.forward(add(x, this.sublayer.forward(x)));
  }

  backward(dy) {
    const dsum = this.norm.backward(dy);
    return add(dsum, this.sublayer.backward(dsum));
  }

  dispose() {
    this.norm.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const [DEPTH, WIDTH] = [12, 64];
  const an = await load();
  const draw = seeded(1);

  console.log('root mean square of what the blocks put out');
  let x = normal(32 * WIDTH, draw);
  console.log(`block  0  ${rms(x).toFixed(3)}`);
  for (let i = 1; i <= DEPTH; i++) {
    x = new PostLN(an, WIDTH, new Dense(WIDTH, WIDTH, { draw })).forward(x);
    if (i % 4 === 0) console.log(`block ${String(i).padStart(2)}  ${rms(x).toFixed(3)}`);
  }
}
