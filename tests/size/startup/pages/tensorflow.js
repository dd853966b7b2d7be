/** Operations of tfjs-core, without tfjs-layers, on the wasm backend with one thread. */
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { add, env, moments, mul, rsqrt, setBackend, sub, tensor } from '@tensorflow/tfjs-core';
import { beta, COLS, done, EPS, gamma, ROWS, x } from './problem.js';

setWasmPaths('./');
env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
await setBackend('wasm');
const input = tensor(x, [ROWS, COLS]);
const { mean, variance } = moments(input, -1, true);
const xhat = mul(sub(input, mean), rsqrt(add(variance, EPS)));
done(add(mul(xhat, tensor(gamma)), tensor(beta)).dataSync());
