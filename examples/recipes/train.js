import { load } from 'axisnorm';
import { LayerNorm } from 'axisnorm/layers';

const an = await load();

/** Teaches a LayerNorm to give `target` for x, by squared error. Returns the loss of each step. */
export function train(x, target, { width, steps = 100, rate = 0.5 }) {
  const norm = new LayerNorm(an, width);
  const losses = [];
  for (let step = 0; step < steps; step += 1) {
    const y = norm.forward(x);
    const error = y.map((v, i) => v - target[i]);
    losses.push(error.reduce((sum, e) => sum + e * e, 0) / error.length);
    norm.zeroGrad();
    norm.backward(error.map((e) => (2 * e) / error.length));
    for (const { value, gradient } of norm.parameters()) {
      const [w, dw] = [value.data, gradient.data];
      for (let i = 0; i < w.length; i += 1) w[i] -= rate * dw[i];
    }
  }
  norm.dispose(); // frees the parameters; norm.stateDict() before it copies them
  return losses;
}
