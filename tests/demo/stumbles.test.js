// Where BatchNorm stumbles: the models against the oracle.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BLOCKS, batch, LARGEST } from '../../demo/figures/stumbles/batch-model.js';
import { batchCode, paddingCode, runningCode } from '../../demo/figures/stumbles/code.js';
import {
  FEATURES,
  featuresOf,
  LENGTHS,
  padding,
  SENTENCES,
} from '../../demo/figures/stumbles/padding-model.js';
import {
  BATCH_SIZE,
  BATCHES,
  batchesUpTo,
  halfLife,
  history,
  MOMENTA,
  normalized,
} from '../../demo/figures/stumbles/running-model.js';
import { load } from '../../js/index.js';
import { runListing } from '../browser/listing.js';
import * as oracle from '../helpers/oracle.js';

const an = await load();
const eps = 1e-5;

const assertClose = (got, want, label, tolerance = 1e-5) => {
  assert.equal(got.length, want.length, label);
  for (let i = 0; i < want.length; i++) {
    const limit = tolerance * Math.max(1, Math.abs(want[i]));
    assert.ok(Math.abs(got[i] - want[i]) <= limit, `${label}[${i}]: ${got[i]}, not ${want[i]}`);
  }
};

/** Statistics and y of BatchNorm over the leading axis and what follows the channel. */
function batchOracle(x, channels, outer) {
  const axes = oracle.batchNormAxes({ outer, channels, inner: x.length / channels / outer });
  const stats = oracle.statistics(axes, x, { eps });
  return { stats, y: oracle.forward(axes, { x }, stats).y };
}

const column = (channels, name) => channels.map((one) => one[name]);

describe('batch size', () => {
  for (const block of Object.keys(BLOCKS)) {
    test(`${block}: numbers are those of the oracle at every size`, () => {
      for (let size = 1; size <= LARGEST; size++) {
        const model = batch(an, { block, size });
        const label = `${block}, ${size}`;
        if (block === 'table' && size === 1) {
          assert.equal(model.batch, undefined);
          assert.match(model.refusal, /^x: expected more than 1 value per channel when training/);
        } else {
          const { stats, y } = batchOracle(model.x, model.channels.length, size);
          assertClose(column(model.batch.channels, 'mean'), stats.mean, `${label}: mean`);
          assertClose(column(model.batch.channels, 'variance'), stats.variance, `${label}: σ²`);
          assertClose(model.batch.y, y, `${label}: y`, 1e-4);
          assert.equal(model.perChannel, stats.count[0]);
        }
        const axes = oracle.layerNormAxes({ rows: size, cols: model.one });
        const { y } = oracle.forward(axes, model, oracle.statistics(axes, model.x, { eps }));
        assertClose(model.layer, y, `${label}: LayerNorm`);
      }
    });
  }

  test('LayerNorm gives example 1 the same bits in every batch', () => {
    for (const block of Object.keys(BLOCKS)) {
      const [alone, ...others] = [1, 2, 7, 16].map((size) => batch(an, { block, size }));
      const bits = ({ layer, one }) => [...new Uint32Array(layer.slice(0, one).buffer)];
      for (const other of others) assert.deepEqual(bits(other), bits(alone));
    }
  });

  test('of two rows one becomes +1 and one −1', () => {
    for (const v of batch(an, { block: 'table', size: 2 }).batch.y) {
      assert.ok(Math.abs(Math.abs(v) - 1) < 1e-3, `${v}`);
    }
  });

  test('what the batch stands for are all 150 examples', () => {
    const { all } = batch(an, { block: 'table', size: 4 });
    const { stats } = batchOracle(BLOCKS.table.all, 4, 150);
    assertClose(column(all, 'mean'), stats.mean, 'mean');
    assertClose(column(all, 'variance'), stats.variance, 'variance');
  });

  test('the listing logs what the figure shows', async () => {
    for (const state of [
      { block: 'table', size: 3 },
      { block: 'image', size: 1 },
    ]) {
      const [mean, , y, layer] = await runListing(batchCode(state).js);
      const model = batch(an, state);
      assert.deepEqual([...mean], column(model.batch.channels, 'mean'));
      assert.deepEqual(y, model.batch.y);
      assert.deepEqual(layer, model.layer);
    }
    const refused = { block: 'table', size: 1 };
    const [message, layer] = await runListing(batchCode(refused).js);
    assert.equal(message, batch(an, refused).refusal);
    assert.deepEqual(layer, batch(an, refused).layer);
  });
});

