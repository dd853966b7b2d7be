import { checkAll } from './all.js';
import { report } from './report.js';

// The file lies beside the bundle: Rollup alone copies none.
report(checkAll(new URL('./simd128.wasm', import.meta.url)));
