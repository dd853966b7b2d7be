/*
 * Packages that one folder of tests needs and the project does not: a package.json of the folder's
 * own names them, and they are installed when that folder runs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run, say } from '../../tools/lib.mjs';

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
  if (Object.entries(packagesOf(folder)).every(isThere)) return true;
  const cwd = fileURLToPath(folder);
  say(`installing ${what} (npm install in ${cwd})`);
  const install = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, ...install]] : ['npm', install];
  return run(command, args, { cwd });
}
