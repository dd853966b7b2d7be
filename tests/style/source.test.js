// Rules about the source that no compiler or linter checks.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder, ending) =>
  readdirSync(new URL(folder, root), { recursive: true })
    .filter((path) => ending.test(path))
    .map((path) => `${folder}/${path}`);

/** Lines of the files that match, as `path:line: text`. */
const linesWith = (files, pattern) =>
  files.flatMap((path) =>
    read(path)
      .split('\n')
      .map((line, i) => `${path}:${i + 1}: ${line.trim()}`)
      .filter((line) => pattern.test(line)),
  );

const STEMS = ['layer_norm', 'rms_norm', 'batch_norm', 'group_norm', 'weight_standardize'];
for (const stem of STEMS) {
  test(`${stem} has its kernel, its JavaScript and its tests`, () => {
    assert.ok(existsSync(new URL(`src/${stem}.c`, root)), `src/${stem}.c`);
    assert.ok(existsSync(new URL(`js/ops/${stem}.js`, root)), `js/ops/${stem}.js`);
    assert.ok(
      existsSync(new URL(`tests/kernels/${stem}.test.js`, root)),
      `tests/kernels/${stem}.test.js`,
    );
  });
}

test('only src/simd.h knows the instruction set', () => {
  const files = filesIn('src', /\.[ch]$/).filter((path) => path !== 'src/simd.h');
  const intrinsic = /\bwasm_[a-z]|__wasm_|\bv128_t\b|\b_mm\d*_|__m128|__SSE|__AVX|__ARM|intrin\.h/;
  assert.deepEqual(linesWith(files, intrinsic), []);
});

test('the kernels allocate nothing', () => {
  const files = filesIn('src', /\.[ch]$/);
  assert.deepEqual(linesWith(files, /\b(malloc|calloc|realloc|free|alloca)\s*\(/), []);
});

test('the library imports only its own files and node: modules', () => {
  const files = filesIn('js', /\.js$/).filter((path) => !path.startsWith('js/wasm/'));
  const specifier = /\b(?:from|import)\s*\(?\s*(['"])([^'"]+)\1/g;
  const foreign = files.flatMap((path) =>
    [...read(path).matchAll(specifier)]
      .map(([, , name]) => name)
      .filter((name) => {
        if (!name.startsWith('.')) return !name.startsWith('node:');
        return !new URL(name, new URL(path, root)).href.startsWith(new URL('js/', root).href);
      })
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(foreign, []);
});

test('nothing is a dependency of the package, and the lockfile names no host', () => {
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  assert.deepEqual({ ...dependencies, ...peerDependencies, ...optionalDependencies }, {});
  assert.doesNotMatch(read('package-lock.json'), /"resolved"/);
});
