/** Where the norms of a transformer are. */

/**
 * @typedef {object} Placement
 * @property {boolean} [input]  on the way into each branch: f(norm(x))
 * @property {boolean} [branch]  on the way out of it: norm(f(x))
 * @property {boolean} [sum]  behind each addition: norm(x + f(x))
 * @property {boolean} finalNorm  whether there usually is one behind the last block
 * @property {boolean} [scaled]  whether x counts more, and weights start smaller, the deeper it is
 */

/**
 * post (Vaswani et al. 2017), pre (Xiong et al. 2020), sandwich (Ding et al. 2021), deepnorm (Wang
 * et al. 2022), and no norm at all.
 *
 * @typedef {'post' | 'pre' | 'sandwich' | 'deepnorm' | 'none'} PlacementKind
 */

/** @type {Readonly<Record<PlacementKind, Placement>>} */
export const PLACEMENTS = Object.freeze({
  post: { sum: true, finalNorm: false },
  pre: { input: true, finalNorm: true },
  sandwich: { input: true, branch: true, finalNorm: true },
  deepnorm: { sum: true, scaled: true, finalNorm: false },
  none: { finalNorm: false },
});

const fourthRoot = (/** @type {number} */ x) => Math.sqrt(Math.sqrt(x));

/**
 * What DeepNorm takes for a decoder alone: the factor of x, and that of the weights of values,
 * attention output and feed-forward layers at the start. 1 for all others.
 *
 * @param {Placement} placement
 * @param {number} depth
 */
export function scalesOf({ scaled }, depth) {
  if (!scaled) return { alpha: 1, gain: 1 };
  return { alpha: fourthRoot(2 * depth), gain: 1 / fourthRoot(8 * depth) };
}
