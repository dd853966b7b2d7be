/** Starting the wasm module that trains. */
import { loaderOf } from '../loader.js';
import { packagedModule } from '../packaged-module.js';
import { training } from './training.js';

/** @import { LoadOptions } from '../loader.js' */
/** @import { Training } from './training.js' */

/**
 * Starts axisnorm/train, a module apart from that of the norms. There is one instance of a build
 * however often, and from wherever, load() is called. A load that failed is forgotten, so that the
 * next call tries again.
 *
 * @function
 * @type {(options?: LoadOptions) => Promise<Training>}
 */
export const load = loaderOf(
  {
    name: 'axisnorm/train',
    kernel: 'an_matmul_nn',
    packaged: packagedModule({
      scalar: () => import('../wasm/train/scalar.js'),
      simd128: () => import('../wasm/train/simd128.js'),
    }),
  },
  training,
);
