/*
 * What becomes of models after some steps, as one word: the same on every build, in every engine.
 * Without node: modules, so that browsers can run it, too.
 */

const STEPS = 20;

/** Between them they pass through every kernel and every setting that feeds the numbers. */
const RUNS = [
  { model: { placement: 'pre' }, training: { rate: 6e-3 } },
  {
    model: { placement: 'post', norm: 'rms', activation: 'gelu', depth: 3, width: 24, heads: 3 },
    training: { task: 'sort', symbols: 5, length: 6, rate: 1e-2, warmup: 10, decay: 'inverseSqrt' },
  },
  {
    model: { placement: 'deepnorm', depth: 2, width: 21, heads: 7, batch: 5 },
    training: { task: 'modularAddition', symbols: 13, length: 3, clip: 0.5, weightDecay: 0.1 },
  },
  {
    model: { placement: 'sandwich', activation: 'gelu', depth: 2, width: 10, heads: 1, batch: 3 },
    training: { task: 'copy', symbols: 9, length: 4, optimizer: 'sgd', rate: 0.1, momentum: 0.9 },
  },
  {
    model: { placement: 'none', finalNorm: true, depth: 2, width: 12, heads: 2, batch: 2 },
    training: { task: 'reverse', symbols: 4, length: 5, clip: 1 },
  },
];

/** FNV-1a of the bits. */
function hashOf(values, hash) {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (const word of words) hash = Math.imul(hash ^ word, 16777619);
  return hash;
}

/** A model as it is after training. */
function trained(t, { model: settings, training }, steps) {
  const { task, symbols, length } = training;
  const { sizes } = t.task({ task, symbols, length });
  const model = t.transformer({ ...settings, ...sizes, seed: 7 });
  const trainer = t.trainer(model, { ...training, seed: 11 });
  for (let step = 0; step < steps; step++) {
    const { finite } = trainer.step();
    if (!finite) throw new Error(`diverged at step ${step + 1}`);
  }
  return model;
}

/**
 * @param {import('../../js/train/index.js').Training} t
 * @returns {string} eight hexadecimal digits
 */
export function fingerprint(t, { steps = STEPS } = {}) {
  let hash = 2166136261;
  for (const run of RUNS) {
    const model = trained(t, run, steps);
    for (const { values } of model.parameters) hash = hashOf(values, hash);
    model.dispose();
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
