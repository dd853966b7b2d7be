/** @import { Kernels } from '../runtime.js' */
/** @import { Arena } from './memory.js' */
/** @import { Parameters } from './parameters.js' */
import { expectOk } from '../status.js';

/**
 * @typedef {object} OptimizerSettings
 * @property {number} momentum  of 'sgd'
 * @property {readonly [number, number]} betas  of 'adam'
 * @property {number} eps  of 'adam'
 * @property {number} weightDecay  of 'adam'
 */

/**
 * Takes the rate as part of an object, as numbers that functions pass on can take one each.
 *
 * @typedef {{ step: (at: { rate: number }) => void }} Optimizer
 */

/** Gradient descent with momentum, as in PyTorch. */
class Sgd {
  #kernels;
  #parameters;
  #velocity;
  #momentum;

  /**
   * @param {Kernels} kernels
   * @param {Arena} arena
   * @param {Parameters} parameters
   * @param {Pick<OptimizerSettings, 'momentum'>} settings
   */
  constructor(kernels, arena, parameters, { momentum }) {
    this.#kernels = kernels;
    this.#parameters = parameters;
    this.#velocity = arena.floats(parameters.length);
    this.#momentum = momentum;
  }

  /** @param {{ rate: number }} at */
  step({ rate }) {
    const { values, gradients, length } = this.#parameters;
    expectOk(
      'sgd',
      this.#kernels.an_sgd_step(
        values.ptr,
        this.#velocity.ptr,
        gradients.ptr,
        length,
        rate,
        this.#momentum,
      ),
    );
  }
}

/** Adam (Kingma & Ba 2015), with the decoupled weight decay of AdamW (Loshchilov & Hutter 2019). */
class Adam {
  #kernels;
  #parameters;
  #m;
  #v;
  #beta1;
  #beta2;
  #eps;
  #weightDecay;
  /** beta1^t and beta2^t; as an array, so that engines do not box them. */
  #powers = Float64Array.of(1, 1);

  /**
   * @param {Kernels} kernels
   * @param {Arena} arena
   * @param {Parameters} parameters
   * @param {OptimizerSettings} settings
   */
  constructor(kernels, arena, parameters, { betas, eps, weightDecay }) {
    this.#kernels = kernels;
    this.#parameters = parameters;
    this.#m = arena.floats(parameters.length);
    this.#v = arena.floats(parameters.length);
    [this.#beta1, this.#beta2] = betas;
    this.#eps = eps;
    this.#weightDecay = weightDecay;
  }

  /** @param {{ rate: number }} at */
  step({ rate }) {
    const { values, gradients, length } = this.#parameters;
    const powers = this.#powers;
    powers[0] *= this.#beta1;
    powers[1] *= this.#beta2;
    expectOk(
      'adam',
      this.#kernels.an_adam_step(
        values.ptr,
        this.#m.ptr,
        this.#v.ptr,
        gradients.ptr,
        length,
        rate,
        this.#beta1,
        this.#beta2,
        1 - powers[0],
        1 - powers[1],
        this.#eps,
        this.#weightDecay,
      ),
    );
  }
}

export const OPTIMIZERS = Object.freeze({ adam: Adam, sgd: Sgd });

/** @typedef {keyof typeof OPTIMIZERS} OptimizerKind */
