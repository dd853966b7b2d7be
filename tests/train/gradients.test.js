// Loss, logits and all gradients of the whole model against differences of a float64 model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product } from '../helpers/suite.js';
import { reference, valuesOf } from './reference.js';
import { builds, CHOICES, dataFor, SMALL, shake } from './support.js';

const STEP = 1e-5;
/** Of the largest gradient of the model; the worst here is 1.8e-6. */
const TOLERANCE = 3e-6;
/** No array has gradients so small that it could be left out unnoticed. */
const LEAST = 300 * TOLERANCE;

/** Gradients by name, by central differences of float64 losses. */
function differences(settings, values, { ids, targets }) {
  const lossAt = () => reference(settings, values, ids, targets).loss;
  return Object.fromEntries(
    Object.entries(values).map(([name, array]) => [
      name,
      array.map((value, i) => {
        array[i] = value + STEP;
        const above = lossAt();
        array[i] = value - STEP;
        const below = lossAt();
        array[i] = value;
        return (above - below) / (2 * STEP);
      }),
    ]),
  );
}

const largest = (arrays) => Math.max(...arrays.flatMap((array) => [...array].map(Math.abs)));

function assertNear(got, want, tolerance, label) {
  got.forEach((value, i) => {
    const error = Math.abs(value - want[i]);
    assert.ok(error <= tolerance, `${label}[${i}]: expected ${want[i]}, got ${value}`);
  });
}

for (const choice of product(CHOICES)) {
  const label = Object.entries(choice)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  test(label, () => {
    let want;
    for (const t of builds) {
      const model = t.transformer({ ...SMALL, ...choice });
      shake(model, label);
      const data = dataFor(SMALL, label);
      model.forward(data.ids);
      const { loss, counted } = model.loss(data.targets);
      model.backward();
      assert.equal(counted, data.targets.filter((target) => target >= 0).length);

      const values = valuesOf(model);
      const exact = reference(model.settings, values, data.ids, data.targets);
      assert.ok(Math.abs(loss - exact.loss) <= 1e-6 * exact.loss, `${loss} ${exact.loss}`);
      assertNear(
        model.logits,
        exact.logits.flatMap((row) => [...row]),
        1e-5,
        'logits',
      );

      want ??= differences(model.settings, values, data);
      const scale = largest(Object.values(want));
      for (const { name, gradient } of model.parameters) {
        assert.ok(largest([want[name]]) > LEAST * scale, `${name} matters`);
        assertNear(gradient, want[name], TOLERANCE * scale, `${t.build} ${name}`);
      }
      model.dispose();
    }
  });
}
