/* The table's limits for axisnorm itself, as tests; the test files share the norms out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisnorm } from './axisnorm.js';
import { casesOf } from './cases.js';
import { limitOf } from './limits.js';
import { librariesOf, measure, PARTS } from './measure.js';
import { NORMS } from './norms.js';

const libraries = await axisnorm();

/** @param {string[]} ids  of norms */
export function testLimits(...ids) {
  for (const norm of NORMS.filter(({ id }) => ids.includes(id))) {
    test(`${norm.title}: both builds, both layouts and exact: true`, async () => {
      for (const one of casesOf(norm)) {
        const cells = await measure(libraries, one);
        for (const library of librariesOf(norm, libraries)) {
          for (const part of PARTS) {
            const { units, reason } = cells.get(library.name)[part.id];
            const label = `${one.name}: ${library.name}, ${part.title}`;
            assert.equal(reason, undefined, label);
            const limit = limitOf(library, part, one.hostile);
            assert.ok(units <= limit, `${label}: ${units.toPrecision(3)} units, limit ${limit}`);
          }
        }
      }
    });
  }
}
