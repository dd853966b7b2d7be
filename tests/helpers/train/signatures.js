/*
 * The C functions of include/axisnorm_train.h as data, in the form of ../signatures.js. Arrays of
 * equal length may share an extent; `extents` gives the lengths for the sizes of a call, in words
 * of four bytes.
 */
import {
  ACCUMULATE,
  accumulates,
  both,
  ERR_VALUE,
  flags,
  into,
  mayBeZero,
  needed,
  number,
  OK,
  out,
  size,
} from '../signatures.js';

const kernel = (symbol, extents, args, inPlace = []) => ({
  symbol,
  module: /** @type {const} */ ('train'),
  extents,
  args,
  inPlace,
});

const matmul = (form) =>
  kernel(`an_matmul_${form}`, ({ m, n, k }) => ({ c: m * n, a: m * k, b: k * n }), [
    out('c', 'c', { ...needed, ...accumulates }),
    into('a', 'a', needed),
    into('b', 'b', needed),
    size('m', mayBeZero),
    size('n'),
    size('k', form === 'tn' ? mayBeZero : {}),
    flags(ACCUMULATE),
  ]);

export const matmulNN = matmul('nn');
export const matmulNT = matmul('nt');
export const matmulTN = matmul('tn');

const ofRows = ({ rows, cols }) => ({ x: rows * cols, cols });

export const biasForward = kernel(
  'an_bias_forward',
  ofRows,
  [
    out('y', 'x', needed),
    into('x', 'x', needed),
    into('bias', 'cols', needed),
    size('rows', mayBeZero),
    size('cols'),
  ],
  [['y', 'x']],
);

export const biasBackward = kernel('an_bias_backward', ofRows, [
  out('dbias', 'cols', { ...needed, ...accumulates }),
  into('dy', 'x', needed),
  size('rows', mayBeZero),
  size('cols'),
  flags(ACCUMULATE),
]);

const ofN = ({ n }) => ({ n, norm: 2 });
const n = size('n', mayBeZero);

export const residual = kernel(
  'an_residual',
  ofN,
  [
    out('y', 'n', needed),
    into('x', 'n', needed),
    into('f', 'n', needed),
    n,
    number('alpha', [], OK),
  ],
  [['y', 'x']],
);

const activationForward = (symbol) =>
  kernel(symbol, ofN, [out('y', 'n', needed), into('x', 'n', needed), n], [['y', 'x']]);

const activationBackward = (symbol, from) =>
  kernel(
    symbol,
    ofN,
    [out('dx', 'n', needed), into('dy', 'n', needed), into(from, 'n', needed), n],
    [
      ['dx', 'dy'],
      ['dx', from],
    ],
  );

export const reluForward = activationForward('an_relu_forward');
export const reluBackward = activationBackward('an_relu_backward', 'y');
export const geluForward = activationForward('an_gelu_forward');
export const geluBackward = activationBackward('an_gelu_backward', 'x');

const ofHeads = ({ batch, tokens, heads, headWidth }) => ({
  y: batch * tokens * heads * headWidth,
  qkv: 3 * batch * tokens * heads * headWidth,
  probs: batch * heads * tokens * tokens,
  tokens,
});
const headSizes = [size('batch', mayBeZero), size('tokens'), size('heads'), size('headWidth')];

export const attentionForward = kernel('an_attention_forward', ofHeads, [
  out('y', 'y', needed),
  out('probs', 'probs', needed),
  into('qkv', 'qkv', needed),
  ...headSizes,
]);

export const attentionBackward = kernel('an_attention_backward', ofHeads, [
  out('dqkv', 'qkv', needed),
  into('dy', 'y', needed),
  into('qkv', 'qkv', needed),
  into('probs', 'probs', needed),
  {
    role: 'workspace',
    name: 'workspace',
    needed: true,
    length: (_, { tokens }) => tokens,
  },
  ...headSizes,
]);

const ofTable = ({ rows, tokens, vocabulary, width }) => ({
  y: rows * width,
  ids: rows,
  table: vocabulary * width,
  positions: tokens * width,
});
const tableSizes = [size('rows', mayBeZero), size('tokens'), size('vocabulary'), size('width')];

export const embeddingForward = kernel('an_embedding_forward', ofTable, [
  out('y', 'y', needed),
  into('ids', 'ids', needed),
  into('table', 'table', needed),
  into('positions', 'positions'),
  ...tableSizes,
]);

export const embeddingBackward = kernel('an_embedding_backward', ofTable, [
  out('dtable', 'table', { ...needed, ...accumulates }),
  out('dpositions', 'positions', accumulates),
  into('dy', 'y', needed),
  into('ids', 'ids', needed),
  ...tableSizes,
  flags(ACCUMULATE),
]);

export const crossEntropy = kernel(
  'an_cross_entropy',
  ({ rows, classes }) => ({ result: 4, logits: rows * classes, targets: rows }),
  [
    out('result', 'result', { ...needed, align: 8 }),
    out('dlogits', 'logits'),
    into('logits', 'logits', needed),
    into('targets', 'targets', needed),
    size('rows', mayBeZero),
    size('classes'),
  ],
  [['dlogits', 'logits']],
);

const positiveOnly = (name) => number(name, [-1e-9, -Infinity, Infinity, 1e39, NaN], ERR_VALUE);
const fraction = (name) => number(name, [-1e-9, 1.0000001, Infinity, NaN], ERR_VALUE);
const correction = (name) => number(name, [0, -0.1, 1.0000001, Infinity, NaN], ERR_VALUE);

export const sgdStep = kernel('an_sgd_step', ofN, [
  both('values', 'n', needed),
  both('velocity', 'n'),
  into('gradient', 'n', needed),
  n,
  positiveOnly('rate'),
  fraction('momentum'),
]);

export const adamStep = kernel('an_adam_step', ofN, [
  both('values', 'n', needed),
  both('m', 'n', needed),
  both('v', 'n', needed),
  into('gradient', 'n', needed),
  n,
  positiveOnly('rate'),
  fraction('beta1'),
  fraction('beta2'),
  correction('c1'),
  correction('c2'),
  positiveOnly('eps'),
  positiveOnly('decay'),
]);

export const norm = kernel('an_norm', ofN, [
  out('norm', 'norm', { ...needed, align: 8 }),
  into('x', 'n', needed),
  n,
]);

export const scale = kernel(
  'an_scale',
  ofN,
  [out('y', 'n', needed), into('x', 'n', needed), n, number('factor', [], OK)],
  [['y', 'x']],
);

const ofImages = ({ batch, height, width, channels }) => ({
  image: batch * height * width * channels,
  windows: 9 * batch * height * width * channels,
  pooled: (batch * height * width * channels) / 4,
});
const imageSizes = [size('batch', mayBeZero), size('height'), size('width'), size('channels')];

const images = (symbol, to, toExtent, from, fromExtent) =>
  kernel(symbol, ofImages, [
    out(to, toExtent, needed),
    into(from, fromExtent, needed),
    ...imageSizes,
  ]);

export const unfoldForward = images('an_unfold_forward', 'y', 'windows', 'x', 'image');
export const unfoldBackward = images('an_unfold_backward', 'dx', 'image', 'dy', 'windows');
export const poolForward = images('an_pool_forward', 'y', 'pooled', 'x', 'image');
export const poolBackward = images('an_pool_backward', 'dx', 'image', 'dy', 'pooled');
