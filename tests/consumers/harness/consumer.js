/** A project that uses the package: a folder outside of the repository with what npm installs. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { packed } from './pack.js';
import { run, startServer } from './run.js';

const sources = new URL('../', import.meta.url);
const TRIES = 4;

/**
 * Makes the project of a folder of tests/consumers: its files and those of tests/consumers/sources,
 * with the packages that its package.json names and with axisnorm. It goes when the tests of a file
 * end.
 *
 * @param {string} name  of the folder
 * @param {string} [prefix]  of the folder's path
 */
export async function consumer(name, prefix = `axisnorm-${name}-`) {
  const stops = [];
  const folders = [];
  const emptyFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    folders.push(folder);
    return folder;
  };
  after(async () => {
    for (const stop of stops) await stop();
    for (const one of folders) rmSync(one, { recursive: true, force: true, maxRetries: 3 });
  });
  const folder = emptyFolder();
  for (const from of ['sources', name]) {
    cpSync(new URL(from, sources), folder, { recursive: true });
  }
  asCommonJs(folder, 'check');
  await install(folder);
  return {
    folder,
    /** What a command prints. */
    run: (command, ...args) => run(folder, command, ...args),
    /** Starts a server that ends with the tests of the file. */
    async serve(url, command, ...args) {
      stops.push(await startServer(folder, url, command, ...args));
      return url;
    },
    /** The path of a command of an installed package. */
    bin: (command) => join(folder, 'node_modules/.bin', command),
    /** Another folder, which has no node_modules anywhere above it. */
    emptyFolder,
    write: (path, text) => writeFileSync(join(folder, path), text),
  };
}

/** Writes an ES module that imports nothing as CommonJS. */
function asCommonJs(folder, name) {
  const text = readFileSync(join(folder, `${name}.js`), 'utf8');
  const names = [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, one]) => one);
  const body = text.replace(/^export /gm, '');
  writeFileSync(join(folder, `${name}.cjs`), `${body}\nmodule.exports = { ${names} };\n`);
}

/** npm install, several times where a download fails; from npm's cache where that has it. */
async function install(folder) {
  const path = join(folder, 'package.json');
  const json = JSON.parse(readFileSync(path, 'utf8'));
  json.dependencies = { ...json.dependencies, axisnorm: `file:${await packed()}` };
  writeFileSync(path, JSON.stringify(json));
  const options = ['--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund'];
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await run(folder, 'npm', 'install', '--ignore-scripts', ...options);
    } catch (error) {
      if (left === 0) throw error;
      await pause(3000);
    }
  }
}
