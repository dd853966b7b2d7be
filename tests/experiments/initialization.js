/*
 * Gradients and the residual stream of models that were not trained, with the page's own code: what
 * Xiong et al. (2020) derive of them.
 */
import { bounds, measureStart, SEEDS } from '../../demo/figures/why/model.js';

const SHALLOW = 4;
const DEEP = 16;

/**
 * The gradient of the last block's last matrix at depth 4, over that at depth 16: 2 where it falls
 * like 1 / sqrt(depth), 1 where depth makes no difference.
 */
export const RATIOS = {
  pre: { least: 1.6, most: 2.6 },
  post: { least: 0.7, most: 1.4 },
};

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

const probes = (t, placement, depth) =>
  SEEDS.map((seed) => measureStart(t, { placement, depth, seed }));

const lastGradient = (found) => mean(found.map(({ gradientNorms }) => gradientNorms.at(-1)));

/** @param {any} t  what `load` of axisnorm/train gives */
export function gradientRatio(t, placement) {
  const [shallow, deep] = [SHALLOW, DEEP].map((depth) => lastGradient(probes(t, placement, depth)));
  return { shallow, deep, ratio: shallow / deep };
}

/** ‖x‖²/width behind each block of a Pre-LN model, beside its bounds. */
export function stream(t) {
  const found = probes(t, 'pre', DEEP);
  return Array.from({ length: DEEP }, (_, i) => {
    const block = i + 1;
    const [low, high] = bounds(block);
    const size = mean(found.map(({ streamNorms }) => streamNorms[block]));
    return { block, size, low, high, isInside: size > low && size < high };
  });
}
