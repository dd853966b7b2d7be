/** axisnorm on JavaScript's arrays: a call copies them in, and its results into arrays given. */
import { callOf } from './axisnorm-call.js';

/** A view of so many floats that starts a number of floats after the start of its buffer. */
const viewAt = (offset, length) => new Float32Array(offset + length).subarray(offset);

/**
 * @param {import('../../../js/index.js').AxisNorm} an
 * @param {string} id
 * @param {number} [offset]  of every array in its buffer, in floats
 * @returns {import('../suite.js').Contestant}
 */
export function axisnormArrays(an, id, offset = 0) {
  return {
    id,
    prepare(one, inputs) {
      const { op, lengths } = one;
      const arrays = {};
      for (const { name, extent } of [...op.outputs, ...op.inputs]) {
        arrays[name] = viewAt(offset, lengths[extent]);
        if (inputs[name]) arrays[name].set(inputs[name]);
      }
      return { call: callOf(an, one, (name) => arrays[name], true), results: () => arrays };
    },
  };
}
