/* ONNX files: reading them, their constants, and cutting and tapping their graphs. */
import { createRequire } from 'node:module';

const { ModelProto, TypeProto, ValueInfoProto } = createRequire(import.meta.url)('onnx-proto').onnx;

/** TensorProto.DataType. */
const FLOAT = 1;

export const decode = (bytes) => ModelProto.decode(bytes);
export const encode = (model) => ModelProto.encode(model).finish();

/** A float tensor of any shape; the runtime finds the shape itself. */
const valueInfo = (name) =>
  ValueInfoProto.create({ name, type: TypeProto.create({ tensorType: { elemType: FLOAT } }) });

const withGraph = (model, changes) =>
  ModelProto.create({ ...model, graph: { ...model.graph, ...changes } });

/** @returns {any} an attribute's protocol buffer, or undefined */
export const attributeOf = (node, wanted) => node.attribute.find(({ name }) => name === wanted);

/**
 * The float tensors among the Constant nodes, where this network keeps its weights.
 *
 * @returns {Map<string, Float32Array>} by name
 */
export function floatConstants(graph) {
  const constants = new Map();
  for (const node of graph.node) {
    const tensor = node.opType === 'Constant' && attributeOf(node, 'value')?.t;
    if (tensor?.dataType === FLOAT) constants.set(node.output[0], floatsOf(tensor));
  }
  return constants;
}

/** The bytes are little-endian and lie anywhere; a copy lies where floats may. */
const floatsOf = ({ rawData, floatData }) =>
  rawData.length > 0
    ? new Float32Array(Uint8Array.from(rawData).buffer)
    : Float32Array.from(floatData);

/** The model with these tensors among its outputs. */
export function tapped(model, names) {
  const known = new Set(model.graph.output.map(({ name }) => name));
  const added = names.filter((name) => !known.has(name)).map(valueInfo);
  return withGraph(model, { output: [...model.graph.output, ...added] });
}

/**
 * The part of a model that computes some tensors from others.
 *
 * @param {string[]} wanted  the outputs
 * @param {Set<string>} known  what may be its inputs
 * @returns {{ model: any, inputs: string[] }} inputs: what of `known` it needs
 */
export function sliced(model, wanted, known) {
  const needed = new Set(wanted);
  const node = model.graph.node
    .toReversed()
    .filter(({ input, output }) => {
      if (!output.some((name) => needed.has(name) && !known.has(name))) return false;
      for (const name of input) needed.add(name);
      return true;
    })
    .reverse();
  const inputs = [...known].filter((name) => needed.has(name));
  const graph = { node, input: inputs.map(valueInfo), output: wanted.map(valueInfo) };
  return { model: withGraph(model, graph), inputs };
}
