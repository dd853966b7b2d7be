import { load } from 'axisnorm';
import * as layers from 'axisnorm/layers';
import { load as loadTraining } from 'axisnorm/train';
import { checkLayers, checkNorms, checkTraining } from '../check.js';

// Computed for each visit, by the server that was built.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const an = await load();
  const lines = [checkNorms(an), checkLayers(an, layers), checkTraining(await loadTraining())];
  return <p>{lines.join('; ')}</p>;
}
