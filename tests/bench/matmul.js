/**
 * node tests/bench/matmul.js: the three matrix products of both builds, and what share they reach
 * of the most that the machine's simd128 units can do (peak.js). Each product is checked first,
 * then timed; a rate is the median of many runs, in 10^9 multiplications and additions a second.
 */
import assert from 'node:assert/strict';
import { builds } from '../helpers/builds.js';
import { randomArray } from '../helpers/random.js';
import * as oracle from '../helpers/train/oracle.js';
import { largestError } from '../helpers/units.js';
import { peak } from './peak.js';
import { median } from './stats.js';

/** The issue's size, and what the layers of a transformer of width 32 come to. */
const SIZES = [
  { m: 256, n: 128, k: 128 },
  { m: 128, n: 128, k: 256 },
  { m: 256, n: 32, k: 32 },
  { m: 256, n: 128, k: 32 },
  { m: 256, n: 32, k: 128 },
  { m: 32, n: 128, k: 256 },
  { m: 16, n: 32, k: 32 },
];
const FORMS = { nn: oracle.matmulNN, nt: oracle.matmulNT, tn: oracle.matmulTN };
const RUNS = 301;
/** Of a run, at least: short enough that most are undisturbed on a busy machine. */
const MILLISECONDS = 0.3;

/** Seconds of one call. */
function seconds(call) {
  let calls = 1;
  const run = () => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) call();
    return performance.now() - start;
  };
  while (run() < MILLISECONDS) calls *= 2;
  return median(Array.from({ length: RUNS }, run)) / calls / 1000;
}

function place(build, values) {
  const ptr = build.alloc(4 * values.length);
  build.floats(ptr, values.length).set(values);
  return ptr;
}

/** Rate of one product, after its result has been checked. */
function rate(build, form, { m, n, k }) {
  build.reset();
  const a = randomArray('a', m * k);
  const b = randomArray('b', k * n);
  const pointers = [build.alloc(4 * m * n), place(build, a), place(build, b)];
  const call = () => build.exports[`an_matmul_${form}`](...pointers, m, n, k, 0);
  assert.equal(call(), 0);
  const want = FORMS[form]({ m, n, k, a, b });
  const { units } = largestError(build.floats(pointers[0], m * n), want.c, want.scale.c);
  assert.ok(units < 4, `${form} of ${m} x ${n} x ${k} is ${units} units off`);
  return (2 * m * n * k) / seconds(call) / 1e9;
}

const most = peak(seconds);
console.log(`peak of simd128: ${most.toFixed(1)} GFLOP/s`);
for (const build of builds.train) {
  console.log(`\n${build.name.padEnd(18)}${'nn'.padEnd(14)}${'nt'.padEnd(14)}tn`);
  for (const size of SIZES) {
    const cells = Object.keys(FORMS).map((form) => {
      const gflops = rate(build, form, size);
      return `${gflops.toFixed(1).padStart(5)} ${`${Math.round((100 * gflops) / most)}%`.padEnd(8)}`;
    });
    console.log(`${`${size.m} x ${size.n} x ${size.k}`.padEnd(18)}${cells.join('')}`);
  }
}
