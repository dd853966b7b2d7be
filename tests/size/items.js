/** What has a size, and how large it is. */
import { bytesOf } from '../../tools/packaged.mjs';
import { bundleText, gzipped } from './bundle.js';

/**
 * @typedef {object} Item
 * @property {string} id
 * @property {number} raw  bytes, of JavaScript minified
 * @property {number} gzip  bytes
 */

/** The norms of axisnorm/slim, and what the functions of their kernels begin with. */
export const NORMS = {
  layerNorm: 'an_layer_norm',
  rmsNorm: 'an_rms_norm',
  groupNorm: 'an_group_norm',
  instanceNorm: 'an_group_norm', // groups of one channel
  batchNorm: 'an_batch_norm',
  weightStandardize: 'an_weight_standardize',
};
const LAYERS = ['LayerNorm', 'BatchNorm'];
const MODULES = ['simd128', 'scalar', 'train/simd128', 'train/scalar'];

/** @param {string[]} norms */
export const slimWith = (...norms) =>
  bundleText(`export { load, ${norms.join(', ')} } from 'axisnorm/slim';`);

/** @param {string} name */
export const layer = (name) => bundleText(`export { ${name} } from 'axisnorm/layers';`);

const itemOf = (id, content) => ({
  id,
  raw: Buffer.byteLength(content),
  gzip: gzipped(content).length,
});

/** What several items take together. */
const together = (id, items) => ({
  id,
  raw: items.reduce((sum, { raw }) => sum + raw, 0),
  gzip: items.reduce((sum, { gzip }) => sum + gzip, 0),
});

/** Each file of an entry that has its modules inside, what one visit needs of them, and all. */
async function entryItems(name) {
  const files = await bundleText(`export * from '${name}';`);
  const [entry, ...chunks] = files.map((file, i) =>
    itemOf(i === 0 ? `${name}: JavaScript` : `${name}: ${file.name} chunk`, file.code),
  );
  chunks.sort((a, b) => (a.id < b.id ? 1 : -1)); // simd128, scalar, inflate
  const simd128 = chunks.find(({ id }) => id === `${name}: simd128 chunk`);
  const visit = together(`${name}: one visit`, [entry, simd128]);
  return [entry, ...chunks, visit, together(`${name}: all files`, [entry, ...chunks])];
}

/** A bundle that is one file. */
async function single(id, files) {
  const [entry, ...others] = await files;
  if (others.length > 0) throw new Error(`${id}: more than one file`);
  return itemOf(id, entry.code);
}

const slimItems = () =>
  Promise.all([
    ...Object.keys(NORMS).map((name) => single(`axisnorm/slim: ${name}`, slimWith(name))),
    single('axisnorm/slim: all norms', slimWith(...Object.keys(NORMS))),
  ]);

const layerItems = () =>
  Promise.all([
    ...LAYERS.map((name) => single(`axisnorm/layers: ${name}`, layer(name))),
    single('axisnorm/layers: all', bundleText(`export * from 'axisnorm/layers';`)),
  ]);

/** @param {string} name  as in axisnorm/wasm/<name>.wasm */
export const wasmOf = async (name) => bytesOf(await import(`../../js/wasm/${name}.js`));

const wasmItems = () =>
  Promise.all(
    MODULES.map(async (name) => itemOf(`axisnorm/wasm/${name}.wasm`, await wasmOf(name))),
  );

/** @returns {Promise<Item[]>} */
export async function measureSizes() {
  const groups = [
    entryItems('axisnorm'),
    slimItems(),
    layerItems(),
    entryItems('axisnorm/train'),
    wasmItems(),
  ];
  return (await Promise.all(groups)).flat();
}
