/* Reads the picture in every way, and measures. Imported only when the packages are there. */
import { errorsOf, largestDifference } from './errors.js';
import { PICTURE } from './line.js';
import { Network } from './network.js';
import { compute } from './our-norms.js';
import { readPicture } from './picture.js';

/** @import { Errors } from './errors.js' */

/**
 * A norm on what ONNX Runtime has put into it.
 *
 * @typedef {object} Row
 * @property {'BatchNorm' | 'LayerNorm'} kind
 * @property {string} name  of the tensor that comes out
 * @property {string} shape
 * @property {boolean} optimized  whether ONNX Runtime has optimized the graph
 * @property {Errors} ours
 * @property {Errors} theirs
 */

/** @returns {Row[]} */
function rowsOf(norms, tensors, optimized) {
  return norms.map((norm) => {
    const x = tensors[norm.input];
    const errors = errorsOf(norm, x);
    return {
      kind: norm.kind,
      name: norm.output,
      shape: x.dims.join(' × '),
      optimized,
      ours: errors(compute(norm, x).data),
      theirs: errors(tensors[norm.output].data),
    };
  });
}

/** @typedef {Awaited<ReturnType<typeof evaluate>>} Findings */

/**
 * Ways to read:
 *   written    ONNX Runtime alone, each node as it is written
 *   optimized  ONNX Runtime alone, as it optimizes the graph
 *   cut        cut at the norms, whose outputs are those of `written`
 *   ours       cut, with our norms
 *   without    cut, with nothing in place of the norms
 */
export async function evaluate() {
  const picture = readPicture(PICTURE);
  const network = new Network();
  const { norms } = network;
  const written = await network.whole(picture, 'disabled');
  const optimized = await network.whole(picture, 'all');
  const cut = await network.withNorms(picture, ({ output }) => written.tensors[output]);
  const ours = await network.withNorms(picture, compute);
  const without = await network.withNorms(picture, (_, x) => x);
  const differenceOf = ({ logits }) => largestDifference(logits, written.logits);
  return {
    counts: {
      batchNorm: network.count('BatchNormalization'),
      /** Of which each LayerNorm has two. */
      reduceMean: network.count('ReduceMean'),
    },
    rows: [...rowsOf(norms, written.tensors, false), ...rowsOf(norms, optimized.tensors, true)],
    texts: {
      written: written.text,
      optimized: optimized.text,
      cut: cut.text,
      ours: ours.text,
      without: without.text,
    },
    logits: {
      largest: largestDifference(written.logits, new Float32Array(written.logits.length)),
      optimized: differenceOf(optimized),
      cut: differenceOf(cut),
      ours: differenceOf(ours),
    },
  };
}
