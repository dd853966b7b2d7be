/**
 * onnxruntime-web on its wasm execution provider, with one thread: a session of a single node, with
 * arrays in and out. The parameters are in the model, so only x is copied in; the result is a new
 * array, which session.run() makes. It computes no gradients.
 */
import { onnxModel } from './onnx-model.js';

/** Opset 21 has GroupNormalization with a scale for each channel. */
const VERSION = { opset: 21, ir: 10 };

const scaleAndShift = ({ gamma, beta }) => ({ gamma, beta });
const ONLY_Y = ['y'];

/** The node of each operation. */
const NODES = {
  layerNorm: { op: 'LayerNormalization', parameters: scaleAndShift },
  rmsNorm: { op: 'SimplifiedLayerNormalization', parameters: ({ gamma }) => ({ gamma }) },
  groupNorm: {
    op: 'GroupNormalization',
    parameters: scaleAndShift,
    integers: ({ groups }) => ({ num_groups: groups }),
  },
  batchNorm: {
    op: 'BatchNormalization',
    parameters: ({ gamma, beta, runningMean, runningVar }) => ({
      gamma,
      beta,
      runningMean,
      runningVar,
    }),
  },
  batchNormForward: {
    op: 'BatchNormalization',
    parameters: ({ gamma, beta }) => ({
      gamma,
      beta,
      mean: new Float32Array(gamma.length),
      variance: new Float32Array(gamma.length).fill(1),
    }),
    integers: () => ({ training_mode: 1 }),
    outputs: ['y', 'newMean', 'newVariance'],
  },
};

function modelOf({ op, sizes, eps, dims }, inputs) {
  const { op: name, parameters, integers = () => ({}), outputs = ONLY_Y } = NODES[op.id];
  const node = { op: name, parameters: parameters(inputs), outputs };
  return onnxModel({ ...node, epsilon: eps, integers: integers(sizes) }, dims, VERSION);
}

/**
 * @param {typeof import('onnxruntime-web')} ort
 * @returns {import('../suite.js').Contestant[]}
 */
export function onnxruntime(ort) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return [
    {
      id: 'onnxruntime',
      async prepare(one, inputs) {
        if (!NODES[one.op.id]) return undefined;
        const model = modelOf(one, inputs);
        const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
        const feeds = { x: new ort.Tensor('float32', inputs.x, one.dims) };
        let last;
        return {
          call: [
            async () => {
              last = await session.run(feeds);
            },
          ],
          isAsync: true,
          results: () => ({ y: last.y.data }),
          end: () => session.release(),
        };
      },
    },
  ];
}
