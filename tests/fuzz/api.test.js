/*
 * The public API with arguments at random, right ones and wrong ones. A case is named by the seed
 * and its number: AXISNORM_SEED=<seed> makes the same cases again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { Call } from './calls.js';
import { dice } from './dice.js';
import { junk, MISTAKES } from './mistakes.js';
import { drawRequest } from './requests.js';

const SEED = process.env.AXISNORM_SEED ?? 'axisnorm';
const CASES = 1500;
/** Some times what the largest call needs. */
const MOST_MEMORY = 2 ** 20;

const builds = await Promise.all(['scalar', 'simd128'].map((build) => load({ build })));

const CLEAR = [
  /^[\w.]+: expected .+, got .+/s,
  /^[\w.]+: unknown (option|output) '.*'/s,
  /^rmsNorm[.\w]*: expected no beta/,
  /^(tensor|scope): used after it (was freed|ended)$/,
];

function assertClear(error, label) {
  const isKnown = [TypeError, RangeError, ReferenceError].includes(error?.constructor);
  const isClear = isKnown && CLEAR.some((pattern) => pattern.test(error.message));
  assert.ok(isClear, `${label}: an unclear error: ${error?.stack ?? String(error)}`);
}

/** A right call: a right result, and no input changed. */
function succeed(d, an, scope, label) {
  const request = drawRequest(d);
  const name = `${label} ${request.operation} ${request.pass}`;
  const call = new Call(d, an, scope, request);
  const before = call.inputs();
  const returned = call.function(...call.arguments());
  assert.deepEqual(call.inputs(), before, `${name}: an input was written to`);
  call.judge(returned, name);
}

/** A mistake may turn training on, which updates these. */
const RUNNING = ['runningMean', 'runningVar'];

/** A call with a mistake: a clear error with nothing written, or no error and no input changed. */
function stumble(d, an, scope, label, { freed, foreign }) {
  const request = drawRequest(d);
  const mistake = d.pick(Object.keys(MISTAKES));
  const name = `${label} ${request.operation} ${request.pass} ${mistake}`;
  const call = new Call(d, an, scope, request);
  const memory = call.memory();
  const inputs = call.inputs(RUNNING);
  const wrong = MISTAKES[mistake](d, call.arguments(), () => junk(d, freed, foreign));
  try {
    call.function(...wrong);
  } catch (error) {
    assertClear(error, name);
    assert.deepEqual(call.memory(), memory, `${name}: written to in spite of the error`);
    return true;
  }
  if (mistake !== 'sharedMemory') {
    assert.deepEqual(call.inputs(RUNNING), inputs, `${name}: an input was written to`);
  }
  return false;
}

for (const an of builds) {
  const foreign = builds.find((other) => other !== an).tensor(3);

  test(`right calls (${an.build}, seed ${SEED})`, () => {
    for (let i = 0; i < CASES; i++) {
      const label = `${SEED} ${i}`;
      an.scope((scope) => succeed(dice(label), an, scope, label));
    }
  });

  test(`calls with a mistake, and right ones between (${an.build}, seed ${SEED})`, () => {
    const freed = an.tensor(3);
    freed.dispose();
    const { used } = an.memoryUsage();
    let refused = 0;
    for (let i = 0; i < 2 * CASES; i++) {
      const label = `${SEED} mistake ${i}`;
      const d = dice(label);
      an.scope((scope) => {
        if (stumble(d, an, scope, label, { freed, foreign })) refused++;
        if (i % 4 === 0) succeed(d, an, scope, `${label}, and then`);
      });
      assert.equal(an.memoryUsage().used, used, `${label}: memory was not freed`);
    }
    assert.ok(an.memoryUsage().total <= MOST_MEMORY, `memory grew to ${an.memoryUsage().total}`);
    assert.ok(refused > CASES, `only ${refused} of the mistakes were refused`);
  });

  test(`no examples of more parameters than memory holds (${an.build})`, () => {
    const none = new Float32Array(0);
    const saved = { x: none, mean: none, rstd: none, outputs: ['dx'] };
    const neighbour = an.tensor([100], new Float32Array(100).fill(1));
    for (const channels of [2 ** 27, 179e6, 2 ** 29, 2 ** 30]) {
      for (const [operation, options] of [
        ['layerNorm', { shape: [0, channels] }],
        ['groupNorm', { shape: [0, channels, 1], groups: 1 }],
      ]) {
        const label = `${operation} of [0, ${channels}]`;
        try {
          assert.equal(an[operation].backward(none, { ...saved, ...options }).dx.length, 0, label);
        } catch (error) {
          assertClear(error, label);
        }
      }
    }
    assert.ok(neighbour.data.every((v) => v === 1));
    neighbour.dispose();
  });
}
