/** What all layers have: parameters, gradients, state, mode and an end. */

/** @import { AxisNorm } from '../axisnorm.js' */
/** @import { Operand, ResultOf } from '../types.js' */
/** @import { Convention } from './conventions.js' */
/** @import { Entry, LoadStateOptions, LoadStateResult, StateDict } from './state.js' */
import { overlap, readArray } from '../arrays.js';
import { describe, expectOptions, wrongKind } from '../check.js';
import { Tensor } from '../tensor.js';
import { Parameter } from './parameter.js';
import { load, save, tensorEntry } from './state.js';

/**
 * @template O
 * @typedef {object} ForwardOptions
 * @property {number | ArrayLike<number>} [shape]  shape of x, where x is flat
 * @property {O} [out]  where y is written. May be x, but there is no backward then
 */

/**
 * @template O
 * @typedef {object} BackwardOptions
 * @property {O} [out]  where dx is written. May be dy, or x itself, but there is no second backward
 *   then
 */

/**
 * The operation that a layer calls.
 *
 * @typedef {{ forward(x: any, options: any): any, backward(dy: any, options: any): any }} Operation
 */

const BACKWARD_OPTIONS = new Set(['out']);
const ALIVE = 'a layer that is not disposed of';

/**
 * A norm with its parameters, which are tensors in wasm memory and live until dispose().
 *
 * backward takes the x of the last forward again, which is therefore not to be changed in between.
 */
export class Layer {
  /** Whether BatchNorm takes the statistics of the batch; the other norms do the same in both. */
  training = true;
  /**
   * Scale, gamma in papers; null where the layer has none.
   *
   * @type {Parameter | null}
   */
  weight = null;
  /**
   * Shift, beta in papers; null where the layer has none.
   *
   * @type {Parameter | null}
   */
  bias = null;
  /**
   * Options of the operation that are the layer's.
   *
   * @internal
   * @type {{ eps: number, [option: string]: any }}
   */
  own = { eps: 0 };
  #an;
  #name;
  #operation;
  /** @type {Tensor[]} */
  #tensors = [];
  /** @type {Entry[]} */
  #entries = [];
  /**
   * The last forward, or why there is none to go back from.
   *
   * @type {{ x: Operand, result: any } | string}
   */
  #pass = 'a forward call before it';
  #isDisposed = false;

  /**
   * @param {AxisNorm} an
   * @param {string} name  of the class, for messages
   * @param {'layerNorm' | 'rmsNorm' | 'batchNorm' | 'groupNorm' | 'instanceNorm'} operation
   */
  constructor(an, name, operation) {
    if (typeof an?.[operation]?.forward !== 'function') {
      throw wrongKind(
        name,
        `what load() gives, with ${operation}, as the first argument`,
        describe(an),
      );
    }
    this.#an = an;
    this.#name = name;
    this.#operation = /** @type {Operation} */ (an[operation]);
  }

  /** What is added to the variance. */
  get eps() {
    return this.own.eps;
  }

  /**
   * @param {boolean} [isOn]  default true
   * @returns {this}
   */
  train(isOn = true) {
    this.training = isOn;
    return this;
  }

  /**
   * From now on BatchNorm takes its running statistics, as constants.
   *
   * @returns {this}
   */
  eval() {
    return this.train(false);
  }

  /**
   * What is learned, for an optimizer.
   *
   * @returns {Parameter[]}
   */
  parameters() {
    return [this.weight, this.bias].filter((one) => one !== null);
  }

  /** Sets the gradients to 0, to which backward adds. */
  zeroGrad() {
    for (const { gradient } of this.parameters()) gradient.data.fill(0);
  }

