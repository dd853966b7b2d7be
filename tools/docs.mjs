// npm run docs: writes docs/api from the comments of js/ with TypeDoc. It needs the API that
// TypeScript 7 does not have yet, so that both are installed in tools/docs, as its lockfile says.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfComments, INDEX } from './docs/hash.mjs';
import { fail, node, root, run, say } from './lib.mjs';

const cwd = join(root, 'tools/docs');
const changed = (path) => statSync(join(cwd, path)).mtimeMs;

const installed = 'node_modules/.package-lock.json';
if (!existsSync(join(cwd, installed)) || changed(installed) < changed('package-lock.json')) {
  say(`installing TypeDoc (npm ci in ${cwd})`);
  const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, ...ci]] : ['npm', ci];
  if (!run(command, args, { cwd })) fail('npm ci failed');
}
if (!node('tools/docs/node_modules/typedoc/bin/typedoc', '--options', 'tools/docs/typedoc.json')) {
  fail('docs/api was not written');
}
const index = readFileSync(join(cwd, 'index.md'), 'utf8');
writeFileSync(join(root, INDEX), `${index}\n<!-- comments ${hashOfComments()} -->\n`);
