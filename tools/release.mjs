// What has to hold before a version is published.

/** The section of a version in CHANGELOG.md: `## 1.2.3 - 2026-01-31`; undefined where it is missing. */
const sectionOf = (changelog, version) =>
  changelog
    .split(/^## /m)
    .slice(1)
    .find((section) => section.split(/\s/, 1)[0] === version);

/**
 * What is wrong with a tree that is to be published; an empty list for one that is right.
 *
 * @param {object} tree
 * @param {{ version: string, repository?: unknown }} tree.package  package.json
 * @param {string} tree.changelog
 * @param {string} tree.libraryVersion  VERSION in js/version.js
 * @param {string} tree.cmake  CMakeLists.txt
 * @param {string | null} tree.status  what `git status --porcelain` prints; null: it failed
 * @returns {string[]}
 */
export function problemsOf({
  package: { version, repository },
  changelog,
  libraryVersion,
  cmake,
  status,
}) {
  const section = sectionOf(changelog, version);
  const dated = new RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}\\n`);
  const checks = [
    [status === '', 'everything is committed (git status prints nothing)'],
    [/^\d+\.\d+\.\d+$/.test(version), `package.json has a version such as 1.2.3, not ${version}`],
    [libraryVersion === version, `js/version.js says ${version}, not ${libraryVersion}`],
    [cmake.includes(`VERSION ${version} `), `CMakeLists.txt says ${version}`],
    [section !== undefined, `CHANGELOG.md has a section "## ${version} - YYYY-MM-DD"`],
    [section === undefined || dated.test(section), `the section of ${version} has a date`],
    [section === undefined || /^- /m.test(section), `the section of ${version} says what changed`],
    [repository !== undefined, 'package.json has the address of the repository'],
  ];
  return checks.filter(([isRight]) => !isRight).map(([, expected]) => expected);
}
