/**
 * axisnorm as a peer of a benchmark harness: `createAdapter()` gives `alloc(n)` (a view of n floats
 * in wasm memory), `reset()` and one function an operation. An operation takes its arrays as views
 * that `alloc` gave, then nothing is copied, or as ordinary arrays, then the public call copies in
 * and out. Results go to the arrays given.
 */
import { load } from '../../js/index.js';
import { caseOf } from './cases.js';
import { callOf } from './contestants/axisnorm-call.js';
import { OPERATIONS } from './operations.js';
import { repeat } from './timing.js';

/** The harness's names of the operations. */
const NAMES = {
  ln_fwd: OPERATIONS.layerNorm,
  rms_fwd: OPERATIONS.rmsNorm,
  ln_bwd: OPERATIONS.layerNormBackward,
  rms_bwd: OPERATIONS.rmsNormBackward,
  gn_fwd: OPERATIONS.groupNorm,
  gn_bwd: OPERATIONS.groupNormBackward,
  bn_inf: OPERATIONS.batchNorm,
  bn_train: OPERATIONS.batchNormForward,
  bn_bwd: OPERATIONS.batchNormBackward,
};

/** Its names of arrays, where they differ from ours. */
const ARRAYS = { runningMean: 'rmean', runningVar: 'rvar' };

/** All sizes that any of our operations may want. */
const sizesOf = ({ rows, cols, N, C, S, G }) => ({
  ...{ rows, cols, batch: N, channels: C, spatial: S, groups: G, outer: N, inner: S },
});

export async function createAdapter({ build } = {}) {
  const an = await load({ build });
  /** Tensors by the place of their first float. */
  let tensors = new Map();

  function alloc(n) {
    const tensor = an.tensor([n]);
    const { data } = tensor;
    tensors.set(data.byteOffset, tensor);
    return data;
  }

  function reset() {
    for (const tensor of tensors.values()) tensor.dispose();
    tensors = new Map();
  }

  /** The tensor behind a view; an ordinary array as it is. */
  const own = (array) =>
    (array?.buffer.byteLength > array?.byteLength && tensors.get(array.byteOffset)) || array;

  function prepared(op, io, p) {
    const all = sizesOf(p);
    const sizes = Object.fromEntries(op.sizes.map((name) => [name, all[name]]));
    const one = { ...caseOf(op, sizes), eps: p.eps };
    const at = (name) => own(io[ARRAYS[name] ?? name]);
    const [f, ...args] = callOf(an, one, at, true);
    return repeat(f, args);
  }

  /** An operation that reads its options once for each set of arrays, as a caller's loop would. */
  function operation(op) {
    const runs = new WeakMap();
    return (io, p) => {
      if (!runs.has(io)) runs.set(io, prepared(op, io, p));
      runs.get(io)(1);
    };
  }

  const ops = Object.fromEntries(Object.entries(NAMES).map(([name, op]) => [name, operation(op)]));
  return { name: 'axisnorm', alloc, reset, ops };
}
