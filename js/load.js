/** Starting the wasm module of the norms. */
import { axisnorm } from './axisnorm.js';
import { loaderOf } from './loader.js';
import { packagedModule } from './packaged-module.js';

/** @import { AxisNorm } from './axisnorm.js' */
/** @import { LoadOptions } from './loader.js' */

/**
 * Starts axisnorm. There is one instance of a build however often, and from wherever, load() is
 * called. A load that failed is forgotten, so that the next call tries again.
 *
 * @function
 * @type {(options?: LoadOptions) => Promise<AxisNorm>}
 */
export const load = loaderOf(
  {
    name: 'axisnorm',
    kernel: 'an_layer_norm_forward',
    packaged: packagedModule({
      scalar: () => import('./wasm/scalar.js'),
      simd128: () => import('./wasm/simd128.js'),
    }),
  },
  axisnorm,
);
