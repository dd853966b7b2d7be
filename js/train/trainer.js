/** @import { Optimizer } from './optimizers.js' */
/** @import { Task } from './tasks.js' */
/** @import { Transformer } from './transformer.js' */
/** @import { TrainerOptions, TrainerSettings } from './trainer-settings.js' */
import { expectOk } from '../status.js';
import { expectWhole } from './check.js';
import { Magnitude } from './magnitude.js';
import { Arena, filling } from './memory.js';
import { OPTIMIZERS } from './optimizers.js';
import { Random } from './random.js';
import { Schedule } from './schedule.js';
import { taskOf } from './tasks.js';
import { trainerSettings } from './trainer-settings.js';
import { expectTransformer } from './transformer.js';

/** Streams of random numbers; the seed itself is that of the parameters. */
const TRAINING = 1;
const HELD_OUT = 2;

/**
 * @typedef {object} Step
 * @property {number} step  1 for the first
 * @property {number} loss  of the batch before the update, in nats
 * @property {number} accuracy  share of the symbols that would have been right
 * @property {number} rate  learning rate of this step
 * @property {number} gradientNorm  of all gradients together, before clipping
 * @property {boolean} finite  false once the loss or a gradient was not: the parameters are those
 *   before that step, and nothing more happens
 */

/**
 * Trains a model on a task. Questions of which the held-out data is made are never trained on. The
 * same seeds give the same bits in every engine.
 */
export class Trainer {
  /** @type {TrainerSettings} */
  settings;
  /** @type {Task} */
  task;
  #model;
  #arena;
  /** @type {Optimizer} */
  #optimizer;
  #schedule;
  #magnitude;
  #random;
  #heldOut = new Random(0);

  /** @type {Step} */
  #result = { step: 0, loss: NaN, accuracy: NaN, rate: NaN, gradientNorm: NaN, finite: true };

  /**
   * @internal
   * @param {Transformer} model
   * @param {Arena} arena  of the trainer alone
   * @param {Task} task
   * @param {TrainerSettings} settings
   */
  constructor(model, arena, task, settings) {
    const { kernels, parameters } = model.context;
    this.settings = settings;
    this.task = task;
    this.#model = model;
    this.#arena = arena;
    this.#optimizer = new OPTIMIZERS[settings.optimizer](kernels, arena, parameters, settings);
    this.#schedule = new Schedule(settings);
    this.#magnitude = new Magnitude(kernels, arena);
    this.#random = new Random(settings.seed, TRAINING);
  }

  /** Mean loss of the best guess without the question, in nats. */
  get chance() {
    return this.task.chance;
  }

  /** The least mean loss there can be, in nats. */
  get floor() {
    return this.task.floor;
  }

  /**
   * Trains on one batch. Allocates nothing.
   *
   * @returns {Step} the same object each time
   */
  step() {
    const result = this.#result;
    this.#arena.expectAlive();
    if (!result.finite) return result;
    const model = this.#model;
    this.task.fill(model.ids, model.targets, this.#random, false);
    model.forward();
    const { loss, correct, counted } = model.loss();
    model.backward();
    result.step += 1;
    result.loss = loss;
    result.accuracy = correct / counted;
    this.#schedule.apply(result);
    this.#setGradientNorm(result);
    result.finite = Number.isFinite(loss) && Number.isFinite(result.gradientNorm);
    if (result.finite) this.#update(result);
    return result;
  }

  /**
   * Tries the model on held-out data, the same each time.
   *
   * @param {number} [batches]
   * @returns {{ loss: number, accuracy: number }}
   */
  evaluate(batches = 4) {
    expectWhole('batches', batches, 1, 1e6);
    this.#arena.expectAlive();
    const model = this.#model;
    let [sum, right, all] = [0, 0, 0];
    this.#heldOut.restart(this.settings.seed, HELD_OUT);
    for (let i = 0; i < batches; i += 1) {
      this.task.fill(model.ids, model.targets, this.#heldOut, true);
      model.forward();
      const { loss, correct, counted } = model.loss();
      sum += loss;
      right += correct;
      all += counted;
    }
    return { loss: sum / batches, accuracy: right / all };
  }

  /** Frees the memory of the trainer, not that of the model. It can then no longer be used. */
  dispose() {
    this.#arena.dispose();
  }

  /** @param {Step} result */
  #setGradientNorm(result) {
    const { gradients, length } = this.#model.context.parameters;
    this.#magnitude.measure(gradients.ptr, length);
    result.gradientNorm = this.#magnitude.value;
  }

  /** @param {Step} result */
  #update(result) {
    this.#clip(result);
    this.#optimizer.step(result);
  }

  /** @param {Step} result */
  #clip({ gradientNorm }) {
    const { clip } = this.settings;
    if (clip === 0 || gradientNorm <= clip) return;
    const { kernels, parameters } = this.#model.context;
    const { ptr, length } = parameters.gradients;
    expectOk('clip', kernels.an_scale(ptr, ptr, length, clip / gradientNorm));
  }
}

/**
 * @param {Transformer} model
 * @param {TrainerOptions} [options]
 */
export function trainer(model, options = {}) {
  expectTransformer(model);
  const settings = trainerSettings(options);
  const task = taskOf(settings.task);
  task.expectFit(model.settings);
  const arena = new Arena(model.arena.heap, 'trainer', model.arena);
  return filling(arena, () => new Trainer(model, arena, task, settings));
}
