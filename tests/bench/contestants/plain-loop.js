/** The plain JavaScript loops of loops.js. */
import * as loops from './loops.js';

const LOOPS = new Map(Object.entries(loops));

/**
 * A copy, which an engine compiles by itself: for the shape of one case, as in a program that has
 * no other. What it has compiled for another shape can be many times as slow for a while.
 */
const copyOf = (f) => new Function(`return ${f}`)();

/** @returns {import('../suite.js').Contestant} */
export function plainLoop() {
  return {
    id: 'loop',
    prepare({ op, sizes, eps, lengths }, inputs) {
      if (!LOOPS.has(op.id)) return undefined;
      const f = copyOf(LOOPS.get(op.id));
      const results = Object.fromEntries(
        op.outputs.map(({ name, extent }) => [name, new Float32Array(lengths[extent])]),
      );
      const arrays = [
        ...op.outputs.map(({ name }) => results[name]),
        ...op.inputs.map(({ name }) => inputs[name]),
      ];
      const numbers = [...op.sizes.map((name) => sizes[name]), ...(op.hasEps ? [eps] : [])];
      return { call: [f, ...arrays, ...numbers], results: () => results };
    },
  };
}
