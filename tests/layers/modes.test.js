// Any sequence of training, inference, saving and loading, against the functions.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BatchNorm } from '../../js/layers/index.js';
import { sameBits } from '../helpers/bits.js';
import { randomArray } from '../helpers/random.js';
import { property } from '../properties/property.js';
import { builds } from './support.js';

const step = fc.record({
  mode: fc.constantFrom('train', 'train', 'eval', 'reload'),
  batch: fc.integer({ min: 0, max: 5 }),
  space: fc.integer({ min: 1, max: 9 }),
  isSpoilt: fc.constantFrom(false, false, false, true),
});

/** What a BatchNorm does, with the functions and state in arrays. */
class Model {
  constructor(an, channels, options) {
    this.an = an;
    this.options = options;
    this.batches = 0;
    this.state = {
      runningMean: new Float32Array(channels),
      runningVar: new Float32Array(channels).fill(1),
    };
  }

  train(x, shape) {
    const { runningVar: runningVarEstimate, momentum } = this.options;
    const f = this.an.batchNorm.forward(x, {
      ...{ shape, ...this.state, runningVarEstimate, momentum, numBatchesTracked: this.batches },
    });
    const channels = this.state.runningMean.length;
    if (x.length > 0 && f.skippedChannels < channels) this.batches += 1;
    return f.y;
  }

  eval(x, shape) {
    return this.an.batchNorm(x, { shape, ...this.state });
  }
}

/** A new layer in place of one, by its saved state. */
function reload(an, layer, channels, options) {
  const next = new BatchNorm(an, channels, options);
  next.loadStateDict(layer.stateDict());
  layer.dispose();
  return next;
}

for (const an of builds) {
  property(
    `${an.build}: inference takes what training has tracked, and training goes on from there`,
    150,
    fc.record({
      channels: fc.integer({ min: 1, max: 4 }),
      momentum: fc.constantFrom(0.1, 0, 1, 0.3, null),
      runningVar: fc.constantFrom('unbiased', 'biased'),
      steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    }),
    ({ channels, momentum, runningVar, steps }) => {
      const options = { momentum, runningVar };
      const model = new Model(an, channels, options);
      let layer = new BatchNorm(an, channels, options);
      for (const [i, { mode, batch, space, isSpoilt }] of steps.entries()) {
        if (mode === 'reload') {
          layer = reload(an, layer, channels, options);
          continue;
        }
        // One value a channel has no variance.
        const shape = [batch * space === 1 ? 2 : batch, channels, space];
        const length = shape[0] * channels * space;
        const x = randomArray(`step ${i}`, length, (u) => (i + 1) * u + i);
        if (isSpoilt && length > 0) x[i % length] = NaN;
        const want = model[mode](x, shape);
        sameBits(layer[mode]().forward(x, { shape }), want, `step ${i}: y`);
        assert.equal(layer.numBatchesTracked, model.batches);
        for (const name of ['runningMean', 'runningVar']) {
          sameBits(layer[name].slice(), model.state[name], `step ${i}: ${name}`);
        }
      }
      layer.dispose();
    },
  );
}
