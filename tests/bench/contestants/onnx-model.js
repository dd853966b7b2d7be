/**
 * ONNX models of one node, written as protocol buffers. The numbers are those of the fields in
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */

const FLOAT = 1;
/** Wire types. */
const [VARINT, BYTES, FIXED32] = [0, 2, 5];

function varint(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

const key = (field, wire) => varint(field * 8 + wire);
const integer = (field, value) => [...key(field, VARINT), ...varint(value)];
const float = (field, value) => [
  ...key(field, FIXED32),
  ...new Uint8Array(Float32Array.of(value).buffer),
];
const message = (field, ...parts) => {
  const content = parts.flat();
  return [...key(field, BYTES), ...varint(content.length), ...content];
};
const text = (field, value) => message(field, [...new TextEncoder().encode(value)]);

const floatAttribute = (name, value) => message(5, text(1, name), float(2, value), integer(20, 1));
const integerAttribute = (name, value) =>
  message(5, text(1, name), integer(3, value), integer(20, 2));

const dimensions = (dims) => message(2, ...dims.map((size) => message(1, integer(1, size))));
const valueInfo = (field, name, dims) =>
  message(field, text(1, name), message(2, message(1, integer(1, FLOAT), dimensions(dims))));

const constant = (name, { buffer, byteOffset, byteLength, length }) =>
  message(
    5,
    integer(1, length),
    integer(2, FLOAT),
    text(8, name),
    message(9, [...new Uint8Array(buffer, byteOffset, byteLength)]),
  );

/**
 * x goes in, y comes out.
 *
 * @param {object} node
 * @param {string} node.op
 * @param {Record<string, Float32Array>} node.parameters  after x, in order
 * @param {number} node.epsilon
 * @param {Record<string, number>} node.integers  other attributes
 * @param {string[]} node.outputs  y first
 * @param {number[]} dims  of x and y
 * @param {{ opset: number, ir: number }} version
 */
export function onnxModel({ op, parameters, epsilon, integers, outputs }, dims, { opset, ir }) {
  const inputs = ['x', ...Object.keys(parameters)];
  const node = message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    floatAttribute('epsilon', epsilon),
    ...Object.entries(integers).map(([name, value]) => integerAttribute(name, value)),
  );
  const graph = message(
    7,
    node,
    text(2, op),
    ...Object.entries(parameters).map(([name, values]) => constant(name, values)),
    valueInfo(11, 'x', dims),
    valueInfo(12, 'y', dims),
  );
  return Uint8Array.from([
    ...integer(1, ir),
    ...graph,
    ...message(8, text(1, ''), integer(2, opset)),
  ]);
}
