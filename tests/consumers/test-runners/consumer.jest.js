const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const axisnorm = require('axisnorm');
const layers = require('axisnorm/layers');
const training = require('axisnorm/train');
const { checkLayers, checkNorms, checkTraining } = require('./check.cjs');

const right = (what) => `${what} right, simd128`;

test('norms', async () => expect(checkNorms(await axisnorm.load())).toBe(right('norms')));
test('layers', async () =>
  expect(checkLayers(await axisnorm.load(), layers)).toBe(right('layers')));
test('training', async () => expect(checkTraining(await training.load())).toBe(right('training')));

const wasm = require.resolve('axisnorm/wasm/simd128.wasm');
for (const [name, source] of [
  ['bytes', () => readFileSync(wasm)],
  ['a file', () => pathToFileURL(wasm)],
]) {
  test(`slim, from ${name}`, async () => {
    jest.resetModules();
    const fresh = require('axisnorm/slim');
    const an = await fresh.load({ source: source(), norms: { layerNorm: fresh.layerNorm } });
    expect(checkNorms(an)).toBe(right('norms'));
  });
}
