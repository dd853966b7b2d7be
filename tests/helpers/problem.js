/*
 * One problem: a norm, its sizes, and seeded inputs; what the kernels make of it and what the
 * oracle says.
 */
import { succeed } from './call.js';
import * as oracle from './oracle.js';
import { random, randomArray } from './random.js';
import { ACCUMULATE, BIASED_RUNNING, CHANNELS_LAST } from './signatures.js';

/**
 * How the values of a set are drawn: (u, first, j) with u in [-1, 1), first the set's first u, j the
 * place in the set.
 */
export const KINDS = {
  plain: (u) => 10 * u + 3,
  centred: (u) => u,
  variancesNearEps: (u) => 0.005 * u,
  meanLikeSpread: (u) => u - 0.6,
  meanTwiceSpread: (u, first) => u + 1.1547 + 0.02 * first, // where the correction sets in
  mean10: (u) => u + 5.77,
  mean1000: (u) => u - 577,
  mean1e6: (u) => u + 577e3,
  constant: (_, first) => 1000 * first,
  lastBits: (u) => 1 + 2 ** -23 * Math.round(2 * u + 2),
  zero: () => 0,
  outlier: (u) => (u > 0.9 ? 1e4 * u : u),
  skewed: (u) => Math.exp(6 * u),
  cancelling: (u, _, j) => [2 ** 40, -(2 ** 40), u, u][j % 4], // shows the order of the lanes
};

const DEFAULTS = { eps: 1e-5, gammaOffset: 0, momentum: 0.1 };

/** `rows=3 cols=7` */
const describe = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

export class Problem {
  /**
   * @param {import('./norms.js').Norm} norm
   * @param {Record<string, number | boolean>} sizes  and numbers that differ from the defaults
   * @param {object} [options]
   * @param {string[]} [options.kinds]  of the sets in turn, from KINDS
   * @param {number[]} [options.scales]  factors of x, of the sets in turn
   * @param {number[]} [options.dyScales]  factors of dy, of the sets in turn
   */
  constructor(norm, sizes, options = {}) {
    const { kinds = ['plain'], scales = [1], dyScales = [1] } = options;
    this.norm = norm;
    this.sizes = sizes;
    this.label = [norm.name, describe(sizes), describe(options)].filter(Boolean).join(' ');
    this.axes = norm.axes(sizes);
    this.numbers = { ...DEFAULTS, ...sizes };
    this.numbers.eps = Math.fround(this.numbers.eps);
    this.numbers.gammaOffset = Math.fround(this.numbers.gammaOffset);
    if ('cols' in sizes) this.numbers.statCols ??= sizes.cols;
    const { set, sets, channels } = this.axes;
    this.extents = { x: set.length, set: sets, channel: channels, one: 1 };

    const next = random(`${this.label} x`);
    const first = new Float64Array(sets);
    const drawn = new Uint32Array(sets);
    const draw = kinds.map((kind) => KINDS[kind]);
    const x = new Float32Array(set.length);
    for (let i = 0; i < x.length; i++) {
      const s = set[i];
      const u = next();
      if (drawn[s] === 0) first[s] = u;
      x[i] = scales[s % scales.length] * draw[s % draw.length](u, first[s], drawn[s]++);
    }
    const parameter = (name, map) => randomArray(`${this.label} ${name}`, channels, map);
    const all = {
      x,
      gamma: parameter('gamma', (u) => 1.5 * u),
      beta: parameter('beta'),
      dy: randomArray(
        `${this.label} dy`,
        x.length,
        (u, i) => dyScales[set[i] % dyScales.length] * (u + 0.1),
      ),
      runningMean: parameter('runningMean', (u) => 3 + u),
      runningVar: parameter('runningVar', (u) => 30 + 20 * u),
    };
    const known = new Set([...norm.forward.args, ...norm.backward.args].map((arg) => arg.name));
    this.inputs = Object.fromEntries(Object.entries(all).filter(([name]) => known.has(name)));
  }

