/*
 * Faults that the tests of this folder and of train/ have to catch. All are planted in one copy of src/, each
 * behind a switch (FAULT is 1 where it is on), so that the copy is compiled once.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sourceOf } from '../../tools/packaged.mjs';

/** `text` of src/`file` becomes `faulty`; a test of `stem` notices, by default against the oracle. */
const FAULTS = [
  {
    fault: 'the last value of a row with a tail is not summed',
    file: 'run_sums.h',
    text: 'AN_NO_UNROLL for (; i < len; ++i) {',
    faulty: 'AN_NO_UNROLL for (; i + FAULT < len; ++i) {',
    stem: 'layer_norm',
  },
  {
    fault: 'idle lanes of a tail deviate by the mean',
    file: 'simd.h',
    text: 'vf_only_first(vf v) { return VF_LANEWISE(v.l[0], 0, 0, 0); }',
    faulty: 'vf_only_first(vf v) { return FAULT ? v : VF_LANEWISE(v.l[0], 0, 0, 0); }',
    stem: 'layer_norm',
  },
  {
    fault: 'the store of a tail is a whole vector',
    file: 'simd.h',
    text: 'if (lanes == 1)\n        vf_store1(p, v);',
    faulty: 'if (lanes == 1 && !FAULT)\n        vf_store1(p, v);',
    stem: 'rms_norm',
  },
  {
    fault: 'lanes are added in another order in the scalar build',
    file: 'simd.h',
    text: 'return (v.l[0] + v.l[2]) + (v.l[1] + v.l[3]);',
    faulty:
      'return FAULT ? (v.l[0] + v.l[1]) + (v.l[2] + v.l[3]) : (v.l[0] + v.l[2]) + (v.l[1] + v.l[3]);',
    stem: 'layer_norm',
    noticedBy: 'one kind at a time',
    besideSimd128: true,
  },
  {
    fault: 'variance with n - 1',
    file: 'moments.h',
    text: 'm.m2 * (1 / m.n), eps)',
    faulty: 'm.m2 * (1 / (m.n - FAULT)), eps)',
    stem: 'weight_standardize',
  },
  {
    fault: 'eps outside the root',
    file: 'set.h',
    text: '1 / __builtin_sqrt(v)',
    faulty: '(FAULT ? 1 / (__builtin_sqrt(variance) + eps) : 1 / __builtin_sqrt(v))',
    stem: 'layer_norm',
  },
  {
    fault: 'a large mean is not centred a second time',
    file: 'moments.c',
    text: 'if (!an_mean_is_small(mean, sq * share)) {',
    faulty: 'if (!FAULT && !an_mean_is_small(mean, sq * share)) {',
    stem: 'layer_norm',
    noticedBy: 'one kind at a time',
  },
  {
    fault: 'what the float32 mean lacks is forgotten',
    file: 'set.h',
    text: '? 0 : s.mean - mean;',
    faulty: '? 0 : FAULT ? 0 : s.mean - mean;',
    stem: 'group_norm',
    noticedBy: 'one kind at a time',
  },
  {
    fault: 'the backward forgets what the saved mean lacks',
    file: 'moments.c',
    text: 'return sum_deviations(false, x, set, mean) / (double)(set->runs * set->len);',
    faulty:
      'return FAULT ? 0 : sum_deviations(false, x, set, mean) / (double)(set->runs * set->len);',
    stem: 'layer_norm',
    noticedBy: 'one kind at a time',
  },
  {
    fault: 'chunks of a long row are joined without their distance',
    file: 'moments.h',
    text: 'a.m2 + b.m2 + delta * delta * a.n * share',
    faulty: 'a.m2 + b.m2 + !FAULT * delta * delta * a.n * share',
    stem: 'layer_norm',
  },
  {
    fault: 'the second chunk of a long row is the first again',
    file: 'moments.c',
    text: 'chunk_moments(x + r * set->stride + i, &piece)',
    faulty: 'chunk_moments(x + r * set->stride + !FAULT * i, &piece)',
    stem: 'layer_norm',
  },
  {
    fault: 'rows that go together share the rstd of the first',
    file: 'row_lanes.h',
    text: 'vf_set1(stats[k].rstd)',
    faulty: 'vf_set1(stats[FAULT ? 0 : k].rstd)',
    stem: 'rms_norm',
  },
  {
    fault: 'dgamma lacks the last block of rows',
    file: 'params.c',
    text: 'join(s);\n    for (',
    faulty: 'if (!FAULT) join(s);\n    for (',
    stem: 'layer_norm',
  },
  {
    fault: 'AN_ACCUMULATE is ignored',
    file: 'params.h',
    text: 'flags & AN_ACCUMULATE ?',
    faulty: '(flags & AN_ACCUMULATE) && !FAULT ?',
    stem: 'batch_norm',
    noticedBy: 'AN_ACCUMULATE adds',
  },
  {
    fault: 'AN_EXACT is ignored',
    file: 'row_lanes.h',
    text: 'return job->exact ||',
    faulty: 'return (job->exact && !FAULT) ||',
    stem: 'layer_norm',
    noticedBy: 'oracle, exact',
  },
  {
    fault: 'squares that overflow or vanish are trusted',
    file: 'set.h',
    text: 'return scale >= 0x1p-100 && scale <= 0x1p+100;',
    faulty: 'return FAULT || (scale >= 0x1p-100 && scale <= 0x1p+100);',
    stem: 'weight_standardize',
    noticedBy: 'scales',
  },
  {
    fault: 'a partial RMSNorm divides by all columns in the backward',
    file: 'rows_backward.c',
    text: 'const double share = 1 / (double)job->counted,',
    faulty: 'const double share = 1 / (double)(FAULT ? job->cols : job->counted),',
    stem: 'rms_norm',
  },
  {
    fault: 'gamma per group instead of per channel, channels last',
    file: 'column_strip.h',
    text: 'return job->param_per_set ? m.set : column;',
    faulty: 'return job->param_per_set || FAULT ? m.set : column;',
    stem: 'group_norm',
  },
  {
    fault: 'columns past the first strip are those of the first',
    file: 'columns_forward.c',
    text: 'strip_moments(&all, x + s.at,',
    faulty: 'strip_moments(&all, x + !FAULT * s.at,',
    stem: 'group_norm',
  },
  {
    fault: 'the running variance is the biased one',
    file: 'batch_norm.c',
    text: 'r->biased ? batch.variance',
    faulty: 'r->biased || FAULT ? batch.variance',
    stem: 'batch_norm',
  },
  {
    fault: 'the running statistics take a NaN',
    file: 'batch_norm.c',
    text: 'if (!isfinite(mean) || !isfinite(var)) return false;',
    faulty: 'if (!FAULT && (!isfinite(mean) || !isfinite(var))) return false;',
    stem: 'batch_norm',
    noticedBy: 'stay as they are',
  },
  {
    fault: 'the gain of the first filter for all',
    file: 'weight_standardize.c',
    text: '(an_sets){filters, filter, fan_in, 1,',
    faulty: '(an_sets){filters, filter, fan_in, !FAULT,',
    stem: 'weight_standardize',
  },
  {
    fault: 'overlapping arrays are not refused',
    file: 'contract.c',
    text: 'allowed || !reaches(ins + i, start, end)',
    faulty: 'FAULT || allowed || !reaches(ins + i, start, end)',
    stem: 'group_norm',
    noticedBy: 'an_group_norm',
  },
  {
    fault: 'a block of terms replaces the blocks before it',
    file: 'train/product.c',
    text: 'accumulate || l > 0',
    faulty: 'accumulate || (l > 0 && !FAULT)',
    stem: 'train/matmul',
  },
  {
    fault: 'the last rows of a product are as many as the others',
    file: 'train/product.c',
    text: 'rows = least(m - i, ROWS);',
    faulty: 'rows = FAULT ? ROWS : least(m - i, ROWS);',
    stem: 'train/matmul',
  },
  {
    fault: 'the first row of a panel is that of the column next to it',
    file: 'train/product.c',
    text: 'vf_load(from + i * b.right)',
    faulty: 'vf_load(from + (FAULT && i == 0 ? 1 : i) * b.right)',
    stem: 'train/matmul',
  },
  {
    fault: 'rows of dy beyond the first block are those of the first',
    file: 'train/bias.c',
    text: 'block_sum(dy + r * cols + i,',
    faulty: 'block_sum(dy + !FAULT * r * cols + i,',
    stem: 'train/bias',
  },
  {
    fault: 'a token sees the one after it',
    file: 'train/head.h',
    text: 'vf_below(VF_LANES - hidden)',
    faulty: 'vf_below(VF_LANES - hidden + FAULT)',
    stem: 'train/attention',
  },
  {
    fault: 'the gradient of a softmax lacks the mean',
    file: 'train/head_backward.c',
    text: 'vf_set1(vf_sum(products))',
    faulty: 'vf_set1(FAULT ? 0 : vf_sum(products))',
    stem: 'train/attention',
  },
  {
    fault: 'idle lanes count in the sum of a softmax',
    file: 'train/softmax.h',
    text: 'if (lanes < VF_LANES) term =',
    faulty: 'if (lanes < VF_LANES && !FAULT) term =',
    stem: 'train/cross_entropy',
  },
  {
    fault: 'ignored rows count in the mean',
    file: 'train/cross_entropy.c',
    text: 'counted ? 1.0 / counted : 0;',
    faulty: 'counted ? 1.0 / (FAULT ? (double)rows : counted) : 0;',
    stem: 'train/cross_entropy',
  },
  {
    fault: 'the tail of the normal distribution ends at 3',
    file: 'train/gelu.c',
    text: 'vf_min(vf_abs(x), vf_set1(an_for_gelu.far))',
    faulty: 'vf_min(vf_abs(x), vf_set1(FAULT ? 3 : an_for_gelu.far))',
    stem: 'train/activations',
  },
  {
    fault: 'positions go on beyond the last',
    file: 'train/embedding.c',
    text: 'token + 1 == tokens ? 0',
    faulty: 'token + 1 == tokens && !FAULT ? 0',
    stem: 'train/embedding',
  },
  {
    fault: 'Adam forgets that v starts from zeros',
    file: 'train/adam.c',
    text: 'vf_mul(square, f->v_scale)',
    faulty: 'vf_mul(square, FAULT ? vf_set1(1) : f->v_scale)',
    stem: 'train/optimizers',
  },
  {
    fault: 'windows reach into the next row',
    file: 'train/unfold.c',
    text: 'centre + 1 == size ? 1 : 2',
    faulty: 'centre + 1 == size && !FAULT ? 1 : 2',
    stem: 'train/images',
  },
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const FLAGS = ['-O1', '-std=c11', '-ffp-contract=off', '-include', 'fault.h'];
const LINK = ['--no-entry', '-sSTANDALONE_WASM=1', '-sALLOW_MEMORY_GROWTH=1'].concat(
  '-sTOTAL_STACK=65536',
  ['__heap_base', 'an_fault'].map((name) => `-Wl,--export=${name}`),
);

/** A copy of src/ with all faults, as a module that both builds of both modules are taken from. */
async function plant(folder) {
  const src = join(folder, 'src');
  await cp(join(root, 'src'), src, { recursive: true });
  await cp(join(root, 'include'), src, { recursive: true });
  const stale = [];
  for (const [i, { fault, file, text, faulty }] of FAULTS.entries()) {
    const source = await readFile(join(src, file), 'utf8');
    if (!source.includes(text)) stale.push(`${fault}: src/${file} no longer has "${text}"`);
    const switched = faulty.replaceAll('FAULT', `(an_fault == ${i + 1})`);
    await writeFile(join(src, file), source.replaceAll(text, switched));
  }
  assert.deepEqual(stale, []);
  await writeFile(join(src, 'fault.h'), 'extern volatile int an_fault;\n');
  await writeFile(join(src, 'fault.c'), 'volatile int an_fault = 0;\n');
  const sources = (await readdir(src, { recursive: true })).filter((name) => name.endsWith('.c'));
  const command = [...FLAGS, '-I', '.', ...sources, ...LINK, '-o', 'faults.wasm'];
  await promisify(execFile)('emcc', command, { cwd: src });

  const bytes = await readFile(join(src, 'faults.wasm'));
  const module = sourceOf(bytes, { build: 'faulty', compiler: 'of this machine' });
  const simd128 = await readFile(join(root, 'js/wasm/train/simd128.js'), 'utf8');
  for (const [name, other] of [
    ['same', module], // whatever differs is not the build
    ['mixed', simd128],
  ]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'scalar.js'), module);
    await writeFile(join(folder, name, 'simd128.js'), other);
    await writeFile(join(folder, name, 'package.json'), '{ "type": "module" }\n');
  }
}

