import { layerNorm, load } from 'axisnorm/slim';
import { beta, COLS, done, gamma, x } from './problem.js';

const an = await load({ source: (build) => `./${build}.wasm`, norms: { layerNorm } });
done(an.layerNorm(x, { normalizedShape: COLS, gamma, beta }));
