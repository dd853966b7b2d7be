/*
 * What a consumer computes: small cases whose numbers follow from the textbook, forward and
 * backward. It imports nothing, so that one file serves programs, bundles, workers and worklets, and
 * tests/consumers/harness can write it as CommonJS.
 */

function expectClose(actual, expected, name) {
  if (actual.length !== expected.length) throw new Error(`${name} has ${actual.length} values`);
  expected.forEach((value, i) => {
    // Written so that NaN is an error, too.
    if (!(Math.abs(actual[i] - value) < 2e-6)) {
      throw new Error(`${name}[${i}] is ${actual[i]} instead of ${value}`);
    }
  });
}

const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

/** A row by the textbook, in float64: what LayerNorm makes of it, and its gradients. */
function normalized(x, dy, gamma, beta) {
  const center = mean(x);
  const rstd = 1 / Math.sqrt(mean(x.map((v) => (v - center) ** 2)) + 1e-5);
  const xhat = x.map((v) => (v - center) * rstd);
  const g = dy.map((v, i) => v * gamma[i]);
  const gx = mean(g.map((v, i) => v * xhat[i]));
  return {
    y: xhat.map((v, i) => v * gamma[i] + beta[i]),
    dx: g.map((v, i) => rstd * (v - mean(g) - xhat[i] * gx)),
    dgamma: xhat.map((v, i) => v * dy[i]),
    dbeta: dy,
  };
}

/** layerNorm of axisnorm or of axisnorm/slim, forward and backward, on arrays and on tensors. */
export function checkNorms(an) {
  const gamma = Float32Array.of(1, 2, 0.5, -1);
  const beta = Float32Array.of(0, 1, 0, 1);
  const x = Float32Array.of(1, 2, 3, 6);
  const dy = Float32Array.of(1, -1, 2, 0.5);
  const expected = normalized(Array.from(x), Array.from(dy), gamma, beta);

  const options = { normalizedShape: 4, gamma, beta };
  expectClose(an.layerNorm(x, options), expected.y, 'y');
  const f = an.layerNorm.forward(x, options);
  expectClose(f.y, expected.y, 'y of forward');
  const gradients = an.layerNorm.backward(dy, { ...f, x, gamma });
  for (const name of ['dx', 'dgamma', 'dbeta']) expectClose(gradients[name], expected[name], name);

  an.scope((s) => {
    const t = s.tensor([1, 4], x);
    expectClose(an.layerNorm(t, { gamma, beta, out: t }).slice(), expected.y, 'y of a tensor');
  });
  if (an.memoryUsage().used !== 0) throw new Error('memory is left behind');
  return `norms right, ${an.build}`;
}

/** BatchNorm of axisnorm/layers: one channel of a batch is a row of LayerNorm. */
export function checkLayers(an, { BatchNorm }) {
  const x = Float32Array.of(1, 2, 3, 6);
  const dy = Float32Array.of(1, -1, 2, 0.5);
  const ones = [1, 1, 1, 1];
  const expected = normalized(Array.from(x), Array.from(dy), ones, [0, 0, 0, 0]);
  const layer = new BatchNorm(an, 1);
  expectClose(layer.forward(x, { shape: [4, 1] }), expected.y, 'y of a layer');
  expectClose(layer.backward(dy), expected.dx, 'dx of a layer');
  const slope = expected.dgamma.reduce((sum, v) => sum + v, 0);
  expectClose(layer.weight.gradient.slice(), [slope], 'dgamma of a layer');
  expectClose(layer.runningMean.slice(), [0.3], 'running mean');
  layer.dispose();
  return `layers right, ${an.build}`;
}

/** A model of axisnorm/train, given what its load() gives, learns to copy. */
export function checkTraining(t) {
  const task = { task: 'copy', symbols: 4, length: 3 };
  const { sizes } = t.task(task);
  const model = t.transformer({ depth: 2, width: 16, heads: 2, ...sizes });
  const trainer = t.trainer(model, { ...task, rate: 0.01 });
  const first = trainer.evaluate().loss;
  for (let i = 0; i < 50; i++) trainer.step();
  const last = trainer.evaluate().loss;
  if (!(last < first / 2)) throw new Error(`the loss went from ${first} to ${last}`);
  model.dispose();
  return `training right, ${t.build}`;
}
