/** @import { Context, Values } from './context.js' */
import { expectOk } from '../status.js';

/**
 * Causal multi-head attention between the projections (Vaswani et al. 2017): x [batch][tokens][3]
 * [width] has queries, keys and values, y is [batch][tokens][width].
 */
export class Attention {
  #kernels;
  #batch;
  #tokens;
  #heads;
  #headWidth;
  #probs;
  #workspace;

  /**
   * @param {Context} context
   * @param {{ batch: number, tokens: number, heads: number, width: number }} sizes
   */
  constructor(context, { batch, tokens, heads, width }) {
    this.#kernels = context.kernels;
    this.#batch = batch;
    this.#tokens = tokens;
    this.#heads = heads;
    this.#headWidth = width / heads;
    this.#probs = context.arena.floats(batch * heads * tokens * tokens);
    this.#workspace = context.shared('attention workspace', tokens);
  }

  /**
   * @param {Values} y
   * @param {Values} x
   */
  forward(y, x) {
    expectOk(
      'attention',
      this.#kernels.an_attention_forward(
        y.ptr,
        this.#probs.ptr,
        x.ptr,
        this.#batch,
        this.#tokens,
        this.#heads,
        this.#headWidth,
      ),
    );
  }

  /**
   * @param {Values} dx
   * @param {Values} dy
   * @param {Values} x  that of forward()
   */
  backward(dx, dy, x) {
    expectOk(
      'attention',
      this.#kernels.an_attention_backward(
        dx.ptr,
        dy.ptr,
        x.ptr,
        this.#probs.ptr,
        this.#workspace.ptr,
        this.#batch,
        this.#tokens,
        this.#heads,
        this.#headWidth,
      ),
    );
  }
}