  /** A copy of this problem with other inputs. */
  with(inputs, note = '') {
    const copy = Object.assign(Object.create(Problem.prototype), this);
    copy.inputs = { ...this.inputs, ...inputs };
    copy.label = [this.label, note].filter(Boolean).join(' ');
    return copy;
  }

  /** Where the values, the statistics and the parameters of a set are. */
  places(k) {
    const { set, channel } = this.axes;
    const elements = [];
    for (let i = 0; i < set.length; i++) if (set[i] === k) elements.push(i);
    const channels = [...new Set(elements.map((i) => channel[i]))].sort((a, b) => a - b);
    return { x: elements, set: [k], channel: channels };
  }

  /** The problem of set k alone. */
  member(k) {
    const from = this.places(k);
    const alone = new Problem(this.norm, this.norm.alone(this.sizes));
    for (const [name, values] of Object.entries(this.inputs)) {
      const places = from[name === 'x' || name === 'dy' ? 'x' : 'channel'];
      alone.inputs[name] = Float32Array.from(places, (i) => values[i]);
    }
    alone.label = `${this.label}, set ${k} alone`;
    return alone;
  }

  /** Set k of this problem as set `to` of another one, of the same sizes. */
  amid(other, k, to) {
    const from = this.places(k);
    const into = this.places(to);
    const inputs = {};
    for (const [name, values] of Object.entries(this.inputs)) {
      const extent = name === 'x' || name === 'dy' ? 'x' : 'channel';
      inputs[name] = other.inputs[name].slice();
      for (const [i, place] of into[extent].entries()) {
        inputs[name][place] = values[from[extent][i]];
      }
    }
    return other.with(inputs, `with set ${k} of ${this.label} as set ${to}`);
  }

  /** @private */
  call(signature, values, { flags = 0, ...more }) {
    return {
      fn: signature,
      extents: this.extents,
      values: { ...this.numbers, ...values },
      flags: flags | (this.sizes.channelsLast ? CHANNELS_LAST : 0),
      ...more,
    };
  }

  /** @param {Partial<import('./call.js').Call>} [more] */
  forwardCall(more = {}) {
    return this.call(this.norm.forward, this.inputs, more);
  }

  /** With the mean and rstd that the forward kernel gives. */
  backwardCall(more = {}) {
    this.saved ??= new Map();
    if (!this.norm.frozen && !this.saved.has(this.inputs)) {
      const { mean, rstd } = succeed(this.forwardCall(), `${this.label} forward`);
      this.saved.set(this.inputs, { mean, rstd });
    }
    const statistics = this.saved.get(this.inputs);
    return this.call(this.norm.backward, { ...this.inputs, ...statistics }, more);
  }

  forward(more = {}, note = '') {
    return succeed(this.forwardCall(more), `${this.label} forward ${note}`);
  }

  backward(more = {}, note = '') {
    return succeed(this.backwardCall(more), `${this.label} backward ${note}`);
  }

  /** @private */
  statistics() {
    const { eps } = this.numbers;
    return this.norm.frozen
      ? oracle.frozenStatistics({ ...this.inputs, eps })
      : oracle.statistics(this.axes, this.inputs.x, { eps, center: this.norm.center });
  }

  /** What the oracle says. */
  wantForward({ flags = 0 } = {}) {
    const stats = this.statistics();
    const want = oracle.forward(this.axes, this.inputs, stats, this.numbers);
    if (!this.norm.forward.args.some((arg) => arg.name === 'momentum')) return want;
    const { scale, ...after } = oracle.running(stats, this.inputs, {
      momentum: this.numbers.momentum,
      biased: (flags & BIASED_RUNNING) !== 0,
    });
    return { ...want, ...after, scale: { ...want.scale, ...scale } };
  }

  wantBackward({ flags = 0 } = {}) {
    const { dgamma, dbeta } = this.inputs; // what accumulation starts from
    return oracle.backward(this.axes, this.inputs, this.statistics(), {
      center: this.norm.center,
      gammaOffset: this.numbers.gammaOffset,
      before: flags & ACCUMULATE ? { dgamma, dbeta } : {},
    });
  }
}
