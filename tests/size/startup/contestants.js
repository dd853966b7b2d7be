/** Who starts, and what their pages fetch beside their JavaScript. */
import { readFileSync } from 'node:fs';
import { onnxModel } from '../../bench/contestants/onnx-model.js';
import { wasmOf } from '../items.js';
import { beta, COLS, EPS, gamma, ROWS } from './pages/problem.js';

/** Where the libraries are installed that are no dependency of the project. */
export const PEERS = new URL('../../accuracy/node_modules/', import.meta.url);

/**
 * @typedef {object} Contestant
 * @property {string} id  of the page pages/<id>.js
 * @property {string} title
 * @property {() => Record<string, Uint8Array> | Promise<Record<string, Uint8Array>>} [files]
 */

const layerNormalization = {
  op: 'LayerNormalization',
  parameters: { gamma, beta },
  epsilon: EPS,
  integers: {},
  outputs: ['y'],
};

const model = () => onnxModel(layerNormalization, [ROWS, COLS], { opset: 21, ir: 10 });

/** A file of a package, by its name alone. */
const fileOf = (name, folder) => ({ [name]: readFileSync(new URL(folder + name, PEERS)) });

/** @type {Contestant[]} */
export const CONTESTANTS = [
  { id: 'loop', title: 'no library: a JavaScript loop' },
  { id: 'axisnorm', title: 'axisnorm' },
  {
    id: 'slim',
    title: 'axisnorm/slim, layerNorm only',
    files: async () => ({ 'simd128.wasm': await wasmOf('simd128') }),
  },
  {
    id: 'onnxruntime',
    title: 'onnxruntime-web',
    files: () => ({
      'model.onnx': model(),
      ...fileOf('ort-wasm-simd-threaded.wasm', 'onnxruntime-web/dist/'),
    }),
  },
  {
    id: 'tensorflow',
    title: 'TensorFlow.js, core and wasm',
    files: () => fileOf('tfjs-backend-wasm-simd.wasm', '@tensorflow/tfjs-backend-wasm/dist/'),
  },
  { id: 'jax', title: 'jax-js' },
];
