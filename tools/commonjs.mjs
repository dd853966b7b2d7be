// Before packing: writes the package a second time as CommonJS, into cjs/, for require() in Node
// before 22.12, and for Jest. One set of chunks, so that all entries share their classes.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { filesIn, root } from './lib.mjs';

const folder = join(root, 'cjs');
const entry = (name) => join(root, 'js', name);

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: entry('index.js'),
    slim: entry('slim.js'),
    'layers/index': entry('layers/index.js'),
    'train/index': entry('train/index.js'),
  },
  external: /^node:/,
});
await bundle.write({ dir: folder, format: 'cjs', chunkFileNames: 'chunks/[name].js' });
await bundle.close();
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
// Without maps, whose paths are those of types/.
for (const file of filesIn('types', /\.d\.ts$/)) {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\/# sourceMappingURL=.*\n?$/, '');
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
