/**
 * The same transformer in TensorFlow.js: Pre-LN with a norm behind the last block, ReLU, learned
 * positions, Adam. Embeddings are products with one-hot rows, because the wasm backend has no
 * gradient of a gather.
 */

const EPS = 1e-5;

/**
 * @param {any} tf
 * @param {object} settings  of the model
 * @param {Record<string, any>} v  variables by the names that js/train gives its parameters
 */
function networkOf(tf, settings, v) {
  const { depth, width, heads, batch, tokens } = settings;
  const rows = batch * tokens;
  const headWidth = width / heads;
  const linear = (x, name) => tf.add(tf.matMul(x, v[`${name}.weight`]), v[`${name}.bias`]);

  function norm(x, name) {
    const { mean, variance } = tf.moments(x, -1, true);
    const normed = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, EPS)));
    return tf.add(tf.mul(normed, v[`${name}.gamma`]), v[`${name}.beta`]);
  }

  const ahead = Array.from({ length: tokens }, (_, t) =>
    Array.from({ length: tokens }, (_, s) => (s > t ? -1e9 : 0)),
  );
  const mask = tf.keep(tf.tensor2d(ahead));

  const split = (x) => tf.transpose(tf.reshape(x, [batch, tokens, heads, headWidth]), [0, 2, 1, 3]);

  function attention(x, name) {
    const [q, k, value] = tf.split(linear(x, `${name}.qkv`), 3, 1).map(split);
    const scores = tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(headWidth));
    const mixed = tf.matMul(tf.softmax(tf.add(scores, mask)), value);
    const joined = tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [rows, width]);
    return linear(joined, `${name}.output`);
  }

  const feedForward = (x, name) => linear(tf.relu(linear(x, `${name}.up`)), `${name}.down`);

  return (ids) => {
    const embedded = tf.reshape(tf.matMul(ids, v['embedding.table']), [batch, tokens, width]);
    let x = tf.reshape(tf.add(embedded, v['embedding.positions']), [rows, width]);
    for (let i = 0; i < depth; i++) {
      for (const [part, branch] of Object.entries({ attention, feedForward })) {
        const name = `blocks.${i}.${part}`;
        x = tf.add(x, branch(norm(x, `${name}.inputNorm`), name));
      }
    }
    return linear(norm(x, 'finalNorm'), 'head');
  };
}

/** Mean cross-entropy; rows of `targets` are one-hot, or zeros where nothing counts. */
function lossOf(tf, logits, targets, counted) {
  const largest = tf.max(logits, -1, true);
  const shifted = tf.sub(logits, largest);
  const logSum = tf.log(tf.sum(tf.exp(shifted), -1, true));
  return tf.div(tf.sum(tf.mul(tf.sub(logSum, shifted), targets)), counted);
}

/**
 * @param {{ tf: any, wasm: any, folder: string }} library
 * @param {any} model  of js/train, whose parameters it starts from
 * @param {{ draw: () => { ids: Uint32Array, targets: Int32Array }, training: any }} how  draw()
 *   gives the next batch, training are the settings of the trainer
 * @returns {Promise<{ backend: string, step: () => number }>}  step() gives the loss
 */
export async function tensorflow({ tf, wasm, folder }, model, { draw, training }) {
  wasm.setWasmPaths(folder);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  const { settings } = model;
  const { vocabulary } = settings;
  const variables = Object.fromEntries(
    model.parameters.map(({ name, shape, values }) => [
      name,
      tf.variable(tf.tensor(values.slice(), shape)),
    ]),
  );
  const network = networkOf(tf, settings, variables);
  const { rate, betas, eps } = training;
  const optimizer = tf.train.adam(rate, ...betas, eps);
  const list = Object.values(variables);

  function step() {
    const { ids, targets } = draw();
    const counted = targets.reduce((count, target) => count + Number(target >= 0), 0);
    const loss = tf.tidy(() => {
      const hot = tf.oneHot(tf.tensor1d(Int32Array.from(ids), 'int32'), vocabulary);
      // A target of -1 has no place in its row, which is then all zeros.
      const wanted = tf.oneHot(tf.tensor1d(targets, 'int32'), vocabulary);
      const value = () =>
        lossOf(tf, network(tf.cast(hot, 'float32')), tf.cast(wanted, 'float32'), counted);
      return optimizer.minimize(value, true, list);
    });
    const [value] = loss.dataSync();
    loss.dispose();
    return value;
  }
  return { backend: tf.getBackend(), step };
}
