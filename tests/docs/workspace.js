import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackagesOf } from '../helpers/on-demand.js';

const here = new URL('./', import.meta.url);
const path = (address) => fileURLToPath(new URL(address, here));

/** What a program imports -> where it is. Tensor of onnxruntime-web is that of onnxruntime-common. */
const LINKS = {
  axisnorm: '../..',
  ndarray: 'node_modules/ndarray',
  'ndarray-ops': 'node_modules/ndarray-ops',
  'onnxruntime-web': 'node_modules/onnxruntime-common',
  react: 'node_modules/react',
  'react-dom': 'node_modules/react-dom',
};

/** A project of a reader's, in a folder of its own, with all that the programs import. */
export class Workspace {
  folder = mkdtempSync(join(tmpdir(), 'axisnorm-docs-'));

  constructor() {
    if (!installPackagesOf(here, 'what the documentation speaks of')) {
      throw new Error('npm install failed in tests/docs');
    }
    writeFileSync(this.path('package.json'), '{ "type": "module" }');
    mkdirSync(this.path('node_modules'));
    for (const [name, target] of Object.entries(LINKS)) {
      symlinkSync(path(target), this.path(`node_modules/${name}`), 'junction');
    }
  }

  path(name) {
    return join(this.folder, name);
  }

  /** What a file exports, or a package, `react` for instance. */
  async import(name) {
    if (name.endsWith('.js')) return import(pathToFileURL(this.path(name)).href);
    const file = this.path(`import-${name.replaceAll('/', '-')}.js`);
    writeFileSync(file, `export * as all from '${name}';\n`);
    const { all } = await import(pathToFileURL(file).href);
    return all.default ?? all;
  }

  /** A new file with this text, imported. */
  run(name, text) {
    writeFileSync(this.path(name), text);
    return this.import(name);
  }

  dispose() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
