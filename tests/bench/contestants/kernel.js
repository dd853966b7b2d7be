/** The kernel itself: the C function called with addresses, without the JavaScript API. */
import { packagedModule } from '../../../js/packaged-module.js';
import { Arena } from './arena.js';

/** What is passed for arguments that a case does not have. */
const ABSENT = { gammaOffset: 0, momentum: 0.1, flags: 0 };

/** @returns {Promise<import('../suite.js').Contestant>} */
export async function kernel() {
  const simd128 = () => import('../../../js/wasm/simd128.js');
  const module = await packagedModule({ simd128 })('simd128');
  const { exports } = await WebAssembly.instantiate(module);
  exports._initialize?.();
  const arena = new Arena(exports.memory, exports.__heap_base.value);

  function argument({ role, name, array }, at, { sizes, eps, lengths }) {
    if (role === 'workspace') return arena.alloc(exports.an_workspace_size(lengths.channel));
    if (array) return at[name] ?? 0;
    if (name === 'statCols') return sizes.cols;
    return sizes[name] ?? { ...ABSENT, eps }[name];
  }

  return {
    id: 'kernel',
    prepare(one, inputs) {
      const { symbol, args } = one.op.signature;
      const at = arena.place(one, inputs);
      return {
        call: [exports[symbol], ...args.map((arg) => argument(arg, at, one))],
        results: () => arena.results(one, at),
        end: () => arena.reset(),
      };
    },
  };
}
