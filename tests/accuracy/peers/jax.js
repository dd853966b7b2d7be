/*
 * jax-js on its wasm backend: norms composed of mean, square, sqrt and reciprocal, under jit, and
 * their gradients by jax.grad. Its arrays are consumed by what they are passed to, unless `.ref`.
 */

/** x / sqrt(mean square of its deviations + eps) over axes; `mean` and `variance` may be given. */
function normalized(np, x, { norm, eps }, axes, running) {
  const over = (a) => np.mean(a, axes, { keepdims: true });
  const centred = norm.center === false ? x : x.sub(running?.mean ?? over(x.ref));
  const variance = running?.variance ?? over(np.square(centred.ref));
  return centred.mul(np.reciprocal(np.sqrt(variance.add(eps))));
}

/** The norm of a case as a function of x, gamma and, where the norm has one, beta. */
function functionOf(np, one) {
  const { shape, setShape, setAxes, paramShape } = one.norm.view(one.sizes);
  const { runningMean, runningVar } = one.inputs;
  const constant = (values) => np.array(values.slice()).reshape(paramShape);
  return (x, gamma, beta) => {
    const running = one.norm.frozen && {
      mean: constant(runningMean),
      variance: constant(runningVar),
    };
    const xhat = normalized(np, x.reshape(setShape), one, setAxes, running || undefined);
    const scaled = xhat.reshape(shape).mul(gamma.reshape(paramShape));
    return beta ? scaled.add(beta.reshape(paramShape)) : scaled;
  };
}

/** @returns {Promise<import('../measure.js').Library[]>} */
export async function jax() {
  globalThis.navigator ??= { userAgent: 'node' };
  // Without shared memory jax-js starts no threads, which would keep the process alive.
  globalThis.SharedArrayBuffer = undefined;
  const { defaultDevice, grad, init, jit, numpy: np } = await import('@jax-js/jax');
  await init('wasm');
  defaultDevice('wasm');

  const array = (values) => np.array(values.slice());
  const read = (a) => Float32Array.from(a.dataSync());
  const argsOf = ({ norm, sizes, inputs: { x, gamma, beta } }) => [
    array(x).reshape(norm.view(sizes).shape),
    array(gamma),
    ...(beta ? [array(beta)] : []),
  ];

  const forward = (one) => ({ y: read(jit(functionOf(np, one))(...argsOf(one))) });

  function backward(one) {
    const f = functionOf(np, one);
    const args = argsOf(one);
    const dy = array(one.inputs.dy).reshape(one.norm.view(one.sizes).shape);
    const loss = (dy, ...args) => np.sum(f(...args).mul(dy));
    const gradients = jit(grad(loss, { argnums: args.map((_, i) => i + 1) }));
    const [dx, dgamma, dbeta] = gradients(dy, ...args).map(read);
    return { dx, dgamma, ...(dbeta && { dbeta }) };
  }

  return [{ name: 'jax-js', kind: 'float32', passes: [forward, backward] }];
}
