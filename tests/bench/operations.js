/**
 * What is measured: every norm, forward and backward, as its C function has it. Results, inputs and
 * sizes keep that order, in which the plain C and the plain loops take them as well.
 */
import * as norms from '../helpers/norms.js';

/**
 * @typedef {{ name: string, extent: 'x' | 'set' | 'channel' }} ArrayOf
 *
 * @typedef {object} Operation
 * @property {string} id  also the name of its plain loop
 * @property {string} title
 * @property {import('../helpers/norms.js').Norm} norm
 * @property {'forward' | 'backward'} direction
 * @property {string[]} api  where the library has it: ['layerNorm', 'backward']
 * @property {boolean} isInference  it has y as its only result
 * @property {import('../helpers/signatures.js').Signature} signature
 * @property {ArrayOf[]} outputs
 * @property {ArrayOf[]} inputs
 * @property {string[]} sizes  names
 * @property {boolean} hasEps  whether the result depends on eps
 */

const ONLY_Y = ['y'];
const WITH_STATISTICS = ['y', 'mean', 'rstd'];
const GRADIENTS = ['dx', 'dgamma', 'dbeta'];

/** @returns {Operation} */
function operation(id, title, norm, outputs, api) {
  const direction = outputs === GRADIENTS ? 'backward' : 'forward';
  const { args } = norm[direction];
  const named = ({ name, extent }) => ({ name, extent });
  return {
    id,
    title,
    norm,
    direction,
    api,
    isInference: outputs === ONLY_Y,
    signature: norm[direction],
    outputs: args.filter(({ name }) => outputs.includes(name)).map(named),
    inputs: args.filter(({ role, array }) => array && role === 'in').map(named),
    sizes: args
      .filter(({ role, name }) => role === 'size' && name !== 'statCols')
      .map(({ name }) => name),
    hasEps: direction === 'forward' || norm.frozen === true,
  };
}

/** The three of a norm whose statistics are always those of x. */
const family = (id, title, norm) => [
  operation(id, `${title} forward`, norm, ONLY_Y, [id]),
  operation(`${id}Forward`, `${title} forward, training`, norm, WITH_STATISTICS, [id, 'forward']),
  operation(`${id}Backward`, `${title} backward`, norm, GRADIENTS, [id, 'backward']),
];

const batchNorm = [
  operation('batchNorm', 'BatchNorm inference', norms.batchNormInference, ONLY_Y, ['batchNorm']),
  operation(
    'batchNormFrozenBackward',
    'BatchNorm inference, backward',
    norms.batchNormInference,
    GRADIENTS,
    ['batchNorm', 'backward'],
  ),
  operation(
    'batchNormForward',
    'BatchNorm training, forward',
    norms.batchNormTraining,
    WITH_STATISTICS,
    ['batchNorm', 'forward'],
  ),
  operation(
    'batchNormBackward',
    'BatchNorm training, backward',
    norms.batchNormTraining,
    GRADIENTS,
    ['batchNorm', 'backward'],
  ),
];

/** @type {Record<string, Operation>} */
export const OPERATIONS = Object.fromEntries(
  [
    ...family('layerNorm', 'LayerNorm', norms.layerNorm),
    ...family('rmsNorm', 'RMSNorm', norms.rmsNorm),
    ...family('groupNorm', 'GroupNorm', norms.groupNorm),
    ...batchNorm,
  ].map((one) => [one.id, one]),
);
