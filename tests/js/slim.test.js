// axisnorm/slim: no module inside, and only the norms that are asked for.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as slim from '../../js/slim.js';
import * as scalar from '../../js/wasm/scalar.js';
import * as simd128 from '../../js/wasm/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';

const { layerNorm, rmsNorm } = slim;
const modules = { scalar: Buffer.from(bytesOf(scalar)), simd128: Buffer.from(bytesOf(simd128)) };

let copies = 0;
const freshLoad = async () => {
  copies += 1;
  return (await import(`../../js/slim.js?copy=${copies}`)).load;
};
const normalize = (an) => [...an.layerNorm(Float32Array.of(1, 3), { normalizedShape: 2, eps: 0 })];

describe('what is given', () => {
  test('the norms that are named, and memory', async () => {
    const load = await freshLoad();
    const an = await load({ source: (build) => modules[build], norms: { layerNorm, rmsNorm } });
    const names = ['build', 'layerNorm', 'memoryUsage', 'rmsNorm', 'scope', 'tensor'];
    assert.deepEqual(Object.keys(an).sort(), names);
    assert.deepEqual(normalize(an), [-1, 1]);
    assert.ok(an.tensor([2]) instanceof slim.Tensor);
  });

  test('one memory for all that was loaded, whatever norms', async () => {
    const load = await freshLoad();
    const source = modules.simd128;
    const [a, b] = await Promise.all([
      load({ source, norms: { layerNorm } }),
      load({ source, norms: { rmsNorm } }),
    ]);
    const t = a.tensor([2], Float32Array.of(3, 4));
    b.rmsNorm(t, { out: t, eps: 0 });
    assert.deepEqual(b.memoryUsage(), a.memoryUsage());
    assert.ok(Math.abs(t.data[0] - 3 / Math.sqrt(12.5)) < 1e-7);
  });

  test('a norm has the bits that it has in axisnorm', async () => {
    const full = await (await import('../../js/index.js')).load();
    const an = await slim.load({ source: modules.simd128, norms: { layerNorm } });
    const x = Float32Array.from({ length: 770 }, (_, i) => Math.sin(i * i));
    const options = { normalizedShape: 77 };
    assert.deepEqual(an.layerNorm(x, options), full.layerNorm(x, options));
  });
});

describe('sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'axisnorm slim ü-'));
  let server;
  let streamed = 0;
  before(async () => {
    writeFileSync(join(folder, 'scalar.wasm'), modules.scalar);
    server = createServer(({ url }, response) => {
      if (url === '/typed.wasm') response.setHeader('content-type', 'application/wasm');
      response.end(modules.scalar);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const address = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
  const build = 'scalar';
  const norms = { layerNorm };

  test('a file, in a path with a space and a letter that is not ASCII, without fetch', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = () => assert.fail('fetched');
    try {
      const source = pathToFileURL(join(folder, 'scalar.wasm'));
      for (const one of [source, source.href]) {
        assert.deepEqual(
          normalize(await (await freshLoad())({ build, source: one, norms })),
          [-1, 1],
        );
      }
    } finally {
      globalThis.fetch = fetch;
    }
  });

  for (const [name, times] of [
    ['typed.wasm', 1],
    ['untyped.wasm', 0],
  ]) {
    test(`${name} is ${times ? '' : 'not '}compiled while it arrives`, async () => {
      const { compileStreaming } = WebAssembly;
      streamed = 0;
      WebAssembly.compileStreaming = (response) => {
        streamed += 1;
        return compileStreaming.call(WebAssembly, response);
      };
      try {
        const load = await freshLoad();
        assert.deepEqual(normalize(await load({ build, source: address(name), norms })), [-1, 1]);
        assert.equal(streamed, times);
      } finally {
        WebAssembly.compileStreaming = compileStreaming;
      }
    });
  }
});

describe('refused', () => {
  for (const [label, options, message] of [
    [
      'no source',
      { norms: { layerNorm } },
      'source: expected a module, which axisnorm/slim has none of, got undefined',
    ],
    [
      'no norms',
      { source: modules.scalar },
      'norms: expected an object of norms, as { layerNorm }, got undefined',
    ],
    [
      'a norm that is none',
      { source: modules.scalar, norms: { layerNorm: 3 } },
      'norms.layerNorm: expected a norm, got 3',
    ],
    [
      'another option',
      { source: modules.scalar, norms: {}, norm: layerNorm },
      "load: unknown option 'norm', did you mean 'norms'?",
    ],
    ['nothing', undefined, 'load: expected an object of options, got undefined'],
  ]) {
    test(label, async () => {
      const load = await freshLoad();
      await assert.rejects(load(options), { name: 'TypeError', message });
    });
  }
});

describe('a policy that forbids WebAssembly', () => {
  for (const words of [
    'WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive',
    'call to WebAssembly.compile() blocked by CSP',
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source",
    'WebAssembly.compile(): Wasm code generation disallowed by embedder',
  ]) {
    test(words.slice(0, 60), async () => {
      const { compile } = WebAssembly;
      const cause = new WebAssembly.CompileError(words);
      WebAssembly.compile = async () => {
        throw cause;
      };
      try {
        const load = await freshLoad();
        await assert.rejects(load({ source: modules.simd128, norms: { layerNorm } }), {
          message:
            "load: expected a Content Security Policy with 'wasm-unsafe-eval' in script-src, got one that forbids WebAssembly",
          cause,
        });
      } finally {
        WebAssembly.compile = compile;
      }
    });
  }

  test('other failures stay as they are', async () => {
    const bytes = readFileSync(new URL(import.meta.url)).subarray(0, 64);
    const load = await freshLoad();
    await assert.rejects(load({ source: bytes, norms: { layerNorm } }), { name: 'CompileError' });
  });
});
