/** Starting the wasm module of the norms. */
import { axisnorm } from './axisnorm.js';
import { loader, once } from './loader.js';
import { packagedModule } from './packaged-module.js';

/** @import { AxisNorm } from './axisnorm.js' */
/** @import { LoadOptions } from './loader.js' */

const runtimeOf = loader({
  name: 'axisnorm',
  kernel: 'an_layer_norm_forward',
  packaged: packagedModule({
    scalar: () => import('./wasm/scalar.js'),
    simd128: () => import('./wasm/simd128.js'),
  }),
});
const start = once(axisnorm);

/**
 * Starts axisnorm. There is one instance of a build however often, and from wherever, load() is
 * called. A load that failed is forgotten, so that the next call tries again.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<AxisNorm>}
 */
export const load = async (options) => start(await runtimeOf(options));
