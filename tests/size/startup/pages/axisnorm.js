import { load } from 'axisnorm';
import { beta, COLS, done, gamma, x } from './problem.js';

const an = await load();
done(an.layerNorm(x, { normalizedShape: COLS, gamma, beta }));
