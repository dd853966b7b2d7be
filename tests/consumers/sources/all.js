/** Every entry of the package in one program. */
import { load } from 'axisnorm';
import * as layers from 'axisnorm/layers';
import * as slim from 'axisnorm/slim';
import { load as loadTraining } from 'axisnorm/train';
import { checkLayers, checkNorms, checkTraining } from './check.js';

/**
 * @param {import('axisnorm/slim').SlimOptions<{}>['source']} source  where axisnorm/slim takes its
 *   module from
 */
export async function checkAll(source) {
  const an = await load();
  const { layerNorm } = slim;
  return [
    checkNorms(an),
    checkLayers(an, layers),
    checkTraining(await loadTraining()),
    `slim ${checkNorms(await slim.load({ source, norms: { layerNorm } }))}`,
  ].join('; ');
}
