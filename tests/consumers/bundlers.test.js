// Bundles by esbuild, Rollup and webpack 5, run in Node and in Chromium.
import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { consumer } from './harness/consumer.js';
import { openEngine } from './harness/engines.js';
import { ALL, NORMS } from './harness/lines.js';
import { serveFolder } from './harness/serve.js';

const project = await consumer('bundlers');
const bundles = project.emptyFolder();
const address = await serveFolder(bundles);
const reportIn = await openEngine();

/** Moves a bundle to where nothing else is, above all no node_modules. */
const moveOut = (name) => cpSync(join(project.folder, 'dist', name), join(bundles, name), MOVE);
const MOVE = { recursive: true };

const runInNode = (path) => project.run(process.execPath, join(bundles, path));

/** Writes a page for a bundle; gives what it reports. */
function runInChromium(path, type) {
  const [folder, name] = path.split('/');
  project.write(`dist/${folder}/index.html`, `<body><script type=${type} src=${name}></script>`);
  moveOut(folder);
  return reportIn(`${address}${folder}/index.html`);
}

describe('esbuild', () => {
  const bundle = (name, files, ...options) =>
    project.run(project.bin('esbuild'), ...files, '--bundle', `--outdir=dist/${name}`, ...options);

  for (const [format, ending] of [
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ]) {
    test(`${format} in Node`, async () => {
      const name = `esbuild-${format}`;
      const options = ['--platform=node', '--target=node20', `--format=${format}`];
      options.push('--loader:.wasm=binary', `--out-extension:.js=.${ending}`);
      await bundle(name, ['esbuild.js'], ...options);
      moveOut(name);
      assert.equal(await runInNode(`${name}/esbuild.${ending}`), `${ALL}\n`);
    });
  }

  for (const [name, type, ...options] of [
    ['esbuild-classic', 'text/javascript', '--format=iife'],
    ['esbuild-chunks', 'module', '--format=esm', '--splitting', '--minify'],
  ]) {
    test(`${options.join(' ')} in Chromium`, async () => {
      await bundle(name, ['esbuild.js'], ...options, '--loader:.wasm=file');
      assert.equal(await runInChromium(`${name}/esbuild.js`, type), ALL);
    });
  }

  test('a classic service worker, in Chromium', async () => {
    const files = ['service-worker.js', 'in-service-worker.js'];
    await bundle('esbuild-service-worker', files, '--format=iife');
    const path = 'esbuild-service-worker/service-worker.js';
    assert.equal(await runInChromium(path, 'text/javascript'), NORMS);
  });
});

describe('Rollup', () => {
  before(async () => {
    await project.run(project.bin('rollup'), '--config', '--silent');
    for (const name of ['rollup-es', 'rollup-cjs']) {
      const wasm = 'node_modules/axisnorm/js/wasm/simd128.wasm';
      cpSync(join(project.folder, wasm), join(project.folder, 'dist', name, 'simd128.wasm'));
      moveOut(name);
    }
  });

  for (const path of ['rollup-es/rollup.mjs', 'rollup-cjs/rollup.cjs']) {
    test(`${path} in Node`, async () => assert.equal(await runInNode(path), `${ALL}\n`));
  }
  test('in Chromium', async () => {
    assert.equal(await runInChromium('rollup-es/rollup.mjs', 'module'), ALL);
  });
});

describe('webpack 5', () => {
  before(async () => {
    const printed = await project.run(project.bin('webpack'), '--fail-on-warnings');
    assert.doesNotMatch(printed, /warning/i);
  });

  test('target node', async () => {
    project.write('dist/webpack-node/package.json', '{ "type": "commonjs" }');
    moveOut('webpack-node');
    assert.equal(await runInNode('webpack-node/main.js'), `${ALL}\n`);
  });
  test('target web, in Chromium', async () => {
    assert.equal(await runInChromium('webpack-web/main.js', 'text/javascript'), ALL);
    const files = readdirSync(join(bundles, 'webpack-web'));
    assert.ok(
      files.some((name) => name.endsWith('.wasm')),
      `${files}`,
    );
  });
});
