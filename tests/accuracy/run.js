/*
 * npm run accuracy: measures axisnorm and its peers on every input, writes docs/accuracy.md, and
 * fails where axisnorm is less exact than its limits or than a peer.
 *
 *   npm run accuracy -- layerNorm rmsNorm    only these norms, and nothing is written
 */
import { writeFileSync } from 'node:fs';
import { axisnorm } from './axisnorm.js';
import { casesOf } from './cases.js';
import { measure } from './measure.js';
import { beatenByDoubles, misses } from './misses.js';
import { NORMS } from './norms.js';
import { page, summary } from './page.js';
import { installPeers, versions } from './peers/install.js';

installPeers();

/** Imported only now that they are there. */
const { loop } = await import('./peers/loop.js');
const { onnxruntime } = await import('./peers/onnxruntime.js');
const { tfjs } = await import('./peers/tfjs.js');
const { jax } = await import('./peers/jax.js');
const libraries = [...(await axisnorm()), ...onnxruntime(), ...tfjs(), ...(await jax()), ...loop()];

const wanted = process.argv.slice(2);
const norms = NORMS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

const rows = [];
for (const norm of norms) {
  const start = performance.now();
  for (const one of casesOf(norm)) {
    const { name, hostile } = one;
    rows.push({ norm, name, hostile, cells: await measure(libraries, one) });
  }
  console.log(`${norm.title}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

if (wanted.length === 0) {
  const path = new URL('../../docs/accuracy.md', import.meta.url);
  writeFileSync(path, page(rows, libraries, versions));
  console.log('docs/accuracy.md is written');
}

const print = (title, lines) => console.log(`\n${[title, ...lines].join('\n  ')}`);
console.log(`\nWorst realistic / worst hostile input:\n\n${summary(rows, libraries)}`);
print('TensorFlow.js cpu, which adds in doubles, is more exact here (no miss):', [
  ...beatenByDoubles(rows, libraries),
]);
const missed = misses(rows, libraries);
print(`Misses: ${missed.length}`, missed);
process.exit(missed.length > 0 ? 1 : 0);
