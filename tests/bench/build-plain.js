/** Compiles plain.c, where it is newer than what was built of it. */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from '../../tools/lib.mjs';

const SOURCE = 'tests/bench/plain.c';
const MODULE = 'build/bench/plain.wasm';

/** As one would build it for speed; docs/performance.md quotes them. */
const FLAGS = ['-O3', '-msimd128', '-ffast-math'];

/** A module without imports, with memory that grows. */
const LINKING = [
  ...['--no-entry', '-sSTANDALONE_WASM=1', '-sALLOW_MEMORY_GROWTH=1', '-sINITIAL_MEMORY=131072'],
  ...['-sTOTAL_STACK=65536', '-Wl,--export=__heap_base'],
];

const changed = (path) => statSync(join(root, path)).mtimeMs;

export function buildPlain() {
  if (existsSync(join(root, MODULE)) && changed(MODULE) > changed(SOURCE)) return;
  say(`compiling ${SOURCE} with emcc ${FLAGS.join(' ')}`);
  mkdirSync(join(root, 'build/bench'), { recursive: true });
  // Test files run at the same time; none may see the module of another half written.
  const own = MODULE.replace('plain', `plain-${process.pid}`);
  if (!run('emcc', [...FLAGS, ...LINKING, SOURCE, '-o', own])) {
    throw new Error(`${SOURCE} does not compile`);
  }
  renameSync(join(root, own), join(root, MODULE));
}
