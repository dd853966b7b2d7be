import { checkAll } from './all.js';
import { report } from './report.js';

// webpack copies the file and knows its address.
report(checkAll(new URL('axisnorm/wasm/simd128.wasm', import.meta.url)));
