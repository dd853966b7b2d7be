import wasm from 'url:axisnorm/wasm/simd128.wasm';
import { checkAll } from './all.js';
import { report } from './report.js';

report(checkAll(new URL(wasm, import.meta.url)));
