// docs/consumers.md says what is tried.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const here = new URL('./', import.meta.url);
const page = readFileSync(new URL('../../docs/consumers.md', here), 'utf8');
const projects = readdirSync(here).filter((name) =>
  existsSync(new URL(`${name}/package.json`, here)),
);

/** Packages that come along: helpers of those that are tried, and a newer Node to run them. */
const HELPERS = /^(@rollup\/plugin-node-resolve|webpack-cli|node24)$/;

for (const project of projects) {
  test(project, () => {
    const url = new URL(`${project}/package.json`, here);
    const { dependencies = {} } = JSON.parse(readFileSync(url, 'utf8'));
    for (const [name, specifier] of Object.entries(dependencies)) {
      const version = specifier.replace(/^npm:.*@/, '');
      assert.match(version, /^\d+\.\d+\.\d+$/, `${name} has no exact version`);
      if (HELPERS.test(name) && project !== 'runtimes') continue;
      assert.ok(page.includes(version), `docs/consumers.md does not name ${name} ${version}`);
    }
  });
}
