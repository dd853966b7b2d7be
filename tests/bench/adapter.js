/**
 * axisnorm as a peer of a benchmark harness: `createAdapter()` gives `alloc(n)` (a view of n floats
 * in wasm memory), `reset()` and one function an operation. An operation takes its arrays as views
 * that `alloc` gave, then nothing is copied, or as ordinary arrays, then the public call copies in
 * and out. Results go to the arrays given.
 */
import { load } from '../../js/index.js';

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

  /** An operation that reads its options once for each set of arrays, as a caller's loop would. */
  function prepared(make) {
    const calls = new WeakMap();
    return (io, p) => {
      if (!calls.has(io))
        calls.set(
          io,
          make(p, (name) => own(io[name])),
        );
      calls.get(io)();
    };
  }

  const rows = (p) => ({ shape: [p.rows, p.cols], eps: p.eps });
  const channels = (p) => ({ shape: [p.N, p.C, p.S], channelAxis: 1, eps: p.eps });
  const groups = (p) => ({ shape: [p.N, p.C, p.S], groups: p.G, eps: p.eps });

  const forward = (op, settings) =>
    prepared((p, at) => {
      const options = { ...settings(p), gamma: at('gamma'), beta: at('beta'), out: at('y') };
      const x = at('x');
      return () => op(x, options);
    });

  const backward = (op, settings, names) =>
    prepared((p, at) => {
      const out = Object.fromEntries(names.map((name) => [name, at(name)]));
      const saved = { x: at('x'), mean: at('mean'), rstd: at('rstd'), gamma: at('gamma') };
      const options = { ...settings(p), ...saved, out };
      const dy = at('dy');
      return () => op(dy, options);
    });

  const trained = prepared((p, at) => {
    const out = { y: at('y'), mean: at('mean'), rstd: at('rstd') };
    const options = { ...channels(p), gamma: at('gamma'), beta: at('beta'), out };
    const x = at('x');
    return () => an.batchNorm.forward(x, options);
  });

  const inferred = prepared((p, at) => {
    const running = { runningMean: at('rmean'), runningVar: at('rvar') };
    const affine = { gamma: at('gamma'), beta: at('beta') };
    const options = { ...channels(p), ...running, ...affine, out: at('y') };
    const x = at('x');
    return () => an.batchNorm(x, options);
  });

  const rms = (p, at) => {
    const options = { ...rows(p), gamma: at('gamma'), out: at('y') };
    const x = at('x');
    return () => an.rmsNorm(x, options);
  };
  const rmsBack = (p, at) => {
    const out = { dx: at('dx'), dgamma: at('dgamma') };
    const options = { ...rows(p), x: at('x'), rstd: at('rstd'), gamma: at('gamma'), out };
    const dy = at('dy');
    return () => an.rmsNorm.backward(dy, options);
  };

  const all = ['dx', 'dgamma', 'dbeta'];
  return {
    name: 'axisnorm',
    alloc,
    reset,
    ops: {
      ln_fwd: forward(an.layerNorm, rows),
      rms_fwd: prepared(rms),
      ln_bwd: backward(an.layerNorm.backward, rows, all),
      rms_bwd: prepared(rmsBack),
      gn_fwd: forward(an.groupNorm, groups),
      gn_bwd: backward(an.groupNorm.backward, groups, all),
      bn_inf: inferred,
      bn_train: trained,
      bn_bwd: backward(an.batchNorm.backward, channels, all),
    },
  };
}
