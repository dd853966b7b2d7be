/** The blocks of a transformer, with norms where the placement has them. */

/** @import { BranchSettings } from './branches.js' */
/** @import { Context, Layer } from './context.js' */
/** @import { NormKind } from './norm.js' */
/** @import { Placement } from './placement.js' */
import { attentionBranch, feedForwardBranch } from './branches.js';
import { Chain } from './chain.js';
import { norm } from './norm.js';
import { Residual } from './residual.js';

const BRANCHES = Object.freeze({ attention: attentionBranch, feedForward: feedForwardBranch });

/**
 * @typedef {BranchSettings & { placement: Placement, norm: NormKind, alpha: number }} BlockSettings
 */

/**
 * The layers of one block, each from stream to stream:
 *
 *     x = sumNorm(alpha x + branchNorm(attention(inputNorm(x))))
 *     x = sumNorm(alpha x + branchNorm(feedForward(inputNorm(x))))
 *
 * @param {Context} context
 * @param {string} name
 * @param {BlockSettings} settings
 * @returns {Layer[]}
 */
export function block(context, name, settings) {
  const { placement, norm: kind, batch, tokens, width, alpha } = settings;
  const rows = batch * tokens;
  const length = rows * width;

  /**
   * @param {boolean | undefined} isThere
   * @param {string} place
   */
  const normAt = (isThere, place) =>
    isThere ? [norm(context, kind, `${name}.${place}`, { rows, width })] : [];

  return Object.entries(BRANCHES).flatMap(([part, make]) => {
    const path = [
      ...normAt(placement.input, `${part}.inputNorm`),
      make(context, `${name}.${part}`, settings),
      ...normAt(placement.branch, `${part}.branchNorm`),
    ];
    const lengths = new Array(path.length - 1).fill(length);
    const branch = new Chain(context, 'branch', path, lengths);
    return [
      new Residual(context, branch, { length, alpha }),
      ...normAt(placement.sum, `${part}.sumNorm`),
    ];
  });
}
