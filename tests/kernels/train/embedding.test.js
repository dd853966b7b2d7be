import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../helpers/random.js';
import { ERR_INDEX } from '../../helpers/signatures.js';
import { product } from '../../helpers/suite.js';
import * as oracle from '../../helpers/train/oracle.js';
import * as fn from '../../helpers/train/signatures.js';
import { refused, Trial, testKernel } from '../../helpers/train/suite.js';

const lists = {
  sizes: [
    ...product({
      rows: [1, 6, 20],
      tokens: [1, 3, 7],
      vocabulary: [1, 5],
      width: [1, 3, 4, 8, 11],
    }),
    { rows: 240, tokens: 15, vocabulary: 10, width: 32 },
    { rows: 5, tokens: 8, vocabulary: 300, width: 6 }, // fewer rows than tokens
  ],
  few: [
    { rows: 5, tokens: 2, vocabulary: 4, width: 3 },
    { rows: 6, tokens: 3, vocabulary: 2, width: 8 },
  ],
};

function inputs({ rows, vocabulary }, label) {
  const next = random(`${label} ids`);
  const ids = Uint32Array.from({ length: rows }, () => ((next() + 1) / 2) * vocabulary);
  return { ids };
}

const forward = { fn: fn.embeddingForward, want: oracle.embeddingForward, inputs };
const backward = { fn: fn.embeddingBackward, want: oracle.embeddingBackward, inputs };

for (const kernel of [forward, backward]) {
  testKernel(kernel, lists, () => {
    test('an id beyond the table is refused before anything is written', () => {
      const trial = new Trial(kernel, { rows: 5, tokens: 2, vocabulary: 4, width: 3 });
      for (let at = 0; at < 5; at++) {
        for (const id of [4, 5, 2 ** 31, 2 ** 32 - 1]) {
          const ids = trial.values.ids.slice();
          ids[at] = id;
          refused(trial, { ids }, ERR_INDEX, `ids[${at}]=${id}`);
        }
      }
    });
  });
}

test('rows of the table that no id names have gradient 0', () => {
  const trial = new Trial(backward, { rows: 6, tokens: 3, vocabulary: 4, width: 5 });
  const { dtable } = trial.with({ ids: Uint32Array.of(0, 2, 2, 0, 2, 0) }, 'ids 0 and 2').check();
  const used = (i) => [0, 2].includes(Math.floor(i / 5));
  for (let i = 0; i < dtable.length; i++) assert.equal(dtable[i] !== 0, used(i), `dtable[${i}]`);
});

test('a NaN row spoils what it came from only', () => {
  const trial = new Trial(backward, { rows: 4, tokens: 2, vocabulary: 3, width: 5 });
  const dy = trial.values.dy.map((v, i) => (Math.floor(i / 5) === 1 ? NaN : v));
  const got = trial.with({ dy, ids: Uint32Array.of(0, 1, 2, 0) }, 'NaN').run();
  for (let i = 0; i < 15; i++) {
    assert.equal(Number.isNaN(got.dtable[i]), Math.floor(i / 5) === 1, `dtable[${i}]`);
  }
  for (let i = 0; i < 10; i++) {
    assert.equal(Number.isNaN(got.dpositions[i]), Math.floor(i / 5) === 1, `dpositions[${i}]`);
  }
});
