/** The plain C of plain.c, with everything in its own memory. */
import { Arena } from './arena.js';

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * @param {import('../measure.js').Environment} environment
 * @returns {Promise<import('../suite.js').Contestant>}
 */
export async function plainC({ bytes }) {
  const { instance } = await WebAssembly.instantiate(await bytes('build/bench/plain.wasm'));
  const { exports } = instance;
  exports._initialize?.();
  const arena = new Arena(exports.memory, exports.__heap_base.value);
  return {
    id: 'plainC',
    prepare(one, inputs) {
      const { op, sizes, eps } = one;
      const f = exports[snakeCase(op.id)];
      if (!f) return undefined;
      const at = arena.place(one, inputs);
      const arrays = [...op.outputs, ...op.inputs].map(({ name }) => at[name]);
      const numbers = [...op.sizes.map((name) => sizes[name]), ...(op.hasEps ? [eps] : [])];
      return {
        call: [f, ...arrays, ...numbers],
        results: () => arena.results(one, at),
        end: () => arena.reset(),
      };
    },
  };
}
