// load() where there is little but JavaScript: bundled, in a realm of its own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import * as vite from 'vite';
import { packagedModule } from '../../js/packaged-module.js';
import * as scalar from '../../js/wasm/scalar.js';

const path = (name) => fileURLToPath(new URL(`../../js/${name}`, import.meta.url));

/** All of a module of the library as one script that sets `library`. */
async function bundle(entry) {
  const lib = { entry: path(entry), formats: ['iife'], name: 'library' };
  const [{ output }] = await vite.build({
    configFile: false,
    logLevel: 'error',
    build: { lib, write: false, minify: false },
  });
  assert.equal(output.length, 1);
  return output[0].code;
}

const scripts = { norms: await bundle('index.js'), train: await bundle('train/index.js') };

/** By scope: the DecompressionStream that it has, if any, and how many of them load() makes. */
const SCOPES = [
  ['without DecompressionStream', () => null, 0],
  [
    'with DecompressionStream',
    (made) =>
      class extends DecompressionStream {
        constructor(format) {
          super(format);
          made.push(format);
        }
      },
    1,
  ],
  [
    'with one that does not know raw deflate, as in Node 20.0',
    () =>
      class {
        constructor(format) {
          throw new TypeError(`unknown format ${format}`);
        }
      },
    0,
  ],
];

for (const [name, streamOf, count] of SCOPES) {
  describe(`a scope ${name}`, () => {
    for (const build of ['scalar', 'simd128']) {
      const start = async (script) => {
        const made = [];
        const Stream = streamOf(made);
        const scope = createContext({ atob, ...(Stream && { DecompressionStream: Stream }) });
        const missing = 'typeof fetch + typeof Response + typeof Blob + typeof setTimeout';
        assert.equal(runInContext(missing, scope), 'undefined'.repeat(4));
        runInContext(script, scope);
        const loaded = await runInContext(`library.load({ build: '${build}' })`, scope);
        assert.equal(loaded.build, build);
        assert.equal(made.length, count);
        return loaded;
      };

      test(`axisnorm, ${build}`, async () => {
        const an = await start(scripts.norms);
        const y = an.layerNorm(Float32Array.of(1, 3), { normalizedShape: 2, eps: 0 });
        assert.deepEqual([...y], [-1, 1]);
      });

      test(`axisnorm/train, ${build}`, async () => {
        const { sizes } = (await start(scripts.train)).task({
          task: 'copy',
          symbols: 4,
          length: 3,
        });
        assert.ok(Object.values(sizes).every((size) => size > 0));
      });
    }
  });
}

describe('a packaged file that is damaged', () => {
  const deflated = Buffer.from(scalar.default, 'base64');
  const packaged = (bytes, size) =>
    packagedModule({ scalar: async () => ({ default: bytes.toString('base64'), size }) })('scalar');
  const flipped = Uint8Array.from(deflated, (byte, i) => byte ^ (i === 5000 ? 255 : 0));
  const DAMAGES = {
    'some bits changed': [Buffer.from(flipped), scalar.size],
    'cut short': [deflated.subarray(0, -100), scalar.size],
    'nothing at all': [Buffer.of(), scalar.size],
    'more bytes than the file says': [deflated, scalar.size - 1],
    'fewer bytes than the file says': [deflated, scalar.size + 1],
    'very many more bytes': [deflateRawSync(new Uint8Array(2 ** 26)), scalar.size],
  };

  /** Without the engine's own, if so wanted, for as long as fn runs. */
  async function withStreams(present, fn) {
    const { DecompressionStream: original } = globalThis;
    if (!present) delete globalThis.DecompressionStream;
    try {
      await fn();
    } finally {
      globalThis.DecompressionStream = original;
    }
  }

  for (const present of [true, false]) {
    const way = present ? 'the engine inflates' : 'inflates itself';
    for (const [name, [bytes, size]] of Object.entries(DAMAGES)) {
      test(`${way}, ${name}: refused`, async () => {
        await withStreams(present, () => assert.rejects(packaged(bytes, size)));
      });
    }

    test(`${way}, undamaged: compiled`, async () => {
      await withStreams(present, async () => {
        const module = await packaged(deflated, scalar.size);
        assert.ok(module instanceof WebAssembly.Module);
      });
    });
  }
});