  /**
   * A copy of all that is to be saved, under the names of PyTorch.
   *
   * @param {string} [prefix]  put before each name, as 'features.1.'
   * @returns {StateDict}
   */
  stateDict(prefix = '') {
    return save(this.#entries, prefix);
  }

  /**
   * Takes saved state, bit for bit. Where something does not fit, nothing is changed.
   *
   * @param {Record<string, any> | Map<string, any>} dict  arrays by name: Float32Array, Tensor,
   *   { data, shape } or { data, dims }. Keys that do not begin with the prefix are left alone
   * @param {string} [prefix]  as 'features.1.'
   * @param {LoadStateOptions} [options]
   * @returns {LoadStateResult}
   * @throws {RangeError} missing or unexpected keys, which the message lists, or a wrong length
   */
  loadStateDict(dict, prefix = '', options = {}) {
    return load(this.#entries, dict, prefix, options);
  }

  /**
   * The gradient of the loss with respect to the x of the last forward. Those of the parameters are
   * added to their `gradient`.
   *
   * @template {Operand} D
   * @template {Operand} [O=ResultOf<D>]
   * @param {D} dy  gradient of the loss with respect to y, shaped as x
   * @param {BackwardOptions<O>} [options]
   * @returns {NoInfer<O>} dx, shaped as x: `out` where it is given, else new
   */
  backward(dy, options = {}) {
    const name = `${this.#name}.backward`;
    expectOptions(name, options, BACKWARD_OPTIONS);
    if (typeof this.#pass === 'string') throw new ReferenceError(`${name}: expected ${this.#pass}`);
    const { x, result } = this.#pass;
    const isOverX = isSameMemory('x', x, options.out);
    const { dx } = this.#operation.backward(dy, {
      ...result,
      ...this.#values(),
      x,
      outputs: ['dx', ...this.parameters().map(({ name }) => GRADIENTS[name])],
      out: {
        dx: options.out,
        ...(this.weight && { dgamma: this.weight.gradient }),
        ...(this.bias && { dbeta: this.bias.gradient }),
      },
      accumulate: true,
    });
    if (isOverX) this.#forget('an x that backward has not overwritten');
    return dx;
  }

  /** Frees the parameters; the layer can then no longer be used. A second time does nothing. */
  dispose() {
    this.#isDisposed = true;
    this.#forget(ALIVE);
    for (const tensor of this.#tensors) tensor.dispose();
  }

  /**
   * y, and all that backward needs.
   *
   * @protected
   * @param {any} x
   * @param {any} options  of the caller
   * @param {ReadonlySet<string>} known  their names
   * @param {object} [mode]  further options that are the layer's
   * @returns {any} what the operation has returned
   */
  normalize(x, options, known, mode = {}) {
    const name = `${this.#name}.forward`;
    expectOptions(name, options, known);
    if (this.#isDisposed) throw new ReferenceError(`${name}: expected ${ALIVE}`);
    const { out } = options;
    const isOverX = isSameMemory('x', x, out);
    const call = {
      ...named(options, known),
      ...this.own,
      ...mode,
      ...this.#values(),
      out: { y: out },
    };
    const result = this.#operation.forward(x, call);
    this.#forget('a forward call before it');
    for (const one of [result.mean, result.rstd]) if (one instanceof Tensor) outlive(one);
    this.#pass = { x, result };
    if (isOverX) this.#forget('an x that forward has not overwritten');
    return result;
  }

  /**
   * @protected
   * @param {'weight' | 'bias'} name
   * @param {Record<Convention, string>} keys
   * @param {readonly number[]} shape
   * @param {number} value
   */
  addParameter(name, keys, shape, value) {
    const values = this.addTensor(keys, shape, value);
    this[name] = new Parameter(name, values, this.#tensor(shape, 0));
  }

  /**
   * A tensor that is saved.
   *
   * @protected
   * @param {Record<Convention, string>} keys
   * @param {readonly number[]} shape
   * @param {number} value
   */
  addTensor(keys, shape, value) {
    const tensor = this.#tensor(shape, value);
    this.addEntry(tensorEntry(keys, tensor));
    return tensor;
  }

  /**
   * @protected
   * @param {Entry} entry
   */
  addEntry(entry) {
    this.#entries.push(entry);
  }

  /**
   * @param {readonly number[]} shape
   * @param {number} value
   */
  #tensor(shape, value) {
    try {
      const tensor = this.#an.tensor(shape);
      tensor.data.fill(value);
      this.#tensors.push(tensor);
      return tensor;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** The parameters as options of the operation. */
  #values() {
    return {
      ...(this.weight && { gamma: this.weight.value }),
      ...(this.bias && { beta: this.bias.value }),
    };
  }

  /**
   * Frees what the last forward has made for backward.
   *
   * @param {string} reason  why there is then no way back
   */
  #forget(reason) {
    if (typeof this.#pass !== 'string') {
      const { mean, rstd } = this.#pass.result;
      if (mean instanceof Tensor) mean.dispose();
      if (rstd instanceof Tensor) rstd.dispose();
    }
    this.#pass = reason;
  }
}

/**
 * The options that are given, inherited ones as well, which spreading would leave out.
 *
 * @param {any} options
 * @param {ReadonlySet<string>} known
 */
function named(options, known) {
  /** @type {Record<string, any>} */
  const given = {};
  for (const name of known) if (options[name] !== undefined) given[name] = options[name];
  return given;
}

/**
 * Takes a tensor out of its scope: backward may come after the scope has ended.
 *
 * @param {Tensor} tensor
 */
function outlive(tensor) {
  tensor.scope?.forget(tensor);
  tensor.scope = null;
}

/** What an operation calls the gradient of a parameter. */
const GRADIENTS = { weight: 'dgamma', bias: 'dbeta' };

/**
 * Whether a result goes where an input is.
 *
 * @param {string} name  of the input
 * @param {any} input
 * @param {any} out  undefined for a new array
 */
export const isSameMemory = (name, input, out) =>
  out !== undefined && overlap(readArray(name, input).data, readArray('out', out).data);
