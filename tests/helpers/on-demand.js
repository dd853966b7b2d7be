/*
 * Packages that one folder of tests needs and the project does not: a package.json of the folder's
 * own names them, and they are installed when that folder runs.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, say } from '../../tools/lib.mjs';

/** No installation takes longer. */
const STALE_MS = 10 * 60_000;

const json = (url) => JSON.parse(readFileSync(url, 'utf8'));

/**
 * @param {URL} folder  ends with a slash
 * @returns {Record<string, string>} exact versions by name
 */
export const packagesOf = (folder) => json(new URL('package.json', folder)).dependencies;

/**
 * Gets what is missing, without a lockfile and without running the packages' scripts.
 *
 * @param {URL} folder  ends with a slash
 * @param {string} what  the packages are, for the message
 * @returns {boolean} whether all are there
 */
export function installPackagesOf(folder, what) {
  const isThere = ([name, version]) => {
    const path = new URL(`node_modules/${name}/package.json`, folder);
    return existsSync(path) && json(path).version === version;
  };
  const areThere = () => Object.entries(packagesOf(folder)).every(isThere);
  return areThere() || alone(folder, () => areThere() || install(folder, what));
}

/**
 * Runs fn while no other process runs one for the same folder: test files start together.
 *
 * @param {URL} folder
 * @param {() => boolean} fn
 */
function alone(folder, fn) {
  const name = createHash('sha256').update(folder.href).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `axisnorm-install-${name}`);
  while (!isTaken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  try {
    return fn();
  } finally {
    rmdirSync(lock);
  }
}

/**
 * Whether the lock is now ours. One that a killed process has left is taken over.
 *
 * @param {string} lock
 */
function isTaken(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true });
  return false;
}

/**
 * @param {URL} folder
 * @param {string} what
 */
function install(folder, what) {
  const cwd = fileURLToPath(folder);
  say(`installing ${what} (npm install in ${cwd})`);
  const words = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, ...words]] : ['npm', words];
  return run(command, args, { cwd });
}
