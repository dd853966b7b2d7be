// Probes: the stream against the float64 model, gradients against those of a loss of one token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reference, valuesOf } from './reference.js';
import { builds } from './support.js';

const [t] = builds;
const TASK = { task: 'copy', symbols: 5, length: 3 };
const SETTINGS = { depth: 3, width: 8, heads: 2, batch: 4, seed: 5, ...t.task(TASK).sizes };

const near = (got, want, label) =>
  assert.ok(Math.abs(got / want - 1) < 1e-5, `${label}: expected ${want}, got ${got}`);

const lastMatrices = (model) =>
  Array.from({ length: SETTINGS.depth }, (_, i) =>
    model.parameters.find(({ name }) => name === `blocks.${i}.feedForward.down.weight`),
  );

for (const placement of ['post', 'pre', 'sandwich', 'deepnorm', 'none']) {
  for (const finalNorm of [false, true]) {
    test(`the stream, ${placement}, final norm: ${finalNorm}`, () => {
      const model = t.transformer({ ...SETTINGS, placement, finalNorm });
      const { streamNorms } = t.probe(model, { ...TASK, losses: SETTINGS.batch });
      const { streams } = reference(model.settings, valuesOf(model), model.ids, model.targets);
      assert.equal(streamNorms.length, SETTINGS.depth + 1);
      for (const [i, norm] of streamNorms.entries()) {
        const values = streams.flatMap((stream) => stream[i].flat());
        near(norm, values.reduce((sum, v) => sum + v * v, 0) / values.length, `block ${i}`);
      }
      model.dispose();
    });
  }
}

test('gradients: the norm for each token, and their mean', () => {
  const model = t.transformer({ ...SETTINGS, batch: 1 });
  const of = (losses) => t.probe(model, { ...TASK, losses }).gradientNorms;
  // What the model is left with are the tokens and gradients of the last loss.
  const last = () => lastMatrices(model).map(({ gradient }) => Math.hypot(...gradient));
  const first = of(1);
  const norms = last();
  assert.equal(model.targets.filter((target) => target >= 0).length, 1);
  const both = of(2);
  const second = last();
  for (let i = 0; i < SETTINGS.depth; i++) {
    near(first[i], norms[i], `block ${i}`);
    near(both[i], (norms[i] + second[i]) / 2, `block ${i}`);
  }
  model.forward();
  model.loss();
  model.backward();
  for (const [i, norm] of last().entries()) near(norm, second[i], `block ${i}, once more`);
  model.dispose();
});

test('the seed decides which tokens', () => {
  const model = t.transformer(SETTINGS);
  const of = (seed) => t.probe(model, { ...TASK, seed });
  assert.deepEqual(of(1), of(1));
  assert.notDeepEqual(of(1), of(2));
  model.dispose();
});

test('what does not fit is refused', () => {
  const model = t.transformer(SETTINGS);
  const refused = (options, message) =>
    assert.throws(() => t.probe(model, { ...TASK, ...options }), { message });
  refused({ losses: 0 }, 'losses: expected a whole number from 1 to 65536, got 0');
  refused({ length: 4 }, "model: expected 7 tokens for 'copy', got 5");
  refused({ depth: 4 }, "probe: unknown option 'depth'");
  model.dispose();
});
