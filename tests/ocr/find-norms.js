/* The norms of a network, wherever they are in its graph. */
import { attributeOf, floatConstants } from './onnx.js';

/**
 * @typedef {object} Norm
 * @property {'BatchNorm' | 'LayerNorm'} kind
 * @property {string} input  name of the tensor
 * @property {string} output  name of the tensor
 * @property {number} eps
 * @property {Record<string, Float32Array>} state  under ONNX's names, for loadStateDict
 * @property {any[]} nodes  that compute it
 */

/** How a LayerNorm is written in opsets that have no node for it: each node uses the one before. */
const LAYER_NORM = 'ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add'.split(' ');

/** @returns {Norm[]} in the order in which they are computed */
export function findNorms({ graph }) {
  const constants = floatConstants(graph);
  const users = usersIn(graph);
  return graph.node.flatMap((node) => {
    if (node.opType === 'BatchNormalization') return batchNormOf(node, constants);
    return layerNormFrom(node, constants, users) ?? [];
  });
}

/** The nodes that use a tensor, by its name. */
function usersIn(graph) {
  const users = new Map();
  for (const node of graph.node) {
    for (const name of node.input) users.set(name, [...(users.get(name) ?? []), node]);
  }
  return users;
}

function batchNormOf(node, constants) {
  const [input, scale, B, mean, variance] = node.input;
  const arrays = { scale, B, input_mean: mean, input_var: variance };
  const state = Object.fromEntries(
    Object.entries(arrays).map(([key, name]) => [key, constants.get(name)]),
  );
  const eps = attributeOf(node, 'epsilon').f;
  return { kind: 'BatchNorm', input, output: node.output[0], eps, state, nodes: [node] };
}

/** @returns {Norm | null} the LayerNorm that begins with this node */
function layerNormFrom(first, constants, users) {
  const nodes = chainFrom(first, users);
  if (!nodes) return null;
  const [mean, sub, pow, variance, addEps, sqrt, div, mul, add] = nodes;
  const [input] = mean.input;
  const [exponent, eps, Scale, B] = [pow, addEps, mul, add].map((node) =>
    constants.get(node.input.find((name) => constants.has(name))),
  );
  const isLayerNorm =
    isOfLastAxis(mean) &&
    isOfLastAxis(variance) &&
    takes(sub, input, mean.output[0]) &&
    pow.input[0] === sub.output[0] &&
    exponent?.length === 1 &&
    exponent[0] === 2 &&
    eps?.length === 1 &&
    takes(div, sub.output[0], sqrt.output[0]) &&
    Scale !== undefined &&
    Scale.length === B?.length &&
    isClosed(nodes, users);
  if (!isLayerNorm) return null;
  return {
    kind: 'LayerNorm',
    input,
    output: add.output[0],
    eps: eps[0],
    state: { Scale, B },
    nodes,
  };
}

function chainFrom(first, users) {
  if (first.opType !== LAYER_NORM[0]) return null;
  const nodes = [first];
  for (const wanted of LAYER_NORM.slice(1)) {
    const next = users.get(nodes.at(-1).output[0])?.find(({ opType }) => opType === wanted);
    if (!next) return null;
    nodes.push(next);
  }
  return nodes;
}

function isOfLastAxis(node) {
  const axes = attributeOf(node, 'axes').ints.map(Number);
  return axes.length === 1 && axes[0] === -1;
}

const takes = (node, ...names) => names.every((name, i) => node.input[i] === name);

/** Whether only the last of the nodes is used by others. */
function isClosed(nodes, users) {
  return nodes
    .slice(0, -1)
    .every(({ output: [name] }) => users.get(name).every((user) => nodes.includes(user)));
}
