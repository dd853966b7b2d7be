// What the blocks are made of besides norms: sums, a dense layer and activations.

/**
 * What a residual block is put around: attention, a feed-forward network, or a Dense for a start.
 * backward belongs to the forward before it.
 *
 * @typedef {object} Sublayer
 * @property {(x: Float32Array) => Float32Array} forward  gives y, shaped as x
 * @property {(dy: Float32Array) => Float32Array} backward  gives dx
 */

/**
 * Values that are learned, and the gradient that backward adds to. Those of axisnorm/layers look the
 * same.
 *
 * @typedef {object} Parameter
 * @property {{ data: Float32Array, shape: number[] }} value
 * @property {{ data: Float32Array, shape: number[] }} gradient
 */

export const add = (a, b) => a.map((v, i) => v + b[i]);

export const scale = (a, factor) => a.map((v) => v * factor);

/**
 * @param {(_: undefined, i: number) => number} [value]  of each; zeros if left out
 * @returns {Parameter}
 */
export function parameter(shape, value = () => 0) {
  const length = shape.reduce((a, b) => a * b);
  return {
    value: { data: Float32Array.from({ length }, value), shape },
    gradient: { data: new Float32Array(length), shape },
  };
}

/** Weights [outputs][inputs], Xavier uniform times gain. `draw` is uniform from 0 to 1. */
export function weights(outputs, inputs, { gain = 1, draw = Math.random } = {}) {
  const limit = gain * Math.sqrt(6 / (inputs + outputs));
  return parameter([outputs, inputs], () => (2 * draw() - 1) * limit);
}

/** y = x W': x is [rows][inputs], W [outputs][inputs] and y [rows][outputs]. */
export function multiply(x, { value: { data: w, shape } }) {
  const [outputs, inputs] = shape;
  return Float32Array.from({ length: (x.length / inputs) * outputs }, (_, at) => {
    const row = Math.floor(at / outputs) * inputs;
    const filter = (at % outputs) * inputs;
    let sum = 0;
    for (let i = 0; i < inputs; i++) sum += x[row + i] * w[filter + i];
    return sum;
  });
}

/** @returns {Float32Array} dx = dy W; dy' x is added to the gradient of W */
export function multiplyBackward(dy, x, { value: { data: w, shape }, gradient: { data: dw } }) {
  const [outputs, inputs] = shape;
  const dx = new Float32Array(x.length);
  for (let at = 0; at < dy.length; at++) {
    const row = Math.floor(at / outputs) * inputs;
    const filter = (at % outputs) * inputs;
    for (let i = 0; i < inputs; i++) {
      dx[row + i] += dy[at] * w[filter + i];
      dw[filter + i] += dy[at] * x[row + i];
    }
  }
  return dx;
}

/** y = x W' + b, for each row of x. */
export class Dense {
  constructor(inputs, outputs, options) {
    this.weight = weights(outputs, inputs, options);
    this.bias = parameter([outputs]);
  }

  forward(x) {
    this.x = x;
    const b = this.bias.value.data;
    return multiply(x, this.weight).map((v, i) => v + b[i % b.length]);
  }

  backward(dy) {
    const db = this.bias.gradient.data;
    for (let i = 0; i < dy.length; i++) db[i % db.length] += dy[i];
    return multiplyBackward(dy, this.x, this.weight);
  }
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** Functions and their derivatives. */
const ACTIVATIONS = {
  relu: { f: (x) => Math.max(x, 0), slope: (x) => Number(x > 0) },
  silu: {
    f: (x) => x * sigmoid(x),
    slope: (x) => sigmoid(x) * (1 + x * (1 - sigmoid(x))),
  },
  tanh: { f: Math.tanh, slope: (x) => 1 - Math.tanh(x) ** 2 },
};

export class Activation {
  /** @param {'relu' | 'silu' | 'tanh'} name */
  constructor(name) {
    this.f = ACTIVATIONS[name].f;
    this.slope = ACTIVATIONS[name].slope;
  }

  forward(x) {
    this.x = x;
    return x.map((v) => this.f(v));
  }

  backward(dy) {
    return dy.map((d, i) => d * this.slope(this.x[i]));
  }
}
