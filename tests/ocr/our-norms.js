/* The layers of axisnorm/layers with the weights of the network. */
import { load } from '../../js/index.js';
import { BatchNorm, LayerNorm } from '../../js/layers/index.js';

/** @import { Norm } from './find-norms.js' */
/** @import { Values } from './runtime.js' */

const an = await load();

const KINDS = {
  BatchNorm: ({ state, eps }) =>
    new BatchNorm(an, state.scale.length, { convention: 'onnx', eps }).eval(),
  LayerNorm: ({ state, eps }) => new LayerNorm(an, state.Scale.length, { eps }),
};

/**
 * @param {Norm} norm
 * @param {Values} x
 * @returns {Values} y
 */
export function compute(norm, x) {
  const layer = KINDS[norm.kind](norm);
  try {
    layer.loadStateDict(norm.state, '', { convention: 'onnx' });
    return { data: layer.forward(x), dims: x.dims };
  } finally {
    layer.dispose();
  }
}
