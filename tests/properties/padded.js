/*
 * Batches of unequal examples, padded to one size: what is drawn of them, and how they are put to
 * the public API, with a mask, and as what is left when the padding is taken out.
 */
import fc from 'fast-check';
import { random, randomArray } from '../helpers/random.js';

/** The axes in order: a layout has its name, other places of C are a channelAxis. */
const LAYOUTS = ['NC', 'NCL', 'NLC', 'NCHW', 'NHWC', 'NCDHW', 'NDHWC'];
const OTHERS = ['CN', 'CNL', 'NHCW', 'NDHCW'];

const NORMS = {
  batchNormTraining: { operation: 'batchNorm', axes: [...LAYOUTS, ...OTHERS] },
  batchNormInference: {
    operation: 'batchNorm',
    axes: [...LAYOUTS, ...OTHERS],
    settings: { training: false },
  },
  groupNorm: { operation: 'groupNorm', axes: LAYOUTS },
  instanceNorm: { operation: 'instanceNorm', axes: LAYOUTS },
};

/** Which positions of an example count: (share, positions, next) gives a function of the position. */
const PATTERNS = {
  prefix: (share, positions) => (i) => i < Math.round(share * positions),
  scattered: (share, _, next) => () => (next() + 1) / 2 < share,
  one: (share, positions) => (i) => i === Math.round(share * (positions - 1)),
  none: () => () => false,
  all: () => () => true,
};

const POISON = [NaN, Infinity, -Infinity, 1e38, -1e38];
const LIMIT = 6000;

/** Ways to say which positions count, from a list of 0 and 1. */
export const FORMS = {
  booleans: (kept) => ({ mask: Array.from(kept, Boolean) }),
  numbers: (kept) => ({ mask: [...kept] }),
  bytes: (kept) => ({ mask: kept }),
  floats: (kept) => ({ mask: Float32Array.from(kept) }),
  data: (kept) => ({ mask: { data: kept } }),
};

/**
 * @typedef {object} Drawn
 * @property {keyof typeof NORMS} norm
 * @property {number} layout  which of those of the norm
 * @property {number} batch
 * @property {number} groups
 * @property {number} width  channels of a group
 * @property {number} long  positions of an example where they are one axis
 * @property {number[]} sizes  of the axes where there are more
 * @property {{ pattern: keyof typeof PATTERNS, share: number }[]} examples  in turn
 * @property {keyof typeof FORMS} form
 * @property {number} poison  the first value of the padding, which has all in turn
 * @property {number} scale  of the values that count
 * @property {number} seed
 */

const size = (max) => fc.integer({ min: 1, max });

