/** Everyone who takes part in the cases. */
import { load } from '../../../js/index.js';
import { axisnormArrays } from './axisnorm-arrays.js';
import { axisnormTensors } from './axisnorm-tensors.js';
import { memoryCopy } from './memory-copy.js';
import { onnxruntime } from './onnxruntime.js';
import { plainC } from './plain-c.js';
import { plainLoop } from './plain-loop.js';
import { tensorflow } from './tensorflow.js';

/** The other libraries, which are installed when they are asked for. */
const peers = async (environment) => [
  ...onnxruntime(await environment.onnxruntime()),
  ...(await tensorflow(await environment.tensorflow())),
];

/**
 * @param {import('../measure.js').Environment} environment
 * @param {boolean} withPeers
 * @returns {Promise<import('../suite.js').Contestant[]>}
 */
export async function contestants(environment, withPeers) {
  const simd128 = await load({ build: 'simd128' });
  const scalar = await load({ build: 'scalar' });
  return [
    axisnormTensors(simd128, 'tensors'),
    axisnormArrays(simd128, 'arrays'),
    axisnormTensors(scalar, 'scalar'),
    await memoryCopy(),
    plainLoop(),
    await plainC(environment),
    ...(withPeers ? await peers(environment) : []),
  ];
}
