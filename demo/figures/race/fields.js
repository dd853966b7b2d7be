/** What the visitor can set. */
import { custom, numberIn, oneOf } from '../../state.js';
import { readLanes, writeLanes } from './lanes.js';
import { DEFAULTS, PRESETS } from './presets.js';

export const DEPTHS = [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24];
export const RATES = [3e-4, 1e-3, 2e-3, 3e-3, 4e-3, 6e-3, 8e-3, 1e-2, 2e-2, 5e-2];
export const WARMUPS = [50, 100, 200, 300, 400, 500];
export const WIDTHS = [16, 32, 64];
export const RUNS = [1, 3, 5];
export const STEPS = { min: 100, max: 2000, step: 100 };
export const SEEDS = { min: 1, max: 20 };

/** How many steps a lane may take in a second. */
export const PACES = {
  4: { label: '4', perSecond: 4 },
  20: { label: '20', perSecond: 20 },
  full: { label: 'No limit', perSecond: Infinity },
};

export const SCALES = { linear: 'Linear', log: 'Logarithmic' };

const among = (values, initial) =>
  custom(initial, (text) => values.find((value) => String(value) === text), String);

const { depth, rate, warmup, width, steps, seed, runs } = DEFAULTS;

export const FIELDS = {
  lanes: custom(PRESETS[0].lanes, readLanes, writeLanes),
  depth: among(DEPTHS, depth),
  rate: among(RATES, rate),
  warmup: among(WARMUPS, warmup),
  width: among(WIDTHS, width),
  // Short races are for tests and the patient; the slider begins later.
  steps: numberIn(1, STEPS.max, steps, { whole: true }),
  seed: numberIn(SEEDS.min, SEEDS.max, seed, { whole: true }),
  runs: among(RUNS, runs),
  pace: oneOf(Object.keys(PACES), 'full'),
  scale: oneOf(Object.keys(SCALES)),
};
