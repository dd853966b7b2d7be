/** The parameters of a model: named parts of one array of values and one of gradients. */

/** @import { Arena, WasmArray } from './memory.js' */
/** @import { Init } from './init.js' */
/** @import { Random } from './random.js' */

/** One array of parameters, such as the weights of a linear layer. */
export class Parameter {
  /** @type {string} */
  name;
  /** @type {readonly number[]} */
  shape;
  /** Number of values. */
  length;
  /**
   * @internal
   * @type {Init}
   */
  init;
  /** @type {WasmArray<Float32Array> | undefined} */
  #values;
  /** @type {WasmArray<Float32Array> | undefined} */
  #gradient;

  /**
   * @internal
   * @param {string} name
   * @param {readonly number[]} shape
   * @param {Init} init
   */
  constructor(name, shape, init) {
    this.name = name;
    this.shape = Object.freeze(shape);
    this.length = shape.reduce((a, b) => a * b, 1);
    this.init = init;
  }

  /**
   * @internal
   * @param {WasmArray<Float32Array>} values
   * @param {WasmArray<Float32Array>} gradient
   */
  place(values, gradient) {
    this.#values = values;
    this.#gradient = gradient;
  }

  /**
   * The values themselves. Ask again after models were made: memory that grows detaches the views
   * there were.
   */
  get values() {
    return this.#placed(this.#values).data;
  }

  /** What the last backward() has written. */
  get gradient() {
    return this.#placed(this.#gradient).data;
  }

  /** @internal */
  get ptr() {
    return this.#placed(this.#values).ptr;
  }

  /** @internal */
  get gradientPtr() {
    return this.#placed(this.#gradient).ptr;
  }

  /** @param {WasmArray<Float32Array> | undefined} array */
  #placed(array) {
    if (array === undefined) throw new ReferenceError(`${this.name}: used before it has memory`);
    return array;
  }
}

export class Parameters {
  /** @type {Parameter[]} */
  list = [];
  /** Values of all of them. */
  length = 0;
  /** @type {WasmArray<Float32Array> | undefined} */
  #values;
  /** @type {WasmArray<Float32Array> | undefined} */
  #gradients;

  /**
   * @param {string} name
   * @param {readonly number[]} shape
   * @param {Init} init
   */
  add(name, shape, init) {
    const parameter = new Parameter(name, shape, init);
    this.list.push(parameter);
    this.length += parameter.length;
    return parameter;
  }

  /**
   * Gives memory to all that were added.
   *
   * @param {Arena} arena
   */
  allocate(arena) {
    this.#values = arena.floats(this.length);
    this.#gradients = arena.floats(this.length);
    let start = 0;
    for (const parameter of this.list) {
      const { length } = parameter;
      parameter.place(this.#values.part(start, length), this.#gradients.part(start, length));
      start += length;
    }
  }

  /**
   * Draws them in the order in which they were added. Those that are constants at first draw
   * nothing, so that models that differ in their norms have the same weights.
   *
   * @param {Random} random
   */
  initialize(random) {
    for (const parameter of this.list) parameter.init(parameter.values, random);
  }

  get values() {
    return /** @type {WasmArray<Float32Array>} */ (this.#values);
  }

  get gradients() {
    return /** @type {WasmArray<Float32Array>} */ (this.#gradients);
  }
}
