/** A model of one node that holds gamma and beta, on one thread. */
import * as ort from 'onnxruntime-web/wasm';
import { COLS, done, ROWS, x } from './problem.js';

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', location.href).href };
const session = await ort.InferenceSession.create('./model.onnx', { executionProviders: ['wasm'] });
const { y } = await session.run({ x: new ort.Tensor('float32', x, [ROWS, COLS]) });
done(y.data);
