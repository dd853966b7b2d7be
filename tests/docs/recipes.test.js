// docs/recipes.md shows the files of examples/recipes, and each of them does what it says.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { load } from '../../js/index.js';
import * as scalar from '../../js/wasm/scalar.js';
import * as simd128 from '../../js/wasm/simd128.js';
import { bytesOf } from '../../tools/packaged.mjs';
import { launchOptions } from '../browser/launch.js';
import { fileOf } from './safetensors-file.js';
import { Workspace } from './workspace.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8').replaceAll('\r\n', '\n');
const modules = { scalar: bytesOf(scalar), simd128: bytesOf(simd128) };
const an = await load();

const X = Float32Array.of(1, 3, 1, 3);
const Y = an.layerNorm(X, { normalizedShape: 4 });

let workspace;
before(() => {
  workspace = new Workspace();
  cpSync(join(root, 'examples/recipes'), workspace.folder, { recursive: true });
  mkdirSync(workspace.path('wasm'));
  for (const [build, bytes] of Object.entries(modules)) {
    writeFileSync(workspace.path(`wasm/${build}.wasm`), bytes);
  }
});
after(() => workspace.dispose());

/** Modules of .wasm files, as wrangler gives them. */
const wasmModules = {
  name: 'wasm-modules',
  resolveId: (id) => (id.startsWith('axisnorm/wasm/') ? `\0${id}` : null),
  load(id) {
    const [, build] = id.match(/^\0axisnorm\/wasm\/(\w+)\.wasm$/) ?? [];
    if (build === undefined) return null;
    const base64 = modules[build].toString('base64');
    return `export default new WebAssembly.Module(Buffer.from('${base64}', 'base64'));`;
  },
};

/** What a bundler makes of a recipe, imported. */
async function bundled(name) {
  const bundle = await rolldown({
    input: workspace.path(name),
    external: ['react', 'react/jsx-runtime', 'axisnorm', 'axisnorm/slim'],
    plugins: [wasmModules],
    logLevel: 'silent',
  });
  const file = `${name}.bundle.js`;
  await bundle.write({ file: workspace.path(file), format: 'esm' });
  await bundle.close();
  return workspace.import(file);
}

describe('the page', () => {
  const shown = [
    ...page.matchAll(/\[([\w.-]+)\]\(\.\.\/examples\/recipes\/\1\)\n\n```jsx?\n(.*?)```/gs),
  ];

  test('shows every recipe as it is', () => {
    const files = readdirSync(join(root, 'examples/recipes')).sort();
    assert.deepEqual(shown.map(([, name]) => name).sort(), files);
    for (const [, name, text] of shown) {
      const file = readFileSync(join(root, 'examples/recipes', name), 'utf8');
      assert.equal(text, file.replaceAll('\r\n', '\n'), name);
    }
  });

  test('has no other code but the policy', () => {
    const blocks = page.match(/^```\w+$/gm);
    assert.equal(blocks.length, shown.length + 1);
    assert.equal(blocks.at(-1), '```http');
  });
});

test('react.jsx renders what layerNorm gives, once it is loaded', async () => {
  const { Normalized } = await bundled('react.jsx');
  const { createElement } = await workspace.import('react');
  const server = await workspace.import('react-dom/server');
  const stream = await server.renderToReadableStream(createElement(Normalized, { x: X }));
  await stream.allReady;
  const html = await new Response(stream).text();
  const shown = Array.from(Y, (v) => v.toFixed(3)).join(' ');
  assert.ok(html.includes(`<output>${shown}</output>`), html);
});

/** Worker of a page, of what node:worker_threads has. */
class PageWorker extends EventTarget {
  static threads = [];
  #thread;

  constructor(url) {
    super();
    const start = `
      const { parentPort, workerData } = require('node:worker_threads');
      globalThis.self = new EventTarget();
      self.postMessage = (data, { transfer = [] } = {}) => parentPort.postMessage(data, transfer);
      import(workerData).then(() => parentPort.on('message', (data) => {
        self.dispatchEvent(Object.assign(new Event('message'), { data }));
      }));`;
    this.#thread = new Thread(start, { eval: true, workerData: url.href });
    this.#thread.on('message', (data) => {
      this.dispatchEvent(Object.assign(new Event('message'), { data }));
    });
    PageWorker.threads.push(this.#thread);
  }

  postMessage(data, transfer) {
    this.#thread.postMessage(data, transfer);
  }
}

