// The package as a user gets it: packed, installed into a folder of its own, imported from there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** What can be imported, and the wasm modules. */
const ENTRIES = ['index', 'layers/index', 'slim', 'train/index'];
const MODULES = ['scalar', 'simd128', 'train/scalar', 'train/simd128'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'axisnorm-package-'));
const consumer = join(folder, 'consumer');
const packed = join(consumer, 'node_modules/axisnorm');

// Settings of the npm that runs these tests must not reach the one that the consumer runs.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_TEST)/i.test(name)),
);
const run = (cwd, command, ...args) => {
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  }
};
const tool = (path) => join(root, 'node_modules', path);
const write = (name, value) => writeFileSync(join(consumer, name), JSON.stringify(value));

before(() => {
  run(root, 'npm', 'pack', '--silent', '--pack-destination', folder);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  cpSync(new URL('consumer', import.meta.url), consumer, { recursive: true });
  write('package.json', { name: 'consumer', private: true, type: 'module' });
  run(consumer, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join('..', tarball));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds the library, its types and its papers, and nothing else', () => {
  const files = readdirSync(packed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(packed.length + 1));
  const expected = [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    ...ENTRIES.flatMap((name) => [`js/${name}.js`, `cjs/${name}.js`]),
    ...ENTRIES.flatMap((name) => [`types/${name}.d.ts`, `cjs/types/${name}.d.ts`]),
    ...MODULES.flatMap((name) => [`js/wasm/${name}.js`, `js/wasm/${name}.wasm`]),
    'cjs/package.json',
  ];
  for (const name of expected) assert.ok(files.includes(name), `${name} is missing`);
  const isLibrary = (name) =>
    /^((js|cjs)\/.*\.(js|wasm)|cjs\/types\/.*\.d\.ts|types\/.*\.d\.ts(\.map)?)$/.test(name);
  const strangers = files.filter((name) => !expected.includes(name) && !isLibrary(name));
  assert.deepEqual(strangers, []);
});

test('maps of types lead to sources that are there', () => {
  const maps = readdirSync(join(packed, 'types'), { recursive: true }).filter((name) =>
    name.endsWith('.map'),
  );
  assert.ok(maps.length > 50, `${maps.length}`);
  for (const name of maps) {
    const path = join(packed, 'types', name);
    const { sources } = JSON.parse(readFileSync(path, 'utf8'));
    for (const source of sources) assert.ok(existsSync(resolve(dirname(path), source)), source);
  }
});

test('installing it installs nothing else', () => {
  const names = readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(names, ['axisnorm']);
});

test('a Node program computes with it', () => {
  assert.match(run(consumer, process.execPath, 'index.js'), /^axisnorm works, simd128$/m);
});

test('a Node program trains with it', () => {
  assert.match(run(consumer, process.execPath, 'train.js'), /^axisnorm\/train works, simd128$/m);
});

test('a bundle of the program computes as well', () => {
  const bundle = `
    import { build } from ${JSON.stringify(tool('vite/dist/node/index.js'))};
    await build({ logLevel: 'error', ssr: { noExternal: true }, build: { ssr: 'index.js' } });`;
  run(consumer, process.execPath, '--input-type=module', '--eval', bundle);
  rmSync(join(folder, 'bundle'), { recursive: true, force: true });
  cpSync(join(consumer, 'dist'), join(folder, 'bundle'), { recursive: true });
  const [entry] = readdirSync(join(folder, 'bundle')).filter((name) => /^index\.m?js$/.test(name));
  writeFileSync(join(folder, 'bundle/package.json'), '{ "type": "module" }');
  assert.match(run(join(folder, 'bundle'), process.execPath, entry), /^axisnorm works/m);
});

const NORM = 'an_layer_norm_forward';
const PRODUCT = 'an_matmul_nn';

for (const [file, functions] of [
  ['scalar', [NORM]],
  ['simd128', [NORM]],
  ['train/scalar', [NORM, PRODUCT]],
  ['train/simd128', [NORM, PRODUCT]],
]) {
  test(`axisnorm/wasm/${file}.wasm is the module as a file`, () => {
    const where = `console.log(import.meta.resolve('axisnorm/wasm/${file}.wasm'))`;
    const url = run(consumer, process.execPath, '--input-type=module', '--eval', where).trim();
    const names = WebAssembly.Module.exports(
      new WebAssembly.Module(readFileSync(fileURLToPath(url))),
    ).map(({ name }) => name);
    assert.deepEqual(
      [NORM, PRODUCT].filter((name) => names.includes(name)),
      functions,
    );
  });
}

for (const [moduleResolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
]) {
  test(`a TypeScript program compiles, module resolution ${moduleResolution}`, () => {
    write('tsconfig.json', {
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        module,
        moduleResolution,
        strict: true,
        skipLibCheck: false,
        noEmit: true,
      },
      files: ['index.ts', 'train.ts'],
    });
    run(consumer, process.execPath, tool('typescript/bin/tsc'));
  });
}
