/** The outputs of backward functions: which are wanted, and where they go. */

/** @import { Block } from './block.js' */
/** @import { Call } from './call.js' */
import { ABSENT } from './block.js';
import { describe, expectOptions, outOfRange, wrongKind } from './check.js';

/**
 * @typedef {object} GradientOptions
 * @property {readonly string[]} [outputs]
 * @property {Record<string, any>} [out]
 * @property {boolean} [accumulate]
 */

/** Names for messages. */
const LABELS = { dgamma: 'out.dgamma', dbeta: 'out.dbeta', dgain: 'out.dgain' };

/** The gradients that one call computes. */
export class Gradients {
  #call;
  #options;

  /**
   * @param {Call} call
   * @param {GradientOptions} options
   * @param {ReadonlySet<string>} known  names of all gradients of the operation
   */
  constructor(call, options, known) {
    this.#call = call;
    this.#options = options;
    if (options.outputs !== undefined) expectOutputs(options.outputs, known);
    if (options.out !== undefined) expectOut(options.out, options.outputs, known);
  }

  /** @param {string} name */
  wants(name) {
    const { outputs } = this.#options;
    return outputs === undefined || outputs.includes(name);
  }

  /**
   * dx, which is always overwritten.
   *
   * @param {unknown} given  for it in out
   * @param {Block} dy
   */
  ofInput(given, dy) {
    if (!this.wants('dx')) return ABSENT;
    return this.#call.output('out.dx', given, dy.length, dy.shape, dy);
  }

  /**
   * The gradient of a parameter, overwritten or added to.
   *
   * @param {'dgamma' | 'dbeta' | 'dgain'} name
   * @param {unknown} given  for it in out
   * @param {number} length
   */
  ofParameter(name, given, length) {
    if (!this.wants(name)) return ABSENT;
    return this.#options.accumulate
      ? this.#call.updated(LABELS[name], given, length, ' (accumulate adds to it)')
      : this.#call.output(LABELS[name], given, length);
  }

  /**
   * What the operation returns: of all gradients those that are wanted.
   *
   * @param {Record<string, any>} all
   * @returns {any}
   */
  pick(all) {
    if (this.#options.outputs === undefined) return all;
    /** @type {Record<string, any>} */
    const wanted = {};
    for (const name in all) if (this.wants(name)) wanted[name] = all[name];
    return wanted;
  }
}

/**
 * @param {unknown} outputs
 * @param {ReadonlySet<string>} known
 */
function expectOutputs(outputs, known) {
  const names = [...known].map((name) => `'${name}'`).join(', ');
  if (!Array.isArray(outputs)) throw wrongKind('outputs', `a list of ${names}`, describe(outputs));
  for (const name of outputs) {
    if (!known.has(name)) throw outOfRange('outputs', `some of ${names}`, describe(name));
  }
}

/**
 * @param {Record<string, any>} out
 * @param {readonly string[] | undefined} outputs
 * @param {ReadonlySet<string>} known
 */
function expectOut(out, outputs, known) {
  expectOptions('out', out, known, 'output');
  if (outputs === undefined) return;
  for (const name in out) {
    if (out[name] !== undefined && !outputs.includes(name)) {
      throw wrongKind(`out.${name}`, 'only what outputs lists', describe(out[name]));
    }
  }
}