/** @param {Record<string, fc.Arbitrary<any>>} [more]  in place of what Drawn has, or besides */
export const paddedBatches = (more = {}) =>
  fc.record({
    norm: fc.constantFrom(...Object.keys(NORMS)),
    layout: fc.nat(99),
    batch: size(6),
    groups: size(5),
    width: size(5),
    long: fc.oneof(size(12), size(100)),
    sizes: fc.array(size(6), { minLength: 3, maxLength: 3 }),
    examples: fc.array(
      fc.record({
        pattern: fc.constantFrom('prefix', 'scattered', ...Object.keys(PATTERNS)),
        share: fc.nat(20).map((n) => n / 20),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    form: fc.constantFrom(...Object.keys(FORMS)),
    poison: fc.nat(POISON.length - 1),
    scale: fc.constantFrom(1, 1, 1, 1e30, 1e-30),
    seed: fc.nat(),
    ...more,
  });

const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

/** A padded batch: which of its positions count, and its arrays. */
export class Padded {
  /** @param {Drawn} drawn */
  constructor(drawn) {
    const { norm, layout, batch, groups, width, seed } = drawn;
    const { operation, axes, settings } = NORMS[norm];
    this.operation = operation;
    this.isFrozen = settings !== undefined;
    this.isPerExample = operation !== 'batchNorm';
    this.axes = axes[layout % axes.length];
    this.axis = this.axes.indexOf('C');
    this.channels = groups * width;
    const space = this.axes.length === 3 ? [drawn.long] : drawn.sizes;
    const sizes = space.slice(0, this.axes.length - 2);
    this.batch = Math.max(1, Math.min(batch, Math.floor(LIMIT / product(sizes) / this.channels)));
    this.positions = product(sizes);
    const next = sizes.values();
    const known = { N: this.batch, C: this.channels };
    this.shape = Array.from(this.axes, (name) => known[name] ?? next.next().value);
    this.inner = product(this.shape.slice(this.axis + 1));
    this.sets = { batchNorm: this.channels, groupNorm: groups, instanceNorm: this.channels }[
      operation
    ];
    this.settings = { ...settings, ...(operation === 'groupNorm' && { groups }) };
    this.label = `${this.axes} [${this.shape}] ${norm} seed ${seed}`;
    this.kept = this.#draw(drawn);
    /** Positions that count, of each example. */
    this.places = Array.from({ length: this.batch }, (_, n) =>
      Array.from({ length: this.positions }, (__, i) => n * this.positions + i).filter(
        (p) => this.kept[p],
      ),
    );
    this.total = this.places.flat().length;
    this.inputs = this.#inputs(drawn);
  }

  get isWhole() {
    return this.total === this.kept.length;
  }

  /** Options that say where the channels are. */
  get where() {
    return LAYOUTS.includes(this.axes) ? { layout: this.axes } : { channelAxis: this.axis };
  }

  /** Where a channel of a position is in x. */
  at(position, channel) {
    const { channels, inner } = this;
    return (Math.floor(position / inner) * channels + channel) * inner + (position % inner);
  }

  /**
   * The batch as it is, with options that say what of it counts.
   * @param {object} [options]
   * @returns {import('./api.js').Spec}
   */
  spec(options = {}) {
    const { operation, shape, inputs, channels } = this;
    return {
      label: this.label,
      ...{ operation, shape, inputs },
      options: { ...this.settings, ...this.where, ...options },
      extents: {
        x: inputs.x.length,
        set: this.isPerExample ? this.batch * this.sets : channels,
        channel: channels,
      },
    };
  }

  /**
   * Some positions as a batch of their own; as one example where examples are normalized alone.
   * @param {number[]} places
   * @returns {import('./api.js').Spec}
   */
  alone(places) {
    const n = places.length;
    const { channels, inputs } = this;
    const take = (values) => {
      const taken = new Float32Array(n * channels);
      this.#eachOf(places, (from, to) => {
        taken[to] = values[from];
      });
      return taken;
    };
    const shapes = this.isPerExample
      ? { first: [1, channels, n], last: [1, n, channels] }
      : { first: [1, channels, n], last: [n, channels] };
    const isFirst = this.inner > 1 && n > 0;
    return {
      label: `${this.label} ${n} alone`,
      operation: this.operation,
      shape: isFirst ? shapes.first : shapes.last,
      options: { ...this.settings, channelAxis: isFirst ? 1 : -1 },
      inputs: { ...inputs, x: take(inputs.x), dy: take(inputs.dy) },
      extents: { x: n * channels, set: this.sets, channel: channels },
    };
  }

  /** Puts what was computed for places alone where it belongs in an array shaped as x. */
  scatter(places, values, to) {
    this.#eachOf(places, (whole, part) => {
      to[whole] = values[part];
    });
  }

  /** @param {(whole: number, part: number) => void} fn */
  #eachOf(places, fn) {
    const n = places.length;
    for (const [k, p] of places.entries()) {
      for (let c = 0; c < this.channels; c++) {
        fn(this.at(p, c), this.inner > 1 ? c * n + k : k * this.channels + c);
      }
    }
  }

  /** @param {Drawn} drawn */
  #draw({ examples }) {
    const next = random(`${this.label} mask`);
    const kept = new Uint8Array(this.batch * this.positions);
    for (let n = 0; n < this.batch; n++) {
      const { pattern, share } = examples[n % examples.length];
      const counts = PATTERNS[pattern](share, this.positions, next);
      for (let i = 0; i < this.positions; i++) kept[n * this.positions + i] = Number(counts(i));
    }
    return kept;
  }

  /** @param {Drawn} drawn */
  #inputs({ scale, poison }) {
    const draw = (name, length, map) => randomArray(`${this.label} ${name}`, length, map);
    const main = (name, map) => {
      const values = draw(name, this.kept.length * this.channels, map);
      for (let p = 0; p < this.kept.length; p++) {
        if (this.kept[p]) continue;
        for (let c = 0; c < this.channels; c++) {
          values[this.at(p, c)] = POISON[(poison + p + c) % POISON.length];
        }
      }
      return values;
    };
    const { channels } = this;
    return {
      x: main('x', (u) => scale * (u + 0.3)),
      dy: main('dy', (u) => u + 0.1),
      gamma: draw('gamma', channels, (u) => 1.5 * u),
      beta: draw('beta', channels),
      ...(this.operation === 'batchNorm' && {
        runningMean: draw('runningMean', channels, (u) => 3 + u),
        runningVar: draw('runningVar', channels, (u) => 30 + 20 * u),
      }),
    };
  }
}
