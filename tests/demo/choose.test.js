// Which one should I use: what is recommended, and that every claim has a state that shows it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FIELDS as batches } from '../../demo/figures/batches/fields.js';
import { FIELDS as choose } from '../../demo/figures/choose/fields.js';
import { ARCHITECTURES, BATCHES, COMPARISON, recommend } from '../../demo/figures/choose/model.js';
import { FIELDS as depth } from '../../demo/figures/depth/fields.js';
import { FIELDS as digits } from '../../demo/figures/digits/fields.js';
import { FIELDS as stumbles } from '../../demo/figures/stumbles/fields.js';
import { oneOf, readState, writeState } from '../../demo/state.js';

const answer = oneOf(['', 'skip']);
const fields = { batches, choose, depth, digits, stumbles };
const grid =
  /^#(grid|moves)\.norm=(batch|layer|rms|instance)(&grid\.preset=image|&grid\.tab=code|&moves\.answer=skip)?$/;

/** A link is read as it is written: no name or value in it is unknown. */
function assertLink(hash) {
  const [name] = hash.slice(1).split('.');
  if (fields[name] === undefined) {
    assert.match(hash, grid);
    return;
  }
  const own = { ...fields[name], answer };
  const state = readState(name, own, hash);
  const sorted = (text) => text.slice(1).split('&').sort();
  assert.deepEqual(sorted(writeState(name, own, state)), sorted(hash));
}

const all = Object.keys(ARCHITECTURES).flatMap((architecture) =>
  BATCHES.map((batch) => ({ architecture, batch })),
);

describe('recommendations', () => {
  test('each has a reason, a source and a state that shows it', () => {
    for (const state of all) {
      const { norms, reason, sources, links } = recommend(state);
      assert.ok(norms.length > 0 && reason.length > 20);
      assert.ok(sources.length > 0 && links.length > 0);
      for (const { href } of sources)
        assert.match(href, /^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
      for (const [hash] of links) assertLink(hash);
    }
  });

  const norms = (architecture, batch) => recommend({ architecture, batch }).norms;

  test('language models, recurrent networks and transformers: whatever the batch', () => {
    for (const batch of BATCHES) {
      assert.deepEqual(norms('llm', batch), ['RMSNorm']);
      assert.deepEqual(norms('rnn', batch), ['LayerNorm']);
      assert.deepEqual(norms('transformer', batch), ['LayerNorm']);
    }
  });

  test('convolutional networks: by the batch, never LayerNorm', () => {
    for (const batch of BATCHES) {
      const want =
        batch >= 32 ? ['BatchNorm'] : batch >= 8 ? ['GroupNorm', 'BatchNorm'] : ['GroupNorm'];
      assert.deepEqual(norms('cnn', batch), want, `${batch}`);
    }
  });

  test('BatchNorm is never recommended for a batch of one', () => {
    for (const architecture of Object.keys(ARCHITECTURES)) {
      assert.ok(!norms(architecture, 1).includes('BatchNorm'), architecture);
    }
  });
});

test('every claim of the comparison leads to a state', () => {
  for (const { batch, layer } of COMPARISON) {
    for (const [text, hash] of [batch, layer]) {
      assert.ok(text.length > 5);
      assertLink(hash);
    }
  }
});
