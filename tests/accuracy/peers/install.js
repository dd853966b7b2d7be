/* The peers are no dependency of the project: they are installed here when the table is made. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fail, run, say } from '../../../tools/lib.mjs';

const folder = new URL('../', import.meta.url);

const json = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

const { dependencies } = json('package.json');

function isInstalled([name, version]) {
  const path = `node_modules/${name}/package.json`;
  return existsSync(new URL(path, folder)) && json(path).version === version;
}

/** Gets what is missing, without a lockfile and without running the packages' scripts. */
export function installPeers() {
  if (Object.entries(dependencies).every(isInstalled)) return;
  say('installing the libraries to compare with (npm install in tests/accuracy)');
  const install = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, ...install]] : ['npm', install];
  if (!run(command, args, { cwd: fileURLToPath(folder) })) fail('npm install failed');
}

/** `onnxruntime-web 1.30.0, …` of the libraries, without what only builds their models. */
export const versions = Object.entries(dependencies)
  .filter(([name]) => name !== 'onnx-proto')
  .map(([name, version]) => `${name} ${version}`)
  .join(', ');
