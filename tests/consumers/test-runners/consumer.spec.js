import { load } from 'axisnorm';
import * as layers from 'axisnorm/layers';
import * as slim from 'axisnorm/slim';
import { load as loadTraining } from 'axisnorm/train';
import { expect, test } from 'vitest';
import { checkLayers, checkNorms, checkTraining } from './check.js';

const right = (what) => `${what} right, simd128`;

test('norms', async () => expect(checkNorms(await load())).toBe(right('norms')));
test('layers', async () => expect(checkLayers(await load(), layers)).toBe(right('layers')));
test('training', async () => expect(checkTraining(await loadTraining())).toBe(right('training')));
test('slim, from a file', async () => {
  const source = import.meta.resolve('axisnorm/wasm/simd128.wasm');
  const { layerNorm } = slim;
  const an = await slim.load({ source, norms: { layerNorm } });
  expect(checkNorms(an)).toBe(right('norms'));
});
