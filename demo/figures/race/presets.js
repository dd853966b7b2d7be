/** The regimes of the race, as plain data: what all have in common, and what each of them tells. */

/** Tokens are reversed: eight symbols come in, and then the same from last to first. */
export const TASK = { task: 'reverse', symbols: 8, length: 8 };

/** What no control changes. */
export const TRAINING = { heads: 4, activation: 'relu', batch: 16, optimizer: 'adam' };

/**
 * In all lanes alike, with warm-up or without: at the full rate, what has learned late in training
 * would jump back now and then.
 */
export const SCHEDULE = { decay: 'inverseSqrt', decayFrom: 300 };

/**
 * What the page starts with.
 *
 * rate    the learning rate, after warm-up
 * warmup  steps over which the rate rises from 0, in lanes that warm up
 * seed    of the first run; further runs take the next ones
 * runs    how many seeds are trained at once
 */
export const DEFAULTS = {
  depth: 8,
  rate: 6e-3,
  warmup: 300,
  width: 32,
  steps: 600,
  seed: 1,
  runs: 1,
};

/**
 * A model in the race. What is left out is as in LANE.
 *
 * @typedef {object} Lane
 * @property {'post' | 'pre' | 'sandwich' | 'deepnorm' | 'none'} placement
 * @property {'layer' | 'rms'} norm
 * @property {boolean} warmup  whether the rate rises over the first steps
 * @property {boolean} finalNorm  a norm after the last block
 */

/** Placements that need a norm after the last block, and have one unless told otherwise. */
export const NEED_FINAL_NORM = ['pre', 'sandwich'];

/** @returns {Lane} */
export const lane = (placement, others = {}) => ({
  placement,
  norm: 'layer',
  warmup: false,
  finalNorm: NEED_FINAL_NORM.includes(placement),
  ...others,
});

const post = lane('post');
const pre = lane('pre');
const warm = { warmup: true };

/**
 * Each tells one thing. `lanes`, and what differs from DEFAULTS; `scale` is that of the loss in the
 * chart, where linear does not show it.
 */
export const PRESETS = [
  { name: 'chance', label: 'Post-LN without warm-up stays at chance', lanes: [post, pre] },
  { name: 'rescue', label: 'Warm-up rescues it', lanes: [post, lane('post', warm)] },
  { name: 'needless', label: 'Pre-LN needs none', lanes: [pre, lane('pre', warm)] },
  { name: 'shallow', label: 'Shallow hides the difference', lanes: [post, pre], depth: 2 },
  { name: 'slow', label: 'Slow hides it, too', lanes: [post, pre], rate: 1e-3 },
  {
    name: 'bare',
    label: 'No final norm: a bad start',
    lanes: [pre, lane('pre', { finalNorm: false })],
    depth: 16,
    steps: 200,
    scale: 'log',
  },
  {
    name: 'none',
    label: 'No norm diverges',
    lanes: [lane('none'), pre],
    depth: 12,
    rate: 5e-2,
    steps: 200,
    scale: 'log',
  },
  { name: 'rms', label: 'RMSNorm does as well', lanes: [pre, lane('pre', { norm: 'rms' })] },
];
