/*
 * How inputs are drawn, by the name that the tables show: z is a standard normal number, `at` says
 * where it goes: { set, place, channel }, with `place` counted within the set.
 */
import { random } from '../helpers/random.js';

const normal = (z) => z;
const meanOf = (mean) => (z) => mean + z;
const scaled = (factor) => (z) => factor * z;

/** 1 channel in 64 is 20 to 100 times as large as the others. */
const outlierChannels = (z, { channel }) =>
  channel % 64 === 7 ? z * (20 + ((channel * 37) % 81)) : z;

/** Each channel of a feature map has its own mean and contrast. */
function featureMap(z, { channel }) {
  const mean = ((channel * 7) % 13) / 4 - 1.5;
  const contrast = 0.3 + ((channel * 5) % 11) / 10;
  return mean + contrast * z;
}

const CONSTANTS = [0.1, 1000.1, -1 / 3, 16777215, 1e-20, -3e38, 0, 12345.678];
const constant = (_, { set }) => CONSTANTS[set % CONSTANTS.length];

const outlier = (z, { place }) => (place === 700 ? 1e4 : z);
const nearEps = scaled(0.003);

const MIXED = [normal, meanOf(1000), scaled(1e25), nearEps, constant, scaled(1e-30), outlier];
const mixed = (z, at) => MIXED[at.set % MIXED.length](z, at);

export const REALISTIC = {
  'N(0, 1)': normal,
  'outlier channels × 20 … 100': outlierChannels,
  'after ReLU': (z) => Math.max(z, 0),
  'mean 0.5, spread 1': meanOf(0.5),
  'feature map': featureMap,
  'He-initialized': scaled(0.06),
};

export const HOSTILE = {
  'mean 3 × spread': meanOf(3),
  'mean 30 × spread': meanOf(30),
  'mean 100 × spread': meanOf(100),
  'mean 1000 × spread': meanOf(1000),
  'mean 10⁶ × spread': meanOf(1e6),
  '40000 … 40003': (_, { place }) => 40000 + (place % 4),
  'about 1e25': scaled(1e25),
  'about 1e-30': scaled(1e-30),
  '± 3e38': (z) => (z < 0 ? -3e38 : 3e38),
  'subnormal, 1e-40': scaled(1e-40),
  'one outlier, 10⁴ × spread': outlier,
  constant,
  'variance near eps': nearEps,
  'variance near eps, mean 1': (z) => 1 + nearEps(z),
  'a mixture': mixed,
};

export const UPSTREAM = {
  'N(0, 1)': normal,
  'N(0.1, 1)': meanOf(0.1),
  'N(100, 1)': meanOf(100),
};

/** Standard normal numbers, by the polar form of Box and Muller. */
export function normals(label) {
  const next = random(label);
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const z = spare;
      spare = Number.NaN;
      return z;
    }
    for (;;) {
      const u = next();
      const v = next();
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const r = Math.sqrt((-2 * Math.log(s)) / s);
      spare = v * r;
      return u * r;
    }
  };
}
