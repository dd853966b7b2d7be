// npm run test:consumers: every consumer, or those whose file has one of the given words in its name.
// npm run test:consumers -- runtimes next
import { filesIn } from '../../tools/lib.mjs';
import { runNodeTests } from '../../tools/node-tests.mjs';
import { packed } from './harness/pack.js';

const words = process.argv.slice(2);
const files = filesIn('tests/consumers', /\.test\.js$/).filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
await packed();
const { passed, failures } = await runNodeTests(files);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = passed === 0 || failures.length > 0 ? 1 : 0;
