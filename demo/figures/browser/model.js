/** How fast the library is here, beside a plain loop, without a DOM: check first, then time. */
import { random } from '../../shared/random.js';
import { backward, forward } from './loops.js';
import { reference } from './reference.js';

export const SHAPES = [
  { rows: 64, cols: 64 },
  { rows: 128, cols: 768 },
  { rows: 512, cols: 256 },
  { rows: 8, cols: 16384 },
];

export const OPERATIONS = {
  forward: { label: 'Forward' },
  backward: { label: 'Backward' },
};

export const CONTENDERS = {
  loop: { label: 'JavaScript loop' },
  scalar: { label: 'axisnorm, scalar' },
  simd128: { label: 'axisnorm, simd128' },
};

export const ROUNDS = 15;

/** Browsers round their clock to as much as 1 ms; a batch of calls must be much longer. */
const BATCH_MS = 10;

/**
 * What a result may be off by, beside the largest of its kind: a few roundings of a float32, and
 * more for sums over many rows.
 */
const TOLERANCE = 2e-5;

/** The same inputs for everyone. */
export function inputsOf({ rows, cols }) {
  const next = random(rows + cols);
  const draw = (length, map) => Float32Array.from({ length }, () => map(next()));
  const x = draw(rows * cols, (u) => 4 * u - 1);
  const dy = draw(rows * cols, (u) => 2 * u - 1);
  const gamma = draw(cols, (u) => 0.5 + u);
  const beta = draw(cols, (u) => u - 0.5);
  return { x, dy, gamma, beta, rows, cols };
}

const NAMES = { forward: ['y', 'mean', 'rstd'], backward: ['dx', 'dgamma', 'dbeta'] };

const lengthsOf = ({ rows, cols }) => ({
  ...{ y: rows * cols, mean: rows, rstd: rows, dx: rows * cols, dgamma: cols, dbeta: cols },
});

const arrays = (operation, shape) =>
  Object.fromEntries(
    NAMES[operation].map((name) => [name, new Float32Array(lengthsOf(shape)[name])]),
  );

const LOOPS = { forward, backward };

/** Someone who takes part: `run` does the work once, `read` gives the results. */
function loopContender(operation, inputs) {
  const saved = arrays('forward', inputs);
  forward(saved, inputs);
  const out = arrays(operation, inputs);
  const all = { ...inputs, mean: saved.mean, rstd: saved.rstd };
  return { run: () => LOOPS[operation](out, all), read: () => out, end() {} };
}

/** On tensors that exist already: the kernel and the call into it, no copies. */
function libraryContender(an, operation, { rows, cols, ...data }) {
  const made = [];
  const tensor = (shape, values) => {
    const one = an.tensor(shape, values);
    made.push(one);
    return one;
  };
  const x = tensor([rows, cols], data.x);
  const dy = tensor([rows, cols], data.dy);
  const [gamma, beta] = [tensor([cols], data.gamma), tensor([cols], data.beta)];
  const lengths = { y: [rows, cols], mean: [rows], rstd: [rows] };
  const gradients = { dx: [rows, cols], dgamma: [cols], dbeta: [cols] };
  const place = (shapes) =>
    Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, tensor(shape)]));

  const saved = place(lengths);
  const toForward = { gamma, beta, out: saved };
  an.layerNorm.forward(x, toForward);
  const { mean, rstd } = saved;
  const toBackward = { x, mean, rstd, gamma, out: place(gradients) };
  const runs = {
    forward: () => an.layerNorm.forward(x, toForward),
    backward: () => an.layerNorm.backward(dy, toBackward),
  };
  const results = operation === 'forward' ? saved : toBackward.out;
  return {
    run: runs[operation],
    read: () =>
      Object.fromEntries(Object.entries(results).map(([name, one]) => [name, one.slice()])),
    end() {
      for (const one of made) one.dispose();
    },
  };
}

/** The largest difference of all results, beside the largest value of their kind. */
export function worstError(results, right) {
  const errors = Object.entries(right).map(([name, values]) => {
    let [most, largest] = [0, 0];
    values.forEach((v, i) => {
      most = Math.max(most, Math.abs(results[name][i] - v));
      largest = Math.max(largest, Math.abs(v));
    });
    return most / largest;
  });
  return Math.max(...errors); // NaN where one is NaN
}

const bitsOf = (results) =>
  Object.values(results).map((v) => new Uint32Array(Float32Array.from(v).buffer));

export function sameBits(one, other) {
  const [a, b] = [bitsOf(one), bitsOf(other)];
  return a.every((words, k) => words.every((word, i) => word === b[k][i]));
}

/** First quartile, median and third quartile; there are 4n + 3 of them. */
export function quartiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return [1, 2, 3].map((k) => sorted[Math.round((k * (sorted.length + 1)) / 4) - 1]);
}

/** Milliseconds that so many calls take. */
function elapsed(run, calls, now) {
  const start = now();
  for (let i = 0; i < calls; i++) run();
  return now() - start;
}

const TRIES = 3;

/**
 * How many calls make a batch that the clock can tell. The calls before it warm the engine up; the
 * quickest of a few tries counts, as something else may have had the processor.
 */
function* callsFor(run, now) {
  let calls = 1;
  for (;;) {
    let time = Infinity;
    for (let i = 0; i < TRIES && time >= BATCH_MS / 2; i++) {
      time = Math.min(time, elapsed(run, calls, now));
      yield;
    }
    if (time >= BATCH_MS / 2) return Math.max(1, Math.round((calls * BATCH_MS) / time));
    calls *= 2;
  }
}

/**
 * @typedef {object} Measured
 * @property {number} error  beside float64, relative to the largest value
 * @property {[number, number, number]} times  quartiles, in microseconds a call
 * @property {number} calls  in a batch
 */

/**
 * Checks everyone's results, then takes the time in rounds in which each has its turn, so that what
 * disturbs the machine disturbs all alike. It yields wherever a pause does no harm.
 *
 * @param {Record<'scalar' | 'simd128', import('axisnorm').AxisNorm>} builds  those there are
 * @param {{ operation: 'forward' | 'backward', rows: number, cols: number }} task
 * @param {() => number} now  a clock, in milliseconds
 * @returns {Generator<undefined, { measured: Record<string, Measured>, same?: boolean }>}
 */
export function* measure(builds, { operation, rows, cols }, now) {
  const inputs = inputsOf({ rows, cols });
  yield;
  const contenders = { loop: loopContender(operation, inputs) };
  for (const [build, an] of Object.entries(builds)) {
    contenders[build] = libraryContender(an, operation, inputs);
    yield;
  }
  try {
    const right = yield* reference(operation, inputs);
    const measured = {};
    for (const [name, { run, read }] of Object.entries(contenders)) {
      run();
      const error = worstError(read(), right);
      if (!(error <= TOLERANCE)) throw new Error(`${name}: results are off by ${error}`);
      measured[name] = { error, times: [], calls: 0 };
      yield;
    }
    const same = builds.simd128 && sameBits(contenders.scalar.read(), contenders.simd128.read());
    yield;
    for (const [name, { run }] of Object.entries(contenders)) {
      measured[name].calls = yield* callsFor(run, now);
    }
    const names = Object.keys(contenders);
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < names.length; i++) {
        const name = names[(round + i) % names.length]; // nobody is always first
        const { calls, times } = measured[name];
        times.push((elapsed(contenders[name].run, calls, now) * 1000) / calls);
        yield;
      }
    }
    for (const one of Object.values(measured)) one.times = quartiles(one.times);
    return { measured, same };
  } finally {
    for (const { end } of Object.values(contenders)) end();
  }
}
