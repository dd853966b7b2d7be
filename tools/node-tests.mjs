// Runs files of node:test tests, as many at a time as there are cores, and counts what they report.
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { root } from './lib.mjs';

const FILE_TIMEOUT = 10 * 60_000;

const withoutNodeFrames = (stack) => stack.replace(/\n +at [^\n]*\bnode:[^\n]*/g, '');

/** Why an event is no pass; undefined for a pass and null for what does not count. */
function problemOf({ type, data }, path) {
  const isSuite = data.details.type === 'suite';
  if (type === 'test:fail') {
    const { error } = data.details;
    if (error.failureType === 'subtestsFailed') return isSuite ? null : 'a subtest failed';
    return withoutNodeFrames(error.cause?.stack ?? inspect(error.cause ?? error));
  }
  if (isSuite) return null;
  // node reports a file as one test when nothing in it did.
  if (resolve(data.name) === path) return 'no test in this file';
  // A test that does not run proves nothing, so it must not look as if it had passed.
  if (data.skip !== undefined) return `skipped: ${data.skip}`;
  if (data.todo !== undefined) return `still to do: ${data.todo}`;
  return undefined;
}

async function runFile(file) {
  const path = join(root, file);
  const title = basename(file);
  const start = performance.now();
  const failures = [];
  let passed = 0;
  for await (const event of run({ files: [path], timeout: FILE_TIMEOUT })) {
    const { type, data } = event;
    if (type === 'test:stdout' || type === 'test:stderr') process.stdout.write(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const problem = problemOf(event, path);
    if (problem) {
      failures.push(`${file}: ${data.name}`);
      console.log(`✗ ${title}: ${data.name}\n${problem.replace(/^/gm, '    ')}`);
    } else if (problem === undefined) {
      passed += 1;
    }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const failed = failures.length > 0 ? `, ${failures.length} failed` : '';
  console.log(`${failed ? '✗' : '✓'} ${title}: ${passed} passed${failed} (${seconds} s)`);
  return { passed, failures };
}

/** Prints a line a file and each failure in full; returns { passed, failures }. */
export async function runNodeTests(files) {
  const queue = [...files];
  const results = [];
  const worker = async () => {
    while (queue.length > 0) results.push(await runFile(queue.shift()));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}
