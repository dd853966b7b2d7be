/** Tensors that are freed together. */

/** @import { Runtime } from './runtime.js' */
/** @import { Operand } from './types.js' */
import { describe, wrongKind } from './check.js';
import { newTensor } from './new-tensor.js';
/** @import { Tensor } from './tensor.js' */

/** Given to the function that `an.scope` calls; of no use after it. */
export class Scope {
  #runtime;
  /** @type {Set<Tensor>} */
  #tensors = new Set();
  #isOpen = true;

  /**
   * @internal
   * @param {Runtime} runtime
   */
  constructor(runtime) {
    this.#runtime = runtime;
  }

  /**
   * A tensor that lives until this scope ends.
   *
   * @param {number | ArrayLike<number>} shape  sizes of the axes
   * @param {Operand} [data]  values to copy in; zeros if left out
   * @returns {Tensor}
   */
  tensor(shape, data) {
    this.#expectOpen();
    const tensor = newTensor(this.#runtime, shape, data);
    this.adopt(tensor);
    return tensor;
  }

  /**
   * Takes a tensor out of this scope, so that it outlives it. It is then the caller's to dispose.
   *
   * @template {Tensor} T
   * @param {T} tensor
   * @returns {T}
   */
  keep(tensor) {
    this.#expectOpen();
    if (!this.#tensors.delete(tensor)) {
      throw wrongKind('keep', 'a tensor of this scope', describe(tensor));
    }
    tensor.scope = null;
    return tensor;
  }

  /**
   * @internal
   * @param {Tensor} tensor
   */
  adopt(tensor) {
    tensor.scope = this;
    this.#tensors.add(tensor);
  }

  /**
   * @internal
   * @param {Tensor} tensor
   */
  forget(tensor) {
    this.#tensors.delete(tensor);
  }

  /** @internal */
  close() {
    this.#isOpen = false;
    for (const tensor of this.#tensors) tensor.dispose();
  }

  #expectOpen() {
    if (!this.#isOpen) throw new ReferenceError('scope: used after it ended');
  }
}

/**
 * Calls fn with a new scope and frees the scope's tensors however fn ends.
 *
 * @template T
 * @param {Runtime} runtime
 * @param {(scope: Scope) => T} fn
 * @returns {T}
 */
export function runInScope(runtime, fn) {
  if (typeof fn !== 'function') throw wrongKind('scope', 'a function', describe(fn));
  const outer = runtime.scope;
  const scope = new Scope(runtime);
  runtime.scope = scope;
  try {
    const result = fn(scope);
    refusePromise(result);
    return result;
  } finally {
    runtime.scope = outer;
    scope.close();
  }
}

/** @param {any} result */
function refusePromise(result) {
  if (typeof result?.then !== 'function') return;
  // What still runs will fail on freed tensors, which the error below has said already.
  result.then(undefined, () => {});
  throw new TypeError('scope: expected a function that ends before it returns, got a promise');
}
