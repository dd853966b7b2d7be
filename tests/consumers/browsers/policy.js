import { checkNorms } from './check.js';
import { load } from './node_modules/axisnorm/js/index.js';
import { report } from './report.js';

report(load().then(checkNorms));
