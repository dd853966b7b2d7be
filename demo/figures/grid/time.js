/** How long the library takes for the table of this figure. */
import { measure } from '../../timing.js';
import { callOptions } from './model.js';
import { NORMS } from './norms.js';

/**
 * Times the forward call on tensors that exist already: the kernel and the call into it, no copies.
 *
 * @param {import('axisnorm').AxisNorm} an
 * @param {typeof import('../../iris.js').iris} table
 * @param {{ norm: string, groups: string }} state
 * @param {AbortSignal} signal
 */
export async function timeForward(an, table, state, signal) {
  const { forward } = an[NORMS[state.norm].operation];
  const options = callOptions(table, state);
  const x = an.tensor(options.shape, table.x);
  const { y, mean, rstd } = forward(x, options);
  const out = mean ? { y, mean, rstd } : { y, rstd };
  try {
    const withOut = { ...options, out };
    return await measure(() => forward(x, withOut), signal);
  } finally {
    for (const tensor of [x, ...Object.values(out)]) tensor.dispose();
  }
}
