/** GroupNorm and InstanceNorm, which differ only in what says how many groups there are. */

/** @import { Block } from './block.js' */
/** @import { Packing } from './mask.js' */
/** @import { Runtime } from './runtime.js' */
import { Call } from './call.js';
import { DEFAULT_EPS, expectEps } from './check.js';
import { ACCUMULATE, backwardFlags, CHANNELS_LAST, exactFlag } from './flags.js';
import { Gradients } from './gradients.js';
import { perKeptExample, shapeWithChannels, toChannelAxis } from './layout.js';
import { withMask } from './mask.js';
import { forwardOutputs, inferenceOutput, WITH_STATISTICS } from './outputs.js';
import { PartSums } from './part-sums.js';

const INPUTS = [
  ...['shape', 'layout', 'channelAxis', 'mask', 'lengths'],
  ...['gamma', 'beta', 'eps', 'exact', 'out'],
];
const BACKWARD_INPUTS = [...INPUTS, 'x', 'y', 'mean', 'rstd', 'outputs', 'accumulate'];
const GRADIENTS = new Set(['dx', 'dgamma', 'dbeta']);

/**
 * @param {Runtime} runtime
 * @param {string} name  of the norm
 * @param {readonly string[]} ownOptions  which this norm has beside the common ones
 * @param {(options: any, channels: number) => number} toGroups
 */
export function groupwise(runtime, name, ownOptions, toGroups) {
  const { kernels, heap } = runtime;
  const forwardOptions = new Set([...INPUTS, ...ownOptions]);
  const hasGroups = ownOptions.includes('groups');
  const backwardOptions = new Set([...BACKWARD_INPUTS, ...ownOptions]);
  const fromForward = ` (${name}.forward returns it)`;

  /**
   * Both forms of the forward pass.
   *
   * @param {Call} call
   * @param {unknown} x
   * @param {any} options
   * @param {boolean} withStatistics
   */
  function normalize(call, x, options, withStatistics) {
    const { gamma, beta, eps = DEFAULT_EPS, exact, out } = options;
    const input = call.main('x', x, options.shape);
    const shape = shapeWithChannels('x', input);
    const channelAxis = toChannelAxis(shape, options);
    const { batch, channels, isLast, packing, parts } = perKeptExample(options, shape, channelAxis);
    const groups = toGroups(options, channels);
    const g = call.optional('gamma', gamma, channels);
    const b = call.optional('beta', beta, channels);
    expectEps(eps);
    const flags = exactFlag(exact) | (isLast ? CHANNELS_LAST : 0);
    const { y, mean, rstd } = withStatistics
      ? forwardOutputs(call, input, out, batch * groups, WITH_STATISTICS)
      : inferenceOutput(call, input, out);
    const from = call.packed(input, packing);
    const to = call.unpacked(y, packing, [mean, rstd], [g, b]);
    call.place();
    let status = 0;
    for (const { first, count, at, spatial } of parts) {
      status ||= kernels.an_group_norm_forward(
        addressIn(to, at),
        addressIn(mean, first * groups),
        addressIn(rstd, first * groups),
        addressIn(from, at),
        g.ptr,
        b.ptr,
        count,
        channels,
        spatial,
        groups,
        eps,
        flags,
      );
    }
    if (status === 0 && packing !== null) clearStatistics([mean, rstd], packing, groups);
    call.done(status);
    if (!withStatistics) return y.value;
    /** @type {any} */
    const result = { y: y.value, mean: mean.value, rstd: rstd.value, eps, shape, channelAxis };
    if (hasGroups) result.groups = groups;
    return withMask(result, options);
  }

  /** @type {(x: any, options: any) => any} */
  const infer = (x, options) =>
    normalize(new Call(runtime, name, options, forwardOptions), x, options, false);

  /** @type {(x: any, options: any) => any} */
  const forward = (x, options) =>
    normalize(new Call(runtime, `${name}.forward`, options, forwardOptions), x, options, true);

  /** @type {(dy: any, options: any) => any} */
  const backward = (dy, options) => {
    const call = new Call(runtime, `${name}.backward`, options, backwardOptions);
    const { x, mean, rstd, gamma, eps = DEFAULT_EPS, out = {} } = options;
    const upstream = call.main('dy', dy, options.shape);
    const shape = shapeWithChannels('dy', upstream);
    const channelAxis = toChannelAxis(shape, options);
    const { batch, channels, isLast, packing, parts } = perKeptExample(options, shape, channelAxis);
    const groups = toGroups(options, channels);
    const input = call.inputLike('x', x, upstream);
    const mu = call.input('mean', mean, batch * groups, fromForward);
    const rs = call.input('rstd', rstd, batch * groups, fromForward);
    const g = call.optional('gamma', gamma, channels);
    expectEps(eps);
    const flags = backwardFlags(options) | (isLast ? CHANNELS_LAST : 0);
    const gradients = new Gradients(call, options, GRADIENTS);
    const dx = gradients.ofInput(out.dx, upstream);
    const dgamma = gradients.ofParameter('dgamma', out.dgamma, channels);
    const dbeta = gradients.ofParameter('dbeta', out.dbeta, channels);
    const workspace = call.workspace(channels);
    const dyFrom = call.packed(upstream, packing);
    const xFrom = call.packed(input, packing);
    const to = call.unpacked(dx, packing, [dgamma, dbeta], [mu, rs, g]);
    const sums = packing === null ? null : new PartSums(call, [dgamma, dbeta]);
    const [dg, db] = sums === null ? [dgamma, dbeta] : sums.parts;
    call.place();
    let status = 0;
    for (const { first, count, at, spatial } of parts) {
      status ||= kernels.an_group_norm_backward(
        addressIn(to, at),
        dg.ptr,
        db.ptr,
        addressIn(dyFrom, at),
        addressIn(xFrom, at),
        addressIn(mu, first * groups),
        addressIn(rs, first * groups),
        g.ptr,
        workspace.ptr,
        count,
        channels,
        spatial,
        groups,
        eps,
        sums === null ? flags : flags & ~ACCUMULATE,
      );
      sums?.add(heap.floats);
    }
    if (status === 0) sums?.finish(heap.floats, flags);
    call.done(status);
    return gradients.pick({ dx: dx.value, dgamma: dgamma.value, dbeta: dbeta.value });
  };

  return { infer, forward, backward };

  /**
   * The statistics of examples without a position, which the kernel has not seen.
   *
   * @param {Block[]} statistics
   * @param {Packing} packing
   * @param {number} groups
   */
  function clearStatistics(statistics, { starts }, groups) {
    for (let n = 0; n + 1 < starts.length; n += 1) {
      if (starts[n] < starts[n + 1]) continue;
      for (const { ptr } of statistics) {
        if (ptr !== 0) heap.floats.fill(0, ptr / 4 + n * groups, ptr / 4 + (n + 1) * groups);
      }
    }
  }
}

/**
 * The address of a value; that of an array that is left out stays NULL.
 *
 * @param {Block} block
 * @param {number} index
 */
const addressIn = ({ ptr }, index) => (ptr === 0 ? 0 : ptr + 4 * index);
