/** @import { Convnet } from './convnet.js' */
/** @import { Optimizer } from './optimizers.js' */
import { expectNumber, expectOptions } from '../check.js';
import { expectOk } from '../status.js';
import { expectWhole } from './check.js';
import { expectConvnet } from './convnet.js';
import { Magnitude } from './magnitude.js';
import { Arena, filling } from './memory.js';
import { OPTIMIZERS } from './optimizers.js';

/**
 * @typedef {object} ConvnetTrainerOptions
 * @property {number} [rate]  learning rate, finite and >= 0. Default 0.1; the trainer's own `rate`
 *   can be set before each step
 * @property {number} [momentum]  of the gradient descent, 0 to 1. Default 0.9
 * @property {number} [accumulate]  batches whose mean gradient makes one update. Default 1
 */

/**
 * @typedef {object} ConvnetStep
 * @property {number} batches  so far
 * @property {number} updates  so far
 * @property {number} loss  of the batch, in nats
 * @property {number} correct  how many targets had the largest logit
 * @property {number} counted  how many targets count
 * @property {number} gradientNorm  of all gradients together, of the last update
 * @property {boolean} finite  false once the loss or a gradient was not: the parameters are those
 *   before that update, and nothing more happens
 */

const OPTIONS = new Set(['rate', 'momentum', 'accumulate']);

/**
 * Gradient descent on the batches that are put into a network. With `accumulate`, the images that
 * share the statistics of BatchNorm can be fewer than those that make an update, as they are where
 * several devices train together, or where memory does not hold more.
 */
export class ConvnetTrainer {
  #model;
  #arena;
  #accumulate;
  /** @type {Optimizer} */
  #optimizer;
  #magnitude;
  #sum;
  #at = { rate: 0 };

  /** @type {ConvnetStep} */
  #result = {
    ...{ batches: 0, updates: 0, loss: NaN, correct: 0, counted: 0 },
    ...{ gradientNorm: NaN, finite: true },
  };

  /**
   * @internal
   * @param {Convnet} model
   * @param {Arena} arena  of the trainer alone
   * @param {Required<ConvnetTrainerOptions>} settings
   */
  constructor(model, arena, { rate, momentum, accumulate }) {
    const { kernels, parameters } = model.context;
    this.#model = model;
    this.#arena = arena;
    this.#accumulate = accumulate;
    this.#optimizer = new OPTIMIZERS.sgd(kernels, arena, parameters, { momentum });
    this.#magnitude = new Magnitude(kernels, arena);
    this.#sum = arena.floats(parameters.length);
    this.rate = rate;
  }

  /** Learning rate of the next update. */
  get rate() {
    return this.#at.rate;
  }

  set rate(rate) {
    expectRate(rate);
    this.#at.rate = rate;
  }

  /**
   * Trains on the images and targets of the network. Takes no wasm memory.
   *
   * @returns {ConvnetStep} the same object each time
   */
  step() {
    const result = this.#result;
    this.#arena.expectAlive();
    if (!result.finite) return result;
    const model = this.#model;
    model.forward();
    const { loss, correct, counted } = model.loss();
    model.backward();
    result.batches += 1;
    result.loss = loss;
    result.correct = correct;
    result.counted = counted;
    result.finite = Number.isFinite(loss);
    if (this.#accumulate > 1) this.#addGradients();
    if (result.finite && result.batches % this.#accumulate === 0) this.#update();
    return result;
  }

  /** Frees the memory of the trainer, not that of the network. */
  dispose() {
    this.#arena.dispose();
  }

  #addGradients() {
    const { kernels, parameters } = this.#model.context;
    const { gradients, length } = parameters;
    const sum = this.#sum.ptr;
    expectOk('gradients', kernels.an_residual(sum, sum, gradients.ptr, length, 1));
  }

  #update() {
    const result = this.#result;
    const { gradients, length } = this.#model.context.parameters;
    if (this.#accumulate > 1) this.#takeMean();
    this.#magnitude.measure(gradients.ptr, length);
    result.gradientNorm = this.#magnitude.value;
    result.finite = Number.isFinite(result.gradientNorm);
    if (!result.finite) return;
    this.#optimizer.step(this.#at);
    result.updates += 1;
  }

  /** The mean becomes the gradient, and the sum begins anew. */
  #takeMean() {
    const { kernels, parameters } = this.#model.context;
    const { gradients, length } = parameters;
    expectOk(
      'gradients',
      kernels.an_scale(gradients.ptr, this.#sum.ptr, length, 1 / this.#accumulate),
    );
    this.#sum.data.fill(0);
  }
}

/** @param {number} rate */
const expectRate = (rate) => {
  expectNumber('rate', rate, 0, Number.MAX_VALUE, 'a finite number >= 0');
};

/**
 * @param {Convnet} model
 * @param {ConvnetTrainerOptions} [options]
 */
export function convnetTrainer(model, options = {}) {
  expectConvnet(model);
  expectOptions('convnetTrainer', options, OPTIONS);
  const { rate = 0.1, momentum = 0.9, accumulate = 1 } = options;
  expectRate(rate);
  expectNumber('momentum', momentum, 0, 1, 'a number from 0 to 1');
  expectWhole('accumulate', accumulate, 1, 4096);
  const arena = new Arena(model.arena.heap, 'convnetTrainer', model.arena);
  return filling(arena, () => new ConvnetTrainer(model, arena, { rate, momentum, accumulate }));
}
