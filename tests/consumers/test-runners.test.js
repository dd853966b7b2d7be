// Tests of a user's own, in Vitest and in Jest, with and without a document.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumer } from './harness/consumer.js';

const project = await consumer('test-runners');
// Vitest needs a newer Node than axisnorm does.
const node24 = 'node_modules/node24/bin/node';

/** Both runners write the same report of a run. */
function assertReport(path, count) {
  const { numPassedTests, numTotalTests } = JSON.parse(
    readFileSync(join(project.folder, path), 'utf8'),
  );
  assert.deepEqual([numPassedTests, numTotalTests], [count, count]);
}

for (const environment of ['node', 'jsdom']) {
  test(`Vitest, ${environment}`, async () => {
    const report = `vitest-${environment}.json`;
    const options = ['--environment', environment, '--reporter=json', `--outputFile=${report}`];
    await project.run(node24, 'node_modules/vitest/vitest.mjs', 'run', ...options);
    assertReport(report, 4);
  });

  test(`Jest, ${environment}`, async () => {
    const report = `jest-${environment}.json`;
    const options = [`--env=${environment}`, '--json', `--outputFile=${report}`];
    await project.run(process.execPath, 'node_modules/jest/bin/jest.js', ...options);
    assertReport(report, 5);
  });
}
