/* onnxruntime-web, WebAssembly execution provider, one thread: a model of one node for each case. */
import { createRequire } from 'node:module';
import * as ort from 'onnxruntime-web';

const require = createRequire(import.meta.url);
const { AttributeProto, ModelProto, TensorProto } = require('onnx-proto').onnx;

const FLOAT = 1;
const OPSET = 21;
/** Of the intermediate representation, as opset 21 needs it. */
const IR_VERSION = 10;

const float = (name, f) => AttributeProto.create({ name, type: 1, f });
const integer = (name, i) => AttributeProto.create({ name, type: 2, i });

const valueInfo = (name, dims) => ({
  name,
  type: {
    tensorType: { elemType: FLOAT, shape: { dim: dims.map((dimValue) => ({ dimValue })) } },
  },
});

const initializer = (name, values) =>
  TensorProto.create({
    name,
    dims: [values.length],
    dataType: FLOAT,
    rawData: new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice(),
  });

const zeros = ({ gamma }) => new Float32Array(gamma.length);
const ones = ({ gamma }) => new Float32Array(gamma.length).fill(1);

const LAST_AXIS = [integer('axis', -1)];
const scaleAndShift = ({ gamma, beta }) => ({ gamma, beta });

/** The node of each norm: its operator, parameters in order, attributes, and shape of x. */
const NODES = {
  layerNorm: { op: 'LayerNormalization', params: scaleAndShift, attributes: () => LAST_AXIS },
  rmsNorm: {
    op: 'SimplifiedLayerNormalization',
    params: ({ gamma }) => ({ gamma }),
    attributes: () => LAST_AXIS,
  },
  groupNorm: {
    op: 'GroupNormalization',
    params: scaleAndShift,
    attributes: ({ groups }) => [integer('num_groups', groups)],
  },
  instanceNorm: { op: 'InstanceNormalization', params: scaleAndShift },
  batchNormTraining: {
    op: 'BatchNormalization',
    params: (inputs) => ({ ...scaleAndShift(inputs), mean: zeros(inputs), variance: ones(inputs) }),
    attributes: () => [integer('training_mode', 1)],
    outputs: ['y', 'runningMean', 'runningVar'],
  },
  batchNormInference: {
    op: 'BatchNormalization',
    params: ({ gamma, beta, runningMean, runningVar }) => ({
      ...{ gamma, beta },
      ...{ mean: runningMean, variance: runningVar },
    }),
  },
  weightStandardize: {
    op: 'InstanceNormalization',
    params: (inputs) => ({ gamma: inputs.gamma, beta: zeros(inputs) }),
    dims: ({ filters, fanIn }) => [1, filters, fanIn],
  },
};

function modelOf({ norm, sizes, eps, inputs }) {
  const node = NODES[norm.id];
  const { attributes = () => [], outputs = ['y'] } = node;
  const dims = node.dims?.(sizes) ?? norm.view(sizes).shape;
  const params = node.params(inputs);
  const names = Object.keys(params);
  const model = ModelProto.create({
    irVersion: IR_VERSION,
    opsetImport: [{ domain: '', version: OPSET }],
    graph: {
      name: norm.id,
      node: [
        {
          opType: node.op,
          input: ['x', ...names],
          output: outputs,
          attribute: [float('epsilon', eps), ...attributes(sizes)],
        },
      ],
      initializer: names.map((name) => initializer(name, params[name])),
      input: [valueInfo('x', dims)],
      output: [valueInfo('y', dims)],
    },
  });
  return { dims, bytes: ModelProto.encode(model).finish() };
}

async function forward(one) {
  const { dims, bytes } = modelOf(one);
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  try {
    const { y } = await session.run({ x: new ort.Tensor('float32', one.inputs.x, dims) });
    return { y: Float32Array.from(y.data) };
  } finally {
    await session.release();
  }
}

/** @returns {import('../measure.js').Library[]} */
export function onnxruntime() {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return [
    {
      name: 'onnxruntime-web',
      kind: 'float32',
      passes: [forward],
      without: 'onnxruntime-web computes no gradients',
    },
  ];
}
