// Bytes or an address, as --loader:.wasm=binary or =file has it.
import wasm from 'axisnorm/wasm/simd128.wasm';
import { checkAll } from './all.js';
import { report } from './report.js';

report(checkAll(wasm));
