/** The layers, each beside the function that it stands for. */
import { load } from '../../js/index.js';
import { BatchNorm, GroupNorm, InstanceNorm, LayerNorm, RMSNorm } from '../../js/layers/index.js';
import { sizeOf } from '../../js/shape.js';
import { randomArray } from '../helpers/random.js';

/** What load() gives, for both builds. */
export const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

/** Shapes of rows of 6 values. */
const ROWS = [
  [5, 6],
  [2, 5, 6],
  [1, 2, 3, 6],
];
/** Shapes of 4 channels, by layout. */
const FIRST = { NC: [5, 4], NCL: [3, 4, 5], NCHW: [2, 4, 3, 2], NCDHW: [2, 4, 2, 1, 3] };
const LAST = { NLC: [3, 5, 4], NHWC: [2, 3, 2, 4], NDHWC: [2, 2, 1, 3, 4] };

/** Each class: its arguments, the function, and what the arguments are called there. */
const KINDS = {
  LayerNorm: {
    Class: LayerNorm,
    args: [6],
    ...{ operation: 'layerNorm', settings: { normalizedShape: 6 }, shapes: ROWS },
  },
  RMSNorm: {
    Class: RMSNorm,
    args: [[6]],
    ...{ operation: 'rmsNorm', settings: { normalizedShape: 6 }, shapes: ROWS },
  },
  BatchNorm: { Class: BatchNorm, args: [4], operation: 'batchNorm', settings: {} },
  GroupNorm: { Class: GroupNorm, args: [2, 4], operation: 'groupNorm', settings: { groups: 2 } },
  InstanceNorm: { Class: InstanceNorm, args: [4], operation: 'instanceNorm', settings: {} },
};

export const CLASSES = Object.keys(KINDS);
const WITH_CHANNELS = CLASSES.filter((name) => KINDS[name].shapes === undefined);

/** Options of the layer that are none of the function. */
const OF_LAYER = ['affine', 'elementwiseAffine', 'bias', 'trackRunningStats', 'runningVar'];

/**
 * @typedef {object} Variant
 * @property {(an: any) => any} make  the layer
 * @property {string} operation
 * @property {Record<string, unknown>} settings  of the function
 * @property {number[][]} shapes  of x
 */

/**
 * @param {string} name
 * @param {Record<string, unknown>} [options]
 * @param {number[][]} [shapes]
 * @returns {Variant}
 */
export function variant(name, options = {}, shapes = Object.values(FIRST)) {
  const kind = KINDS[name];
  const own = Object.entries(options).filter(([option]) => !OF_LAYER.includes(option));
  return {
    make: (an) => new kind.Class(an, ...kind.args, options),
    operation: kind.operation,
    settings: { ...kind.settings, ...Object.fromEntries(own) },
    shapes: kind.shapes ?? shapes,
  };
}

/** @type {[string, Record<string, unknown>][]} */
const OPTIONS = [
  ['LayerNorm', { eps: 0.5 }],
  ['LayerNorm', { bias: false }],
  ['LayerNorm', { elementwiseAffine: false }],
  ['RMSNorm', { gammaOffset: 1, eps: 0.5 }],
  ['RMSNorm', { elementwiseAffine: false }],
  ['BatchNorm', { eps: 0.5, momentum: 0.3 }],
  ['BatchNorm', { affine: false }],
  ['BatchNorm', { trackRunningStats: false }],
  ['GroupNorm', { eps: 0.5 }],
  ['GroupNorm', { affine: false }],
  ['InstanceNorm', { affine: true, eps: 0.5 }],
];

const named = (name, options, shapes) => [
  `${name} ${JSON.stringify(options)}`,
  variant(name, options, shapes),
];
const affine = (name) => (name === 'InstanceNorm' ? { affine: true } : {});

/** Every class by default, with its options, and in every layout. */
export const VARIANTS = Object.fromEntries([
  ...CLASSES.map((name) => [name, variant(name)]),
  ...OPTIONS.map(([name, options]) => named(name, options)),
  ...WITH_CHANNELS.flatMap((name) => [
    named(name, { ...affine(name), channelAxis: -1 }, Object.values(LAST)),
    ...Object.entries({ ...FIRST, ...LAST }).map(([layout, shape]) =>
      named(name, { ...affine(name), layout }, [shape]),
    ),
  ]),
]);

/** Values of x and of dy. */
export const inputs = (label, shape) => ({
  x: randomArray(`${label} x`, sizeOf(shape), (u) => 3 * u + 0.5),
  dy: randomArray(`${label} dy`, sizeOf(shape), (u) => u + 0.1),
});

/** Gives parameters and running statistics values of their own, as training would. */
export function fill(layer, label) {
  for (const { name, value } of layer.parameters()) {
    value.set(randomArray(`${label} ${name}`, value.length, (u) => 1.5 * u));
  }
  layer.runningMean?.set(randomArray(`${label} mean`, layer.runningMean.length));
  layer.runningVar?.set(randomArray(`${label} var`, layer.runningVar.length, (u) => u + 1.5));
  return layer;
}

/** The tensors of a layer by what the functions call them. */
export const tensorsOf = (layer) =>
  Object.fromEntries(
    [
      ['gamma', layer.weight?.value],
      ['beta', layer.bias?.value],
      ['dgamma', layer.weight?.gradient],
      ['dbeta', layer.bias?.gradient],
      ['runningMean', layer.runningMean],
      ['runningVar', layer.runningVar],
    ].filter(([, tensor]) => tensor),
  );

/** Copies of their values. */
export const valuesOf = (layer) =>
  Object.fromEntries(Object.entries(tensorsOf(layer)).map(([name, t]) => [name, t.slice()]));
