// Builds the fuzz target and runs it under libFuzzer and the sanitizers of clang.
//
//   node tests/fuzz/run.mjs                   the short run of npm test, always the same inputs
//   npm run fuzz -- --seconds 600             new inputs, on from those that earlier runs found
//   npm run fuzz -- build/fuzz/crash-<hash>   one input again
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../tools/lib.mjs';

const FOLDER = 'build/fuzz';
const SHORT = ['-seed=1', '-runs=10000'];

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string' } },
  allowPositionals: true,
});

function build() {
  return (
    run('cmake', [
      ...['-G', 'Ninja', '-S', '.', '-B', FOLDER, '--log-level=WARNING'],
      ...['-DCMAKE_C_COMPILER=clang', '-DAN_FUZZ=ON'],
    ]) && run('ninja', ['-C', FOLDER, '--quiet'])
  );
}

const target = `./${FOLDER}/fuzz_kernels`;
/** Inputs of any length from the start: each byte of them is a choice. */
const common = ['-max_len=256', '-len_control=0', `-artifact_prefix=${FOLDER}/`];

/** Says nothing where all is well: libFuzzer says a lot. */
function short() {
  const options = { cwd: root, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(target, [...common, ...SHORT], options);
  if (status !== 0) console.log(stdout + stderr.slice(stderr.indexOf('ERROR')));
  return status === 0;
}

function long(seconds) {
  const corpus = `${FOLDER}/corpus`;
  mkdirSync(join(root, corpus), { recursive: true });
  return run(target, [...common, `-max_total_time=${seconds}`, '-print_final_stats=1', corpus]);
}

function fuzz() {
  if (positionals.length > 0) return run(target, positionals);
  return values.seconds ? long(values.seconds) : short();
}

process.exitCode = build() && fuzz() ? 0 : 1;
