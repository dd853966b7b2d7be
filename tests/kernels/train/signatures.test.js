import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as signatures from '../../helpers/train/signatures.js';

test('every function of the header is described, and so tested', () => {
  const path = new URL('../../../include/axisnorm_train.h', import.meta.url);
  const header = readFileSync(path, 'utf8');
  const declared = [...header.matchAll(/^AN_API\b[^;(]*?\b(an_[a-z0-9_]+)\(/gm)];
  assert.deepEqual(
    Object.values(signatures)
      .map(({ symbol }) => symbol)
      .sort(),
    declared.map(([, name]) => name).sort(),
  );
});
