// The header, the two modules and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import scalar from '../../js/wasm/scalar.js';
import simd128 from '../../js/wasm/simd128.js';

const header = readFileSync(new URL('../../include/axisnorm.h', import.meta.url), 'utf8');
/** Every function the header declares, found without regard to line ends. */
const declared = [...header.matchAll(/^AN_API\b[^;(]*?\b(an_[a-z0-9_]+)\(/gm)].map(
  ([, name]) => name,
);

/** What the linker exports beside the functions of the header. */
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

test('the header declares functions', () => {
  assert.ok(declared.length > 0);
  assert.equal(declared.length, header.match(/^AN_API\b/gm).length);
});

for (const [build, base64] of Object.entries({ scalar, simd128 })) {
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));

  test(`the ${build} module exports what the header declares`, () => {
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(exported.filter((name) => !isRuntime(name)).sort(), [...declared].sort());
    for (const name of ['memory', '__heap_base']) assert.ok(exported.includes(name), name);
  });

  test(`the ${build} module imports nothing`, () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
  });

  test(`the ${build} module carries no names or paths of the machine that built it`, () => {
    for (const section of ['name', 'producers', 'sourceMappingURL', '.debug_info']) {
      assert.equal(WebAssembly.Module.customSections(module, section).length, 0, section);
    }
  });
}