describe('running statistics', () => {
  /** The formulas of the two readings. */
  const update = {
    pytorch: (old, now, m) => (1 - m) * old + m * now,
    keras: (old, now, m) => m * old + (1 - m) * now,
  };

  test('both readings follow their formulas, with their variance', () => {
    const x = batchesUpTo(BATCHES);
    for (const m of MOMENTA) {
      const { readings, batches } = history(an, m);
      for (const [key, step] of Object.entries(update)) {
        let [mean, variance] = [0, 1];
        const n = BATCH_SIZE;
        for (let i = 0; i < BATCHES; i++) {
          const { stats } = batchOracle(x.subarray(i * n, (i + 1) * n), 1, n);
          assertClose(
            [batches[i].mean, batches[i].variance],
            [stats.mean[0], stats.variance[0]],
            'b',
          );
          const ofBatch = stats.variance[0] * (key === 'pytorch' ? n / (n - 1) : 1);
          mean = step(mean, stats.mean[0], m);
          variance = step(variance, ofBatch, m);
          const got = readings[key][i + 1];
          assertClose([got.mean, got.variance], [mean, variance], `${key}, ${m}, ${i + 1}`);
        }
      }
    }
  });

  test('0.1 is 0.9 to the other, up to the variance', () => {
    const mean = (m, key) => history(an, m).readings[key].map((s) => s.mean);
    assertClose(mean(0.1, 'pytorch'), mean(0.9, 'keras'), 'mean');
  });

  test('half of the statistics is made by so many batches', () => {
    for (const weight of MOMENTA) {
      const n = halfLife(weight);
      const sum = (count) => 1 - (1 - weight) ** count; // Σ weight·(1 − weight)^age
      assert.ok(sum(n) >= 0.5 - 1e-9 && sum(n - 1) < 0.5, `${weight}: ${n}`);
    }
    assert.equal(halfLife(0.1), 7);
    assert.equal(halfLife(0.9), 1);
  });

  test('y of a batch: by its own statistics, or by frozen ones', () => {
    const x = batchesUpTo(3).subarray(2 * BATCH_SIZE);
    const own = normalized(an, 2);
    assertClose(own.y, batchOracle(x, 1, BATCH_SIZE).y, 'training');
    assertClose([own.mean, own.variance], [0, 1], 'training', 1e-4);
    const frozen = { mean: 2, variance: 4 };
    const want = Array.from(x, (v) => (v - 2) / Math.sqrt(4 + eps));
    assertClose(normalized(an, 2, frozen).y, want, 'inference');
  });

  test('the listing logs what the figure shows', async () => {
    for (const trained of [0, 5]) {
      const logged = await runListing(runningCode({ momentum: 0.1, trained }).js);
      const { readings } = history(an, 0.1);
      const want = Object.values(readings).flatMap((steps) => [
        steps[trained].mean,
        steps[trained].variance,
      ]);
      assert.deepEqual(
        logged.map(([v]) => v),
        want,
      );
    }
  });
});

describe('padding', () => {
  const words = Float32Array.from(SENTENCES.flat().flatMap(featuresOf));

  test('zeros enter BatchNorm’s statistics and leave LayerNorm’s bits alone', () => {
    for (const length of [LENGTHS.min, 12, LENGTHS.max]) {
      const model = padding(an, { length });
      assert.deepEqual(model.tokens, words);
      assert.equal(model.x.length, SENTENCES.length * length * FEATURES);
      const dirty = batchOracle(model.x, FEATURES, SENTENCES.length * length).stats;
      const clean = batchOracle(words, FEATURES, words.length / FEATURES);
      const { batch: seen, layer } = model;
      assertClose(column(seen.padded.channels, 'mean'), dirty.mean, 'padded mean');
      assertClose(column(seen.padded.channels, 'variance'), dirty.variance, 'padded variance');
      assertClose(column(seen.alone.channels, 'mean'), clean.stats.mean, 'mean');
      assertClose(column(seen.alone.channels, 'variance'), clean.stats.variance, 'variance');
      assertClose(seen.alone.y, clean.y, 'y');
      assert.equal(seen.changed, words.length);
      assert.equal(layer.changed, 0);
      const axes = oracle.layerNormAxes({ rows: words.length / FEATURES, cols: FEATURES });
      const { y } = oracle.forward(axes, { x: words }, oracle.statistics(axes, words, { eps }));
      assertClose(layer.padded.y, y, 'LayerNorm');
    }
  });

  test('with a mask BatchNorm gives words the bits that they have alone', () => {
    for (const length of [LENGTHS.min, 12, LENGTHS.max]) {
      const { batch: seen, layer } = padding(an, { length, mask: true });
      assert.equal(seen.changed, 0);
      assert.deepEqual(seen.padded, seen.alone);
      assert.deepEqual(seen.alone, padding(an, { length, mask: false }).batch.alone);
      assert.equal(layer.changed, 0);
    }
  });

  test('the listing logs what the figure shows', async () => {
    const model = padding(an, { length: 9 });
    const [dirty, masked, clean, first, alone] = await runListing(paddingCode({ length: 9 }).js);
    assert.deepEqual([...dirty], column(model.batch.padded.channels, 'mean'));
    const withMask = padding(an, { length: 9, mask: true });
    assert.deepEqual([...masked], column(withMask.batch.padded.channels, 'mean'));
    assert.deepEqual([...clean], column(model.batch.alone.channels, 'mean'));
    assert.deepEqual(first, alone);
    assert.deepEqual(first, model.layer.padded.y.slice(0, first.length));
  });
});
