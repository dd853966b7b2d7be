// The headers, the modules and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as scalar from '../../js/wasm/scalar.js';
import * as simd128 from '../../js/wasm/simd128.js';
import * as trainScalar from '../../js/wasm/train/scalar.js';
import * as trainSimd128 from '../../js/wasm/train/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';

/** Each module with the headers whose functions it has. */
const MODULES = [
  { name: 'axisnorm', headers: ['axisnorm.h'], builds: { scalar, simd128 } },
  {
    name: 'axisnorm-train',
    headers: ['axisnorm.h', 'axisnorm_train.h'],
    builds: { scalar: trainScalar, simd128: trainSimd128 },
  },
];

/** What the linker exports beside the functions of the headers. */
const RUNTIME = [
  'memory',
  '__heap_base',
  '_initialize',
  '__indirect_function_table',
  '__errno_location',
  /^_?_?(emscripten_)?stack/i,
];
const isRuntime = (name) =>
  RUNTIME.some((known) => (typeof known === 'string' ? known === name : known.test(name)));

const read = (header) => readFileSync(new URL(`../../include/${header}`, import.meta.url), 'utf8');

/** Every function a header declares, found without regard to line ends. */
const declaredIn = (header) =>
  [...read(header).matchAll(/^AN_API\b[^;(]*?\b(an_[a-z0-9_]+)\(/gm)].map(([, name]) => name);

for (const header of new Set(MODULES.flatMap(({ headers }) => headers))) {
  test(`${header} declares functions`, () => {
    const declared = declaredIn(header);
    assert.ok(declared.length > 0);
    assert.equal(declared.length, read(header).match(/^AN_API\b/gm).length);
  });
}

for (const { name, headers, builds } of MODULES) {
  for (const [build, file] of Object.entries(builds)) {
    describe(`${name}, ${build} build`, () => {
      const module = new WebAssembly.Module(bytesOf(file));

      test('exports what the headers declare', () => {
        const exported = WebAssembly.Module.exports(module).map((entry) => entry.name);
        const declared = headers.flatMap(declaredIn);
        assert.deepEqual(exported.filter((entry) => !isRuntime(entry)).sort(), declared.sort());
        for (const needed of ['memory', '__heap_base'])
          assert.ok(exported.includes(needed), needed);
      });

      test('imports nothing', () => {
        assert.deepEqual(WebAssembly.Module.imports(module), []);
      });

      test('carries no names or paths of the machine that built it', () => {
        for (const section of ['name', 'producers', 'sourceMappingURL', '.debug_info']) {
          assert.equal(WebAssembly.Module.customSections(module, section).length, 0, section);
        }
      });
    });
  }
}
