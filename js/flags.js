/** The flags of include/axisnorm.h. */
import { expectFlag } from './check.js';

const EXACT = 1;
export const ACCUMULATE = 2;
export const CHANNELS_LAST = 4;
export const BIASED_RUNNING = 8;

/** @param {boolean | undefined} exact */
export function exactFlag(exact) {
  expectFlag('exact', exact);
  return exact ? EXACT : 0;
}

/** @param {{ exact?: boolean, accumulate?: boolean }} options */
export function backwardFlags({ exact, accumulate }) {
  expectFlag('accumulate', accumulate);
  return exactFlag(exact) | (accumulate ? ACCUMULATE : 0);
}
