/* onnxruntime-web, WebAssembly execution provider, one thread. */
import * as ort from 'onnxruntime-web';
import { encode } from './onnx.js';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

/** @typedef {{ data: Float32Array, dims: readonly number[] }} Values */

/**
 * Every output of a model.
 *
 * @param {any} model
 * @param {Record<string, Values>} inputs  by name
 * @param {'disabled' | 'all'} optimization  disabled: each node is computed as it is written
 * @returns {Promise<Record<string, Values>>}
 */
export async function run(model, inputs, optimization) {
  const session = await ort.InferenceSession.create(encode(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: optimization,
  });
  const feeds = Object.entries(inputs).map(([name, { data, dims }]) => [
    name,
    new ort.Tensor('float32', data, dims),
  ]);
  try {
    return await session.run(Object.fromEntries(feeds));
  } finally {
    await session.release();
  }
}
