/**
 * TensorFlow.js on its wasm backend, with SIMD and one thread: norms composed of moments, sub,
 * rsqrt, mul and add, BatchNorm by tf.batchNorm, gradients by tf.grads, which run the forward
 * again. It normalizes the last axis only, so BatchNorm has its channels there, as a user would.
 */

/** [outer][channels][inner] as [outer][inner][channels], or back with the last two exchanged. */
function turned(values, [outer, channels, inner]) {
  const result = new Float32Array(values.length);
  let at = 0;
  for (let n = 0; n < outer; n++)
    for (let i = 0; i < inner; i++)
      for (let c = 0; c < channels; c++) result[at++] = values[(n * channels + c) * inner + i];
  return result;
}

const same = (values) => values;

/** How arrays as large as x are shaped and arranged for an operation. */
function arrangement({ sizes, dims }) {
  if (!('outer' in sizes)) return { shape: dims, arrange: same, restore: same };
  const [outer, channels, inner] = dims;
  return {
    shape: [outer, inner, channels],
    arrange: (values) => turned(values, dims),
    restore: (values) => turned(values, [outer, inner, channels]),
  };
}

/** The norms as functions of x, gamma and beta; `constant` makes a tensor that is kept. */
function normsOf(tf) {
  const normalized = (x, eps) => {
    const { mean, variance } = tf.moments(x, -1, true);
    return tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, eps)));
  };
  const affine = (x, gamma, beta) => tf.add(tf.mul(x, gamma), beta);

  const rows = ({ eps }) => {
    return (x, gamma, beta) => affine(normalized(x, eps), gamma, beta);
  };
  const rms = ({ eps }) => {
    const rstd = (x) => tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), eps));
    return (x, gamma) => tf.mul(tf.mul(x, rstd(x)), gamma);
  };
  const groups = ({ sizes, dims, eps }) => {
    const { batch, channels, groups } = sizes;
    const wide = (parameter) => tf.reshape(parameter, [1, channels, 1]);
    return (x, gamma, beta) => {
      const xhat = normalized(tf.reshape(x, [batch, groups, -1]), eps);
      return affine(tf.reshape(xhat, dims), wide(gamma), wide(beta));
    };
  };
  const trained = ({ eps }) => {
    return (x, gamma, beta) => {
      const { mean, variance } = tf.moments(x, [0, 1]);
      return tf.batchNorm(x, mean, variance, beta, gamma, eps);
    };
  };
  const frozen = ({ eps }, inputs, constant) => {
    const mean = constant(inputs.runningMean);
    const variance = constant(inputs.runningVar);
    return (x, gamma, beta) => tf.batchNorm(x, mean, variance, beta, gamma, eps);
  };
  return { layerNorm: rows, rmsNorm: rms, groupNorm: groups, trained, frozen };
}

const normIdOf = ({ api: [id], norm, direction, isInference }) => {
  if (id !== 'batchNorm') return direction === 'forward' && !isInference ? undefined : id;
  return norm.frozen ? 'frozen' : 'trained';
};

/**
 * A case as a function of the large inputs, which gives the results in order.
 *
 * @returns {undefined | ((...large: object[]) => object[])}
 */
function functionOf(tf, norms, one, inputs, constant) {
  const make = norms[normIdOf(one.op)];
  if (!make) return undefined;
  const norm = make(one, inputs, constant);
  const parameters = [constant(inputs.gamma)];
  // Backward does not read beta, but the norm has one.
  if (one.op.api[0] !== 'rmsNorm') {
    parameters.push(constant(inputs.beta ?? new Float32Array(inputs.gamma.length)));
  }
  if (one.op.direction === 'forward') return (x) => [norm(x, ...parameters)];
  const gradients = tf.grads(norm);
  return (dy, x) => gradients([x, ...parameters], dy);
}

/** What an entry of either kind needs: the function, the large inputs, and their shape. */
function prepared(tf, norms, one, inputs) {
  const kept = [];
  const keep = (tensor) => {
    kept.push(tensor);
    return tensor;
  };
  const f = functionOf(tf, norms, one, inputs, (values) => keep(tf.tensor(values)));
  if (!f) return undefined;
  const { shape, arrange, restore } = arrangement(one);
  const large = one.op.inputs
    .filter(({ extent }) => extent === 'x')
    .map(({ name }) => arrange(inputs[name]));
  const read = (values) =>
    Object.fromEntries(
      one.op.outputs
        .slice(0, values.length)
        .map(({ name, extent }, i) => [name, extent === 'x' ? restore(values[i]) : values[i]]),
    );
  const end = () => {
    for (const tensor of kept) tensor.dispose();
  };
  return { f, large, shape, read, keep, end };
}

/**
 * @param {{ tf: object, wasm: object, folder: string }} library  folder: where the .wasm files are
 * @returns {Promise<import('../suite.js').Contestant[]>}
 */
export async function tensorflow({ tf, wasm, folder }) {
  wasm.setWasmPaths(folder);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  const norms = normsOf(tf);

  return [
    {
      id: 'tensorflowTensors',
      prepare(one, inputs) {
        const entry = prepared(tf, norms, one, inputs);
        if (!entry) return undefined;
        const { f, large, shape, read, keep, end } = entry;
        const tensors = large.map((values) => keep(tf.tensor(values, shape)));
        const compute = () => tf.tidy(() => f(...tensors));
        return {
          call: [() => tf.dispose(compute())],
          results: () => read(tf.tidy(() => f(...tensors).map((tensor) => tensor.dataSync()))),
          end,
        };
      },
    },
    {
      id: 'tensorflowArrays',
      prepare(one, inputs) {
        const entry = prepared(tf, norms, one, inputs);
        if (!entry) return undefined;
        const { f, large, shape, read, end } = entry;
        const tensors = () => large.map((values) => tf.tensor(values, shape));
        let last;
        return {
          call: [
            () => {
              tf.tidy(() => {
                last = f(...tensors()).map((tensor) => tensor.dataSync());
              });
            },
          ],
          results: () => read(last),
          end,
        };
      },
    },
  ];
}
