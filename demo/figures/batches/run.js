/**
 * One network, trained on the digits with one norm, one batch size and one seed, without a DOM and
 * outside of any worker. The page, the tests and the experiment all train with this.
 */
import {
  CLASSES,
  COUNT,
  digitOf,
  HELD_OUT,
  PIXELS,
  SIDE,
  TRAINING,
} from '../../handwriting/digits.js';
import { random } from '../../shared/random.js';

export const NORMS = {
  batch: { label: 'BatchNorm' },
  group: { label: 'GroupNorm' },
  layer: { label: 'LayerNorm' },
  none: { label: 'No norm' },
};

/** As t.convnet() takes them. */
export const NETWORK = { side: SIDE, channels: [8, 16, 32], groupSize: 4, classes: CLASSES };
export const MOMENTUM = 0.9;
/** Learning rate at the start, for updates that are made of WHOLE images; it falls to 0. */
export const RATE = 0.05;
export const WHOLE = 64;

/** When the network is changed: the rate fits the images behind an update. */
export const UPDATES = {
  whole: { label: `Every ${WHOLE} images`, images: () => WHOLE },
  each: { label: 'Every batch', images: (size) => size },
};

/**
 * @typedef {object} Job
 * @property {'batch' | 'group' | 'layer' | 'none'} norm
 * @property {number} size  images of a batch: they go through the network together
 * @property {number} seed
 * @property {number} seen  images that are trained on, the same ones again in another order
 * @property {'whole' | 'each'} update
 */

/**
 * @typedef {object} Result
 * @property {number} training  share of wrong answers in training, of the last images seen: each
 *   with the statistics of its batch, before the update that it was part of. NaN if it diverged
 * @property {number} inference  share of wrong answers on the images that were held out, with
 *   running statistics. NaN if it diverged
 */

/** Gives images in random order, all of them before any comes again. */
function shuffled(seed) {
  const next = random(seed);
  const order = Uint16Array.from({ length: TRAINING }, (_, i) => i);
  let at = TRAINING;
  return () => {
    if (at === TRAINING) {
      for (let i = TRAINING - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [order[i], order[j]] = [order[j], order[i]];
      }
      at = 0;
    }
    return order[at++];
  };
}

/**
 * @param {import('../../../js/train/index.js').Training} t
 * @param {Float32Array} images  of standardize()
 * @param {Job} job
 */
export function newRun(t, images, { norm, size, seed, seen, update }) {
  const net = t.convnet({ ...NETWORK, norm, batch: size, seed });
  const perUpdate = UPDATES[update].images(size);
  const trainer = t.convnetTrainer(net, { momentum: MOMENTUM, accumulate: perUpdate / size });
  const draw = shuffled(seed);
  const batches = seen / size;
  /** The rate is in proportion to the images behind an update [Goyal et al. 2017]. */
  const rate = (RATE * perUpdate) / WHOLE;
  let made = 0;
  let isSound = true;
  let [wrong, counted] = [0, 0];

  /** Puts image k to place i of the batch. */
  function put(i, k) {
    net.images.set(images.subarray(k * PIXELS, (k + 1) * PIXELS), i * PIXELS);
    net.targets[i] = digitOf(k);
  }

  function infer() {
    let right = 0;
    for (let first = TRAINING; first < COUNT; first += size) {
      net.targets.fill(-1);
      for (let i = 0; i < size && first + i < COUNT; i++) put(i, first + i);
      net.infer();
      right += net.loss().correct;
    }
    return 1 - right / HELD_OUT;
  }

  return {
    /** From 0 to 1. */
    get progress() {
      return made / batches;
    },
    /** Trains on one batch; false once there is nothing left to do. */
    advance() {
      if (made === batches || !isSound) return false;
      for (let i = 0; i < size; i++) put(i, draw());
      trainer.rate = rate * (1 - Math.floor((made * size) / perUpdate) / (seen / perUpdate));
      const step = trainer.step();
      made += 1;
      isSound = step.finite;
      if (made * size > seen - TRAINING) {
        wrong += step.counted - step.correct;
        counted += step.counted;
      }
      return true;
    },
    /** @returns {Result} */
    result() {
      if (!isSound) return { training: Number.NaN, inference: Number.NaN };
      return { training: wrong / counted, inference: infer() };
    },
    dispose: () => net.dispose(),
  };
}

/**
 * A run to its end.
 *
 * @param {Parameters<typeof newRun>} settings
 */
export function runAll(...settings) {
  const run = newRun(...settings);
  try {
    while (run.advance());
    return run.result();
  } finally {
    run.dispose();
  }
}
