// What the scripts of this folder share.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const say = (text) => console.log(`axisnorm: ${text}`);

/** Says why and ends the process. */
export function fail(text) {
  console.error(`axisnorm: ${text}`);
  process.exit(1);
}

/** Runs a command in the project's folder with its output on the terminal; true when it succeeds. */
export function run(command, args, options = {}) {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`axisnorm: ${command}: ${error.code}; is it missing? npm run setup`);
  return status === 0;
}

/** What a command prints, or null when it fails. */
export function outputOf(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

export const node = (...args) => run(process.execPath, args);

/** A command of an npm package, such as `biome`. */
export const bin = (name, ...args) => run(join(root, 'node_modules/.bin', name), args);

export const isInstalled = (command) =>
  process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, command)));

/** Files below a folder whose path ends as given, sorted; none where the folder is missing. */
export function filesIn(folder, ending) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((path) => ending.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

/** Runs `npm ci` when node_modules is missing or older than the lockfile; true when all is there. */
export function installPackages() {
  const installed = join(root, 'node_modules/.package-lock.json');
  const locked = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return true;
  say('installing the npm packages that package-lock.json names (npm ci)');
  // npm's own path is known under `npm run`, which spares Windows the search for npm.cmd.
  const npm = process.env.npm_execpath;
  const ci = ['ci', '--include=dev'];
  return npm ? node(npm, ...ci) : run('npm', ci);
}
