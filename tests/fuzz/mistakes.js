/* What can be wrong with the arguments of a call. Each mistake changes one thing. */

const WORDS = ['', 'abc', '2', 'NCHW', 'NHWC', 'dx', 'biased'];
const NUMBERS = [NaN, Infinity, -Infinity, -1, -0, 0, 0.5, 1, 2, 3, 1e-300, 1e39, 2 ** 30, 2 ** 31];
const OTHER_ARRAYS = [Float64Array, Int32Array, Uint8Array, Uint16Array, Array, DataView];

function detached() {
  const array = new Float32Array(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** Anything but what is asked for; now and then it fits by chance. */
export function junk(d, freed, foreign) {
  const floats = () => d.floats(d.below(10));
  return d.pick([
    () => d.pick([undefined, null, true, false, 1n, Symbol('junk')]),
    () => d.pick(NUMBERS),
    () => d.pick(WORDS),
    () => d.pick([{}, [], Object.create(null), new Map(), new Date(), /x/, new ArrayBuffer(8)]),
    () => d.pick([() => 1, async () => 1, class {}, Promise.resolve(1), new Proxy({}, {})]),
    () => [d.pick(NUMBERS), d.pick(NUMBERS)],
    () => [d.pick([undefined, null, 'x', Symbol('junk'), {}, Object.create(null), 1n])],
    () => ({ length: d.pick([0, 1, 3, -1, NaN, 'x']) }),
    () => floats(),
    () => ({ data: floats() }),
    () => ({ data: floats(), shape: [d.below(4), d.below(4)] }),
    () => ({ data: floats(), dims: d.pick(NUMBERS) }),
    () => ({ data: [1, 2, 3], shape: [3] }),
    () => ({ shape: [3] }),
    () => {
      const Other = d.pick(OTHER_ARRAYS);
      return Other === DataView ? new DataView(new ArrayBuffer(12)) : Other.from([1, 2, 3]);
    },
    detached,
    () => freed,
    () => foreign,
  ])();
}

const OPTIONS = [
  ...['shape', 'normalizedShape', 'axis', 'gamma', 'beta', 'gain', 'eps', 'exact', 'out', 'x'],
  ...['gammaOffset', 'p', 'groups', 'layout', 'channelAxis', 'runningMean', 'runningVar', 'y'],
  ...['momentum', 'numBatchesTracked', 'runningVarEstimate', 'training', 'mean', 'rstd'],
  ...['outputs', 'accumulate', 'skippedChannels', 'epsilon', 'weight', 'constructor', 'ｅps', ''],
];

/** An array of another length, in the guise of a plain one. */
const resized = (d, array) => {
  const length = array?.length ?? array?.data?.length ?? 0;
  return new Float32Array(Math.max(0, length + d.pick([-1, 1, length])));
};

const isArray = (value) => value?.length !== undefined || value?.data !== undefined;
const arraysIn = (object) => Object.keys(object).filter((name) => isArray(object[name]));

/** Mistake -> (d, [first, options], junk) -> arguments. */
export const MISTAKES = {
  wrongFirst: (_, [, options], wrong) => [wrong(), options],
  wrongOptions: (_, [first], wrong) => [first, wrong()],
  wrongOption: (d, [first, options], wrong) => [first, { ...options, [d.pick(OPTIONS)]: wrong() }],
  wrongGiven: (d, [first, options], wrong) => [
    first,
    { ...options, [d.pick(Object.keys(options).concat('eps'))]: wrong() },
  ],
  wrongOut: (d, [first, options], wrong) => {
    const name = d.pick(['y', 'mean', 'rstd', 'dx', 'dgamma', 'dbeta', 'dgain', 'z']);
    return [first, { ...options, out: { ...options.out, [name]: wrong() } }];
  },
  leftOut: (d, [first, options]) => {
    const { [d.pick(Object.keys(options).concat('eps'))]: _, ...rest } = options;
    return [first, rest];
  },
  wrongLength: (d, [first, options]) => {
    const name = d.pick(arraysIn(options).concat('gamma'));
    return [first, { ...options, [name]: resized(d, options[name]) }];
  },
  /** One output where another array is. */
  sharedMemory: (d, [first, options]) => {
    const array = d.pick(
      arraysIn(options)
        .map((name) => options[name])
        .concat(first),
    );
    const name = d.pick(['y', 'mean', 'rstd', 'dx', 'dgamma', 'dbeta', 'dgain']);
    return [first, { ...options, out: { ...options.out, [name]: array } }];
  },
};
