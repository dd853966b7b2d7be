import { readFile } from 'node:fs/promises'; // a page: new Uint8Array(await response.arrayBuffer())
import { load } from 'axisnorm';
import { BatchNorm, LayerNorm } from 'axisnorm/layers';
import { readSafetensors } from './safetensors.js';

const an = await load();

/** Of a PyTorch model with self.norm = LayerNorm(4) and self.bn = BatchNorm2d(3). */
export async function loadModel(file) {
  const weights = readSafetensors(await readFile(file));
  const norm = new LayerNorm(an, 4);
  const bn = new BatchNorm(an, 3);
  norm.loadStateDict(weights, 'norm.');
  bn.loadStateDict(weights, 'bn.');
  bn.eval();
  return { norm, bn };
}
