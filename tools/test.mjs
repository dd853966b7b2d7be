// npm test: everything that must hold, from compilers to browser, on a fresh clone.
// Each step counts as one pass or failure, and so does every single test.
//
//   npm test                          all steps
//   npm test -- lint kernels          some steps
//   npm test -- kernels/layer_norm    of a step, the files that have this in their path
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packed } from '../tests/consumers/harness/pack.js';
import { bin, fail, filesIn, installPackages, node, root, run } from './lib.mjs';
import { runNodeTests } from './node-tests.mjs';

/** Folders of tests/ that must hold tests; others with test files run after them. */
const SUITES = [
  'style',
  'kernels',
  'gradients',
  'properties',
  'fuzz',
  'conformance',
  'field-cases',
  'accuracy',
  'js',
  'layers',
  'package',
  'consumers',
  'examples',
  'demo',
  'browser',
];
const TEST_FILE = /\.test\.m?js$/;

/** A step without single tests. */
const check = (ok) => ({ ok, passed: 0, failures: [] });

function cTests(compiler, sanitize) {
  const folder = `build/native-${compiler}`;
  const report = join(root, folder, 'tests.xml');
  rmSync(report, { force: true }); // an earlier run's says nothing about this one
  const ok =
    run('cmake', [
      ...['-G', 'Ninja', '-S', '.', '-B', folder, '--log-level=WARNING'],
      ...[`-DCMAKE_C_COMPILER=${compiler}`, `-DAN_SANITIZE=${sanitize}`],
    ]) &&
    run('ninja', ['-C', folder, '--quiet']) &&
    run('ctest', [
      ...['--test-dir', folder, '--output-on-failure', '--no-tests=error'],
      ...['--output-junit', report],
    ]);
  const tests = existsSync(report)
    ? [...readFileSync(report, 'utf8').matchAll(/<testcase name="([^"]+)".* status="(\w+)"/g)]
    : []; // the build failed, which the step says
  const failures = tests.filter(([, , status]) => status !== 'run').map(([, name]) => name);
  return {
    ok,
    passed: tests.length - failures.length,
    failures: failures.map((name) => `${folder}: ${name}`),
  };
}

async function nodeTests(suite, pattern) {
  const all = filesIn(`tests/${suite}`, TEST_FILE);
  const files = all.filter((file) => file.includes(pattern));
  if (files.length === 0) {
    console.log(`tests/${suite} has no test file${pattern && ` with "${pattern}" in its path`}`);
    return check(false);
  }
  const { passed, failures } = await runNodeTests(files);
  return { ok: failures.length === 0 && passed > 0, passed, failures };
}

/** Builds the page once for all tests in browsers, in a folder that goes when this process ends. */
function buildPage() {
  const folder = mkdtempSync(join(tmpdir(), 'axisnorm-page-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const ok = bin('vite', 'build', 'demo', '--outDir', folder, '--logLevel', 'warn');
  if (ok) process.env.BUILT_PAGE = folder;
  return check(ok);
}

/** Packs the package once for all consumers; says where in PACKED. */
const pack = () =>
  packed().then(
    () => check(true),
    ({ message }) => {
      console.log(message);
      return check(false);
    },
  );

/** What the tests of a folder need before all of them. */
const PREPARATIONS = {
  browser: [['browser', 'the page builds', buildPage]],
  consumers: [['consumers', 'the package is packed', pack]],
};

const others = readdirSync(join(root, 'tests'))
  .filter((folder) => !SUITES.includes(folder) && filesIn(`tests/${folder}`, TEST_FILE).length > 0)
  .sort();

/** [name, what it shows, how]; steps may share a name. */
const STEPS = [
  ['setup', 'compilers, browsers and npm packages', () => check(node('tools/setup.mjs'))],
  [
    'wasm',
    'src/ builds to js/wasm, byte for byte',
    () => check(node('tools/build.mjs', '--check')),
  ],
  ['lint', 'C is formatted', () => check(node('tools/format.mjs', '--check', 'c'))],
  [
    'lint',
    'JavaScript is formatted and clean',
    () => check(node('tools/format.mjs', '--check', 'js')),
  ],
  ['types', 'js/ has no type errors', () => check(bin('tsc'))],
  ['native', 'C tests, clang', () => cTests('clang', 'OFF')],
  ['native', 'C tests, gcc, address and undefined-behaviour sanitizers', () => cTests('gcc', 'ON')],
  ['fuzz', 'any call of the C functions', () => check(node('tests/fuzz/run.mjs'))],
  ...[...SUITES, ...others].flatMap((suite) => [
    ...(PREPARATIONS[suite] ?? []),
    [suite, `tests/${suite}`, (pattern) => nodeTests(suite, pattern)],
  ]),
];

/** Name of a step -> what its files must have in their path. */
const wanted = new Map(
  process.argv
    .slice(2)
    .flatMap((word) => word.replace(/^--only=/, '').split(','))
    .map((word) => [word.split('/')[0], word.split('/').slice(1).join('/')]),
);
const names = [...new Set(STEPS.map(([name]) => name))];
for (const name of wanted.keys()) {
  if (!names.includes(name)) fail(`no step "${name}"; there are ${names.join(', ')}`);
}

if (wanted.size > 0 && !wanted.has('setup') && !installPackages()) fail('npm ci failed');

const failed = [];
let passed = 0;
for (const [name, what, how] of STEPS) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  const title = `${name}: ${what}`;
  console.log(`\n── ${title}`);
  const start = performance.now();
  const result = await how(wanted.get(name) ?? '');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${result.ok ? '✓' : '✗'} ${title} (${seconds} s)`);
  passed += result.passed + (result.ok ? 1 : 0);
  failed.push(...result.failures, ...(result.ok ? [] : [title]));
}

if (failed.length > 0) console.log(`\nFailed:\n${failed.map((title) => `  ${title}`).join('\n')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
console.log(`\n${passed} passed, ${failed.length} failed`);
