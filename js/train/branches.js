/** The two branches of a transformer block. */

/** @import { ActivationKind } from './activation.js' */
/** @import { Context, Layer } from './context.js' */
import { ACTIVATIONS } from './activation.js';
import { Attention } from './attention.js';
import { Chain } from './chain.js';
import { uniform, xavier, xavierBound } from './init.js';
import { Linear } from './linear.js';

/** How many times as wide as the stream the hidden layer of the feed-forward branch is. */
export const EXPANSION = 4;

/**
 * @typedef {object} BranchSettings
 * @property {number} batch
 * @property {number} tokens
 * @property {number} width
 * @property {number} heads
 * @property {ActivationKind} activation
 * @property {number} gain  factor of the weights at the start, except those of queries and keys
 */

/**
 * attention(x Wq + bq, x Wk + bk, x Wv + bv) Wo + bo
 *
 * @param {Context} context
 * @param {string} name
 * @param {BranchSettings} settings
 * @returns {Layer}
 */
export function attentionBranch(context, name, settings) {
  const { batch, tokens, width, gain } = settings;
  const rows = batch * tokens;
  const bound = xavierBound(width, width);
  const qkv = new Linear(context, `${name}.qkv`, {
    rows,
    inputs: width,
    outputs: 3 * width,
    init: uniform([bound, bound, gain * bound], width),
  });
  const output = new Linear(context, `${name}.output`, {
    rows,
    inputs: width,
    outputs: width,
    init: xavier(width, width, gain),
  });
  const layers = [qkv, new Attention(context, settings), output];
  return new Chain(context, 'attention', layers, [3 * rows * width, rows * width]);
}

/**
 * activation(x W1 + b1) W2 + b2
 *
 * @param {Context} context
 * @param {string} name
 * @param {BranchSettings} settings
 * @returns {Layer}
 */
export function feedForwardBranch(context, name, settings) {
  const { batch, tokens, width, activation, gain } = settings;
  const rows = batch * tokens;
  const inner = EXPANSION * width;
  const up = new Linear(context, `${name}.up`, {
    rows,
    inputs: width,
    outputs: inner,
    init: xavier(width, inner, gain),
  });
  const down = new Linear(context, `${name}.down`, {
    rows,
    inputs: inner,
    outputs: width,
    init: xavier(inner, width, gain),
  });
  const layers = [up, new ACTIVATIONS[activation](context), down];
  return new Chain(context, 'feed-forward', layers, [rows * inner, rows * inner]);
}