/** Runs some tests of a norm until one fails an assertion; returns what it says, or null. */
function firstFailure(folder, stem, pattern, number) {
  const env = { ...process.env, AXISNORM_WASM: folder, AXISNORM_FAULT: String(number) };
  delete env.NODE_TEST_CONTEXT; // or the output would not be text
  const file = join(root, `tests/kernels/${stem}.test.js`);
  const options = ['--test-reporter=tap', `--test-name-pattern=${pattern}`];
  const child = spawn(process.execPath, [...options, file], { env });
  let output = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stderr.on('data', (data) => {
      output += data;
    });
    child.stdout.on('data', (data) => {
      output += data;
      const failure = output.match(/not ok .*?error: (?:\|-\s*)?([^\n]*).*?ERR_ASSERTION/s);
      if (!failure) return;
      resolve(failure[1]);
      child.kill();
    });
    child.on('close', (code) => {
      if (code === 0) resolve(null);
      else reject(new Error(`${stem} ended with ${code}:\n${output.slice(-2000)}`));
    });
  });
}

const folder = await mkdtemp(join(tmpdir(), 'axisnorm-faults-'));
after(() => rm(folder, { recursive: true, force: true }));

let planted = false;

test('src/ has the text that each fault replaces', async () => {
  await plant(folder);
  planted = true;
});

describe('planted faults', { concurrency: 2 }, () => {
  test('none switched on: nothing fails', async () => {
    assert.ok(planted, 'the faults are not planted');
    assert.equal(
      await firstFailure(join(folder, 'mixed'), 'layer_norm', 'in-place|alone', 0),
      null,
    );
  });

  for (const [i, { fault, stem, noticedBy, besideSimd128 }] of FAULTS.entries()) {
    const modules = join(folder, besideSimd128 ? 'mixed' : 'same');
    test(fault, async (t) => {
      assert.ok(planted, 'the faults are not planted');
      const pattern = noticedBy ?? 'sizes against the oracle$';
      const failure = await firstFailure(modules, stem, pattern, i + 1);
      assert.ok(failure, `the tests of ${stem} do not notice`);
      t.diagnostic(failure);
    });
  }
});
