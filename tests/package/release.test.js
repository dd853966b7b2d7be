// What is refused before a version is published.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { problemsOf } from '../../tools/release.mjs';

const RIGHT = {
  package: { version: '1.2.3', repository: 'somewhere' },
  changelog:
    '# Changelog\n\n## 1.2.3 - 2026-01-31\n\n### Added\n\n- A norm.\n\n## 1.2.2 - 2026-01-01\n',
  libraryVersion: '1.2.3',
  cmake: 'project(axisnorm VERSION 1.2.3 LANGUAGES C)',
  status: '',
};

test('a tree that is right', () => assert.deepEqual(problemsOf(RIGHT), []));

for (const [label, change, expected] of [
  ['something is not committed', { status: ' M js/index.js\n' }, /committed/],
  ['git fails', { status: null }, /committed/],
  ['a version that is none', { package: { ...RIGHT.package, version: '1.2' } }, /such as 1\.2\.3/],
  ['the library says another', { libraryVersion: '1.2.2' }, /js\/version\.js says 1\.2\.3/],
  ['the C project says another', { cmake: RIGHT.cmake.replace('1.2.3', '1.2.30') }, /CMakeLists/],
  ['no section', { changelog: '# Changelog\n\n## Unreleased\n\n- A norm.\n' }, /has a section/],
  ['no date', { changelog: '## 1.2.3\n\n- A norm.\n' }, /has a date/],
  ['nothing changed', { changelog: '## 1.2.3 - 2026-01-31\n\n' }, /says what changed/],
  ['no repository', { package: { version: '1.2.3' } }, /repository/],
]) {
  test(`refused: ${label}`, () => {
    const problems = problemsOf({ ...RIGHT, ...change });
    assert.ok(
      problems.some((problem) => expected.test(problem)),
      problems.join(),
    );
  });
}

test('npm publish asks', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
  assert.equal(scripts.prepublishOnly, 'node tools/prepublish.mjs');
});
