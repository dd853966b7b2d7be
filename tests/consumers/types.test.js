// What the package's types and its package.json say, to TypeScript and to those who check packages.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { packed } from './harness/pack.js';

const project = await consumer('types');
const path = (name) => join(project.folder, name);
copyFileSync(path('program.ts'), path('program.cts')); // the same program as CommonJS

const VERSIONS = { 5.4: [], 5.9: ['generic.ts'], '7.0': ['generic.ts'] };
const SETTINGS = {
  bundler: ['program.ts', { module: 'esnext', moduleResolution: 'bundler' }],
  'node16, ES module': ['program.ts', { module: 'node16', moduleResolution: 'node16' }],
  'node16, CommonJS': ['program.cts', { module: 'node16', moduleResolution: 'node16' }],
};

for (const [version, more] of Object.entries(VERSIONS)) {
  describe(`TypeScript ${version}`, () => {
    for (const [name, [file, settings]] of Object.entries(SETTINGS)) {
      test(name, async () => {
        const compilerOptions = {
          ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], ...settings },
          ...{ strict: true, skipLibCheck: false, noEmit: true },
        };
        project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file, ...more] }));
        const tsc = path(`node_modules/typescript-${version}/bin/tsc`);
        await project.run(process.execPath, tsc);
      });
    }
  });
}

test('publint, strictly', async () => {
  await project.run(project.bin('publint'), 'run', '--strict', await packed());
});

test('attw: node16 and bundlers', async () => {
  // TypeScript knows nothing of the wasm files.
  const options = ['--profile', 'node16', '--exclude-entrypoints', './wasm/*.wasm'];
  await project.run(project.bin('attw'), await packed(), ...options, '--no-emoji');
});
