// Import maps are for pages alone.

import { checkNorms } from './check.js';
import { load } from './node_modules/axisnorm/js/index.js';

postMessage(checkNorms(await load()));
