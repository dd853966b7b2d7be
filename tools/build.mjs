// npm run build: compiles src/ to WebAssembly and writes it to js/wasm, deflated and as base64.
// With --check: compiles from scratch and compares with what js/wasm inflates to instead.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, outputOf, root, run, say } from './lib.mjs';
import { withoutMemoryLimit } from './memory-limit.mjs';
import { compilerOf, holds, sourceOf } from './packaged.mjs';

/** What is built, where it goes, and how many bytes the simd128 build may have. */
const MODULES = [
  { module: 'axisnorm', to: 'js/wasm', limit: 62 * 1024 },
  { module: 'axisnorm-train', to: 'js/wasm/train', limit: 96 * 1024 },
];
const BUILDS = ['scalar', 'simd128'];

const check = process.argv.includes('--check');
const folder = join(root, 'build/wasm');
const compiler = outputOf('emcc', ['--version'])?.match(/\d+\.\d+\.\d+/)[0];
if (!compiler) fail('emcc does not run; npm run setup installs Emscripten');

function compile() {
  if (check) rmSync(folder, { recursive: true, force: true });
  say(`compiling src/ with emcc ${compiler} into build/wasm`);
  const configure = ['cmake', '-G', 'Ninja', '-S', '.', '-B', folder];
  // emcmake 3.1.6 would hand node an option that newer ones refuse.
  configure.push(`-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`);
  if (!run('emcmake', configure, { stdio: ['ignore', 'ignore', 'inherit'] })) {
    fail('cmake could not configure the build');
  }
  if (!run('ninja', ['-C', folder, '--quiet'])) fail('the kernels do not compile');
}

/** The module's bytes, after the checks that hold for every module. */
function readModule(module, build, limit) {
  const name = `${module}.${build}.wasm`;
  const bytes = withoutMemoryLimit(readFileSync(join(folder, name)));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  if (imports.length > 0) {
    fail(`${name} imports ${imports.map((i) => `${i.module}.${i.name}`).join(', ')}`);
  }
  if (build === 'simd128' && bytes.length > limit) {
    const complain = check ? fail : say;
    complain(`${name} has ${bytes.length} bytes, more than ${limit}`);
  }
  return bytes;
}

compile();
const stale = [];
for (const { module, to, limit } of MODULES) {
  for (const build of BUILDS) {
    const bytes = readModule(module, build, limit);
    const name = `${to}/${build}.js`;
    const path = join(root, name);
    const same = existsSync(path) && holds(readFileSync(path, 'utf8'), bytes, build);
    say(`${name}: ${bytes.length} bytes of WebAssembly${same ? ', unchanged' : ''}`);
    if (same) continue;
    stale.push(name);
    if (check) continue;
    mkdirSync(join(root, to), { recursive: true });
    writeFileSync(path, sourceOf(bytes, { build, compiler }));
  }
}
if (check && stale.length > 0) {
  const made = existsSync(join(root, stale[0]))
    ? compilerOf(readFileSync(join(root, stale[0]), 'utf8'))
    : null;
  const why = made && made !== compiler ? ` (made by emcc ${made}, this is ${compiler})` : '';
  fail(`${stale.join(' and ')} is not what src/ builds to${why}; run: npm run build`);
}
