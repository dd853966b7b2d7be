// What a page transfers stays within its budgets, and docs/size.md says what it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { BUDGETS, GOALS } from './budgets.js';
import { layer, measureSizes, NORMS, slimWith } from './items.js';
import { blockOf, differences, sizeBlocks, withBlock } from './page.js';
import { readmeFigures } from './readme.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const items = await measureSizes();

describe('budgets', () => {
  for (const { id, gzip } of items) {
    test(id, () => {
      assert.ok(
        gzip <= BUDGETS[id],
        `${gzip} bytes, budget ${BUDGETS[id]} (tests/size/budgets.js)`,
      );
    });
  }

  test('everything has one, and nothing else does', () => {
    assert.deepEqual(Object.keys(BUDGETS).sort(), items.map(({ id }) => id).sort());
  });

  test('goals are set for what is measured', () => {
    const unknown = GOALS.filter(({ id }) => !items.some((item) => item.id === id));
    assert.deepEqual(unknown, []);
  });
});

/** The kernels that a bundle calls. By layer_norm_forward it also tells a module from another. */
function kernelsIn([{ code }]) {
  const names = code.replaceAll(/(["'`])an_layer_norm_forward\1/g, '').match(/an_[a-z]+_[a-z]+/g);
  return new Set(names?.filter((name) => name !== 'an_workspace_size'));
}

describe('what is not asked for does not come along', () => {
  for (const [name, kernel] of Object.entries(NORMS)) {
    test(`axisnorm/slim with ${name}`, async () => {
      assert.deepEqual([...kernelsIn(await slimWith(name))], [kernel]);
    });
  }

  test('axisnorm/slim with all norms', async () => {
    const kernels = kernelsIn(await slimWith(...Object.keys(NORMS)));
    assert.deepEqual([...kernels].sort(), [...new Set(Object.values(NORMS))].sort());
  });

  test('axisnorm/layers with LayerNorm', async () => {
    const [{ code }] = await layer('LayerNorm');
    const names = new Set(code.match(/\b(Batch|Group|Instance|Layer|RMS)Norm\b/g));
    assert.deepEqual([...names], ['LayerNorm']);
  });
});

describe('docs', () => {
  for (const { id, text } of sizeBlocks(items)) {
    test(`docs/size.md, ${id}: npm run size -- --write`, () => {
      assert.deepEqual(differences(blockOf(read('docs/size.md'), id), text), []);
    });
  }

  const figures = readmeFigures(items, read('docs/size.md'));
  for (const { what, written, expected } of figures(read('README.md'))) {
    test(`README.md, ${what}`, () => {
      const isClose = Math.abs(written - expected) < 0.01 * expected + 0.05;
      assert.ok(isClose, `written: ${written} KB, measured: ${expected.toFixed(1)} KB`);
    });
  }

  test('a difference is one of words or of more than 1 %', () => {
    assert.deepEqual(differences('| a |  1000 |', '| a | 1009 |'), []);
    assert.equal(differences('| a | 1000 |', '| a | 1012 |').length, 1);
    assert.equal(differences('| a | 7 | met |', '| a | 7 | missed |').length, 1);
    assert.equal(differences('| a | 7 |', '| a | 7 |\n| b | 7 |').length, 1);
  });

  test('only what is between its comments is replaced', () => {
    const page = 'A\n<!-- npm run size: x -->\n\nold\n\n<!-- end -->\nB';
    const text = withBlock(page, { id: 'x', text: 'new' });
    assert.equal(text, page.replace('old', 'new'));
    assert.throws(() => withBlock(page, { id: 'y', text: 'new' }), /no block "y"/);
  });
});
