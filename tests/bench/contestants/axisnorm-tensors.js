/** axisnorm on tensors that exist already: nothing is copied or allocated. */
import { callOf } from './axisnorm-call.js';

/**
 * @param {import('../../../js/index.js').AxisNorm} an
 * @param {string} id
 * @returns {import('../suite.js').Contestant}
 */
export function axisnormTensors(an, id) {
  return {
    id,
    prepare(one, inputs) {
      const { op, lengths, dims } = one;
      const tensors = Object.fromEntries(
        [...op.outputs, ...op.inputs].map(({ name, extent }) => [
          name,
          an.tensor(extent === 'x' ? dims : [lengths[extent]], inputs[name]),
        ]),
      );
      return {
        call: callOf(an, one, (name) => tensors[name], false),
        results: () =>
          Object.fromEntries(op.outputs.map(({ name }) => [name, tensors[name].slice()])),
        end() {
          for (const tensor of Object.values(tensors)) tensor.dispose();
        },
      };
    },
  };
}
