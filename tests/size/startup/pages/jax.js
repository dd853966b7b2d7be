/** Composed of operations, under jit, on the wasm backend, which is in the JavaScript. */
import { defaultDevice, init, jit, numpy as np } from '@jax-js/jax';
import { beta, COLS, done, EPS, gamma, ROWS, x } from './problem.js';

await init('wasm');
defaultDevice('wasm');
const mean = (a) => np.mean(a, -1, { keepdims: true });
const layerNorm = jit((a, scale, shift) => {
  const centred = a.sub(mean(a.ref));
  const rstd = np.reciprocal(np.sqrt(mean(np.square(centred.ref)).add(EPS)));
  return centred.mul(rstd).mul(scale).add(shift);
});
done(layerNorm(np.array(x).reshape([ROWS, COLS]), np.array(gamma), np.array(beta)).dataSync());
