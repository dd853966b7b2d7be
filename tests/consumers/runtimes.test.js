// Node from 20 to 26, Deno and Bun, with every entry of the package as ES module and as CommonJS.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consumer } from './harness/consumer.js';

const NODES = [20, 22, 24, 26];
const PROGRAMS = {
  norms: 'norms right, simd128\n',
  layers: 'layers right, simd128\n',
  training: 'training right, simd128\n',
  slim: 'norms right, simd128\n',
};

/** Runtime -> the words before the name of a program. */
const RUNTIMES = {
  ...Object.fromEntries(NODES.map((major) => [`Node ${major}`, [`node${major}/bin/node`]])),
  Deno: ['@deno/linux-x64-glibc/deno', 'run', '--no-prompt', '--allow-read'],
  Bun: ['@oven/bun-linux-x64-baseline/bin/bun', 'run'],
};

// In a path with spaces and with letters that are not ASCII.
const project = await consumer('runtimes', 'axisnorm Läufer 東京 ');

for (const major of NODES) {
  test(`node${major} is Node ${major}`, async () => {
    const version = await project.run(`node_modules/node${major}/bin/node`, '--version');
    assert.equal(version.split('.')[0], `v${major}`);
  });
}

for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
  describe(runtime, () => {
    for (const [program, line] of Object.entries(PROGRAMS)) {
      for (const kind of ['mjs', 'cjs']) {
        test(`${program}.${kind}`, async () => {
          const path = `./${program}.${kind}`;
          const printed = await project.run(`./node_modules/${command}`, ...args, path);
          assert.equal(printed, line);
        });
      }
    }
  });
}
