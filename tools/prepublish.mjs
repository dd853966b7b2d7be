// Before npm publish: refuses a tree that is not committed, not described in CHANGELOG.md, not built
// from its sources or not tested.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../js/version.js';
import { fail, node, outputOf, root, say } from './lib.mjs';
import { problemsOf } from './release.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

const problems = problemsOf({
  package: JSON.parse(read('package.json')),
  changelog: read('CHANGELOG.md'),
  libraryVersion: VERSION,
  cmake: read('CMakeLists.txt'),
  status: outputOf('git', ['status', '--porcelain']),
});
if (problems.length > 0) fail(`not published; expected that\n  ${problems.join('\n  ')}`);
// All steps, of which "wasm" compares js/wasm with what src/ compiles to.
if (!node('tools/test.mjs')) fail('not published: npm test fails');
say(`version ${VERSION} may be published`);
