// npm run docs: writes docs/api from the comments of js/. TypeScript 7 has no API to read them with
// yet, so that an earlier one is installed in tools/docs, at the version of its lockfile.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, node, root, run, say } from './lib.mjs';

const cwd = join(root, 'tools/docs');
const json = (path) => JSON.parse(readFileSync(join(cwd, path), 'utf8'));

const installed = 'node_modules/typescript/package.json';
const { version } = json('package-lock.json').packages['node_modules/typescript'];
if (!existsSync(join(cwd, installed)) || json(installed).version !== version) {
  say(`installing typescript ${version} (npm ci in ${cwd})`);
  const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, ...ci]] : ['npm', ci];
  if (!run(command, args, { cwd })) fail('npm ci failed');
}
if (!node('tools/docs/generate.mjs')) fail('docs/api was not written');