test('use-worker.js moves x there and y back, and hands errors on', async (t) => {
  globalThis.Worker = PageWorker;
  t.after(async () => {
    delete globalThis.Worker;
    for (const thread of PageWorker.threads) await thread.terminate();
  });
  const { layerNorm } = await workspace.import('use-worker.js');
  const x = X.slice();
  const answers = [
    layerNorm(x, { normalizedShape: 4 }),
    layerNorm(X.slice(), { normalizedShape: 2 }),
  ];
  assert.equal(x.length, 0);
  const [first, second] = await Promise.all(answers);
  assert.deepEqual(first, Y);
  assert.deepEqual(second, an.layerNorm(X, { normalizedShape: 2 }));
  await assert.rejects(layerNorm(X.slice(), { normalizedShape: 3 }), {
    name: 'RangeError',
    message: 'x: expected a multiple of 3 values, got 4',
  });
});

test('onnx.js takes and gives tensors of ONNX Runtime', async () => {
  const { normalizeOutput } = await workspace.import('onnx.js');
  const { Tensor } = await workspace.import('onnxruntime-web');
  const output = new Tensor('float32', Float32Array.of(...X, ...X), [1, 2, 4]);
  const gamma = Float32Array.of(1, 2, 3, 4);
  const y = await normalizeOutput(output, { gamma });
  assert.equal(y.type, 'float32');
  assert.deepEqual([...y.dims], [1, 2, 4]);
  const want = an.layerNorm(X, { gamma });
  assert.deepEqual(y.data, Float32Array.of(...want, ...want));
});

describe('safetensors.js', () => {
  const F32 = (shape, ...values) => ({ dtype: 'F32', shape, data: Float32Array.from(values) });
  const MODEL = {
    'norm.weight': F32([4], 1, 2, 3, 4),
    'norm.bias': F32([4], 5, 6, 7, 8),
    'bn.weight': F32([3], 1, 2, 3),
    'bn.bias': F32([3], 0, 1, 0),
    'bn.running_mean': F32([3], 4, 5, 6),
    'bn.running_var': F32([3], 1, 4, 9),
    'bn.num_batches_tracked': { dtype: 'I64', shape: [], data: BigInt64Array.of(7n) },
  };

  test('load-weights.js loads a file', async () => {
    const { loadModel } = await workspace.import('load-weights.js');
    const file = workspace.path('model.safetensors');
    writeFileSync(file, fileOf(MODEL));
    const { norm, bn } = await loadModel(file);
    assert.deepEqual([...norm.weight.value.data], [1, 2, 3, 4]);
    assert.deepEqual([...norm.bias.value.data], [5, 6, 7, 8]);
    assert.deepEqual([...bn.runningVar.data], [1, 4, 9]);
    assert.equal(bn.numBatchesTracked, 7);
    assert.equal(bn.training, false);
  });

  test('whatever the bytes are aligned to; copies only where they have to be', async () => {
    const { readSafetensors } = await workspace.import('safetensors.js');
    for (const padding of [0, 1, 2, 3, 4, 5, 6, 7]) {
      for (const offset of [0, 1, 4]) {
        const file = fileOf(MODEL, padding);
        const memory = new Uint8Array(offset + file.length + 5);
        memory.set(file, offset);
        const weights = readSafetensors(memory.subarray(offset, offset + file.length));
        const got = Object.entries(weights);
        assert.equal(got.length, 7);
        for (const [name, { data, shape }] of got) {
          assert.deepEqual(data, MODEL[name].data, name);
          assert.deepEqual(shape, MODEL[name].shape, name);
          const { dtype } = MODEL[name];
          if (dtype === 'F32') {
            const isView = data.buffer === memory.buffer;
            assert.equal(isView, (file.start + offset) % 4 === 0, `${padding}, ${offset}`);
          }
        }
      }
    }
  });

  test('refuses other types of values by name', async () => {
    const { readSafetensors } = await workspace.import('safetensors.js');
    const half = { 'a.weight': { dtype: 'F16', shape: [2], data: Uint16Array.of(1, 2) } };
    assert.throws(() => readSafetensors(fileOf(half)), {
      name: 'TypeError',
      message: 'a.weight: expected dtype F32, got F16; save model.float() instead',
    });
  });
});

