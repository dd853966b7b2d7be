// Loading: one instance a build, from any source, and again after a failure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { isSupported, load, Tensor, VERSION } from '../../js/index.js';
import * as scalar from '../../js/wasm/scalar.js';
import { bytesOf } from '../../tools/packaged.mjs';

const bytes = Uint8Array.from(bytesOf(scalar));

let copies = 0;
/** load() of a fresh copy of the library, in which nothing has been loaded yet. */
const freshLoad = async () => {
  copies += 1;
  return (await import(`../../js/load.js?copy=${copies}`)).load;
};

const normalize = (an) => [...an.layerNorm(Float32Array.of(1, 3), { normalizedShape: 2, eps: 0 })];

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
  assert.equal(VERSION, version);
});

test('importing starts nothing and exports only names', async () => {
  const names = Object.keys(await import('../../js/index.js'));
  assert.deepEqual(names.sort(), ['Tensor', 'VERSION', 'isSupported', 'load']);
  assert.equal(isSupported(), true);
});

describe('instances', () => {
  test('one however often and however early it is asked for', async () => {
    const load = await freshLoad();
    const together = await Promise.all([load(), load(), load({ build: 'simd128' })]);
    const later = await load();
    assert.equal(new Set([...together, later]).size, 1);
    assert.equal(later.build, 'simd128');
  });

  test('another one for the other build, with the same bits', async () => {
    const load = await freshLoad();
    const [simd128, scalar] = await Promise.all([load(), load({ build: 'scalar' })]);
    assert.notEqual(simd128, scalar);
    assert.equal(scalar.build, 'scalar');
    assert.equal(await load({ build: 'scalar' }), scalar);
    const x = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i * i));
    const run = (an) => Buffer.from(an.layerNorm(x, { normalizedShape: 125 }).buffer);
    assert.deepEqual(run(simd128), run(scalar));
  });

  test('tensors are instances of the exported class', async () => {
    const an = await load();
    assert.ok(an.tensor([2]) instanceof Tensor);
  });
});

describe('sources', () => {
  let server;
  let url;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/scalar.wasm') response.statusCode = 404;
      response.end(bytes);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${server.address().port}/scalar.wasm`;
  });
  after(() => server.close());

  const sources = {
    'a Uint8Array': () => bytes,
    'an ArrayBuffer': () => bytes.buffer,
    'a DataView': () => new DataView(bytes.buffer),
    'an ArrayBuffer of another realm': () =>
      runInNewContext('(bytes) => Uint8Array.from(bytes).buffer')([...bytes]),
    'a module': () => new WebAssembly.Module(bytes),
    'a promise of a module': () => WebAssembly.compile(bytes),
    'an address': () => url,
    'a URL': () => new URL(url),
    'a response': () => fetch(url),
    'a response of no particular type': () => new Response(bytes),
  };
  for (const [name, source] of Object.entries(sources)) {
    test(name, async () => {
      const load = await freshLoad();
      const an = await load({ build: 'scalar', source: source() });
      assert.deepEqual(normalize(an), [-1, 1]);
    });
  }

  const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
  const failures = {
    'bytes that are no module': [() => bytes.subarray(0, 100), { name: 'CompileError' }],
    'another module': [
      () => empty,
      {
        name: 'TypeError',
        message: 'source: expected the module of axisnorm, got a module without its functions',
      },
    ],
    'a response that failed': [
      () => `${url}.not`,
      {
        name: 'RangeError',
        message: 'source: expected a successful response, got status 404',
      },
    ],
    'a rejected promise': [() => Promise.reject(new Error('offline')), { message: 'offline' }],
    'a number': [
      () => 7,
      {
        name: 'TypeError',
        message: 'source: expected bytes, a URL, a Response or a WebAssembly.Module, got 7',
      },
    ],
    null: [
      () => null,
      {
        name: 'TypeError',
        message: 'source: expected bytes, a URL, a Response or a WebAssembly.Module, got null',
      },
    ],
  };
  for (const [name, [source, error]] of Object.entries(failures)) {
    test(`${name}: refused, and forgotten`, async () => {
      const load = await freshLoad();
      const first = load({ build: 'scalar', source: source() });
      const second = load({ build: 'scalar' });
      await assert.rejects(first, error);
      await assert.rejects(second, error, 'what runs at the same time shares the failure');
      const an = await load({ build: 'scalar' });
      assert.deepEqual(normalize(an), [-1, 1]);
      assert.equal(await load({ build: 'scalar' }), an);
    });
  }
});

describe('options', () => {
  const refused = [
    [{ build: 'avx' }, 'RangeError', "build: expected 'simd128' or 'scalar', got 'avx'"],
    [{ build: null }, 'RangeError', "build: expected 'simd128' or 'scalar', got null"],
    [{ bulid: 'scalar' }, 'TypeError', "load: unknown option 'bulid', did you mean 'build'?"],
    ['scalar', 'TypeError', "load: expected an object of options, got 'scalar'"],
    [null, 'TypeError', 'load: expected an object of options, got null'],
  ];
  for (const [options, name, message] of refused) {
    test(`${JSON.stringify(options)}`, () => assert.rejects(load(options), { name, message }));
  }
});

describe('other engines', () => {
  /** What fn gives while WebAssembly, as far as validate goes, is another. */
  async function withValidate(validate, fn) {
    const original = WebAssembly.validate;
    WebAssembly.validate = validate;
    try {
      return await fn();
    } finally {
      WebAssembly.validate = original;
    }
  }

  test('without SIMD it is the scalar build', async () => {
    const load = await freshLoad();
    await withValidate(
      () => false,
      async () => {
        assert.equal((await load()).build, 'scalar');
        await assert.rejects(load({ build: 'simd128' }), {
          name: 'RangeError',
          message: "build: expected 'scalar' in an engine without SIMD, got 'simd128'",
        });
      },
    );
  });

  test('without WebAssembly it says so', async () => {
    const load = await freshLoad();
    await withValidate(undefined, async () => {
      assert.equal(isSupported(), false);
      await assert.rejects(load(), {
        message: 'load: expected an engine with WebAssembly, got one without',
      });
    });
    assert.deepEqual(normalize(await load()), [-1, 1]);
  });

  test('with and without Uint8Array.fromBase64', async () => {
    const original = Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64');
    let calls = 0;
    const fromBase64 = (text) => {
      calls += 1;
      return Uint8Array.from(Buffer.from(text, 'base64'));
    };
    try {
      for (const value of [undefined, fromBase64]) {
        Object.defineProperty(Uint8Array, 'fromBase64', { value, configurable: true });
        const load = await freshLoad();
        assert.deepEqual(normalize(await load()), [-1, 1]);
      }
    } finally {
      delete Uint8Array.fromBase64;
      if (original) Object.defineProperty(Uint8Array, 'fromBase64', original);
    }
    assert.equal(calls, 1);
  });

  test('a worker', async () => {
    const index = new URL('../../js/index.js', import.meta.url);
    const program = `
      import { parentPort } from 'node:worker_threads';
      import { load } from ${JSON.stringify(index.href)};
      const an = await load();
      parentPort.postMessage(an.layerNorm(Float32Array.of(1, 3), { normalizedShape: 2, eps: 0 }));
    `;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const y = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
    assert.deepEqual([...y], [-1, 1]);
  });
});
