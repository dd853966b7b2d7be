/** GroupNorm and InstanceNorm, which differ only in what says how many groups there are. */

/** @import { Runtime } from './runtime.js' */
import { Call } from './call.js';
import { DEFAULT_EPS, expectEps } from './check.js';
import { backwardFlags, CHANNELS_LAST, exactFlag } from './flags.js';
import { Gradients } from './gradients.js';
import { perExample, shapeWithChannels, toChannelAxis } from './layout.js';
import { forwardOutputs, inferenceOutput, WITH_STATISTICS } from './outputs.js';

const INPUTS = ['shape', 'layout', 'channelAxis', 'gamma', 'beta', 'eps', 'exact', 'out'];
const BACKWARD_INPUTS = [...INPUTS, 'x', 'y', 'mean', 'rstd', 'outputs', 'accumulate'];
const GRADIENTS = new Set(['dx', 'dgamma', 'dbeta']);

/**
 * @param {Runtime} runtime
 * @param {string} name  of the norm
 * @param {readonly string[]} ownOptions  which this norm has beside the common ones
 * @param {(options: any, channels: number) => number} toGroups
 */
export function groupwise(runtime, name, ownOptions, toGroups) {
  const { kernels } = runtime;
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
    const { batch, channels, spatial, isLast } = perExample(shape, channelAxis);
    const groups = toGroups(options, channels);
    const g = call.optional('gamma', gamma, channels);
    const b = call.optional('beta', beta, channels);
    expectEps(eps);
    const flags = exactFlag(exact) | (isLast ? CHANNELS_LAST : 0);
    const { y, mean, rstd } = withStatistics
      ? forwardOutputs(call, input, out, batch * groups, WITH_STATISTICS)
      : inferenceOutput(call, input, out);
    call.place();
    call.done(
      kernels.an_group_norm_forward(
        y.ptr,
        mean.ptr,
        rstd.ptr,
        input.ptr,
        g.ptr,
        b.ptr,
        batch,
        channels,
        spatial,
        groups,
        eps,
        flags,
      ),
    );
    if (!withStatistics) return y.value;
    /** @type {any} */
    const result = { y: y.value, mean: mean.value, rstd: rstd.value, eps, shape, channelAxis };
    if (hasGroups) result.groups = groups;
    return result;
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
    const { batch, channels, spatial, isLast } = perExample(shape, toChannelAxis(shape, options));
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
    call.place();
    call.done(
      kernels.an_group_norm_backward(
        dx.ptr,
        dgamma.ptr,
        dbeta.ptr,
        upstream.ptr,
        input.ptr,
        mu.ptr,
        rs.ptr,
        g.ptr,
        workspace.ptr,
        batch,
        channels,
        spatial,
        groups,
        eps,
        flags,
      ),
    );
    return gradients.pick({ dx: dx.value, dgamma: dgamma.value, dbeta: dbeta.value });
  };

  return { infer, forward, backward };
}