test('train.js: the loss falls to nothing', async () => {
  const { train } = await workspace.import('train.js');
  const x = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i * i));
  const target = an.layerNorm(x, {
    gamma: Float32Array.of(2, -1, 0.5, 3),
    beta: Float32Array.of(1, 0, -2, 4),
  });
  const before = an.memoryUsage().used;
  const losses = train(x, target, { width: 4 });
  assert.equal(an.memoryUsage().used, before);
  assert.ok(losses[0] > 1 && losses.at(-1) < 1e-6, `${losses[0]} ${losses.at(-1)}`);
});

test('slim.js takes the module from a file', async () => {
  const { an: slim } = await workspace.import('slim.js');
  assert.deepEqual(slim.layerNorm(X, { normalizedShape: 4 }), Y);
  assert.equal(slim.groupNorm, undefined);
});

test('cloudflare.js answers a request', async () => {
  const { default: worker } = await bundled('cloudflare.js');
  const x = Float32Array.from({ length: 2 * 768 }, (_, i) => Math.sin(i));
  const request = new Request('https://worker.test', { method: 'POST', body: x });
  const response = await worker.fetch(request);
  const y = new Float32Array(await response.arrayBuffer());
  assert.deepEqual(y, an.layerNorm(x, { normalizedShape: 768 }));
});

test('under the policy of the page Chromium loads both entries, and not without its last word', async (t) => {
  const [, policy] = page.match(/^Content-Security-Policy: (.*)$/m);
  const script = `
    import { load } from '/js/index.js';
    import { layerNorm, load as loadSlim } from '/js/slim.js';
    const source = (build) => '/wasm/' + build + '.wasm';
    const one = () => Float32Array.of(1, 3);
    try {
      const y = (await load()).layerNorm(one(), { normalizedShape: 2, eps: 0 });
      const an = await loadSlim({ source, norms: { layerNorm } });
      document.title = String([...y, ...an.layerNorm(one(), { normalizedShape: 2, eps: 0 })]);
    } catch (error) { document.title = error.message; }`;
  const answers = [
    [/^\/$/, 'text/html', () => '<title></title><script type="module" src="/page.js"></script>'],
    [/^\/page\.js$/, 'text/javascript', () => script],
    [/^\/wasm\/(\w+)\.wasm$/, 'application/wasm', (build) => modules[build]],
    [/^(\/js\/.*\.js)$/, 'text/javascript', (path) => readFileSync(join(root, path))],
    [/./, 'text/plain', () => ''],
  ];
  let sent = policy;
  const server = createServer(({ url }, response) => {
    const [pattern, type, body] = answers.find(([pattern]) => pattern.test(url));
    response.setHeader('Content-Security-Policy', sent);
    response.setHeader('Content-Type', type);
    response.end(body(url.match(pattern)[1]));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch(launchOptions());
  t.after(async () => {
    await browser.close();
    server.close();
  });
  const titleUnder = async (line) => {
    sent = line;
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction(() => document.title !== '');
    return tab.title();
  };
  assert.equal(await titleUnder(policy), '-1,1,-1,1');
  assert.match(await titleUnder(policy.replace(" 'wasm-unsafe-eval'", '')), /wasm|WebAssembly/);
});
