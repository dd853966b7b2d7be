/** @import { Runtime } from '../runtime.js' */
/** @import { MemoryUsage } from '../basics.js' */
/** @import { Convnet } from './convnet.js' */
/** @import { ConvnetOptions } from './convnet-settings.js' */
/** @import { ConvnetTrainer, ConvnetTrainerOptions } from './convnet-trainer.js' */
/** @import { Probe, ProbeOptions } from './probe.js' */
/** @import { TransformerOptions } from './settings.js' */
/** @import { Task, TaskOptions } from './tasks.js' */
/** @import { Trainer } from './trainer.js' */
/** @import { TrainerOptions } from './trainer-settings.js' */
/** @import { Transformer } from './transformer.js' */
import { convnet } from './convnet.js';
import { convnetTrainer } from './convnet-trainer.js';
import { probe } from './probe.js';
import { taskOf } from './tasks.js';
import { trainer } from './trainer.js';
import { transformer } from './transformer.js';

/**
 * What `load()` of axisnorm/train gives. Settings that do not fit are refused before anything is
 * allocated.
 *
 * @typedef {object} Training
 * @property {'simd128' | 'scalar'} build  the module in use; both give the same bits
 * @property {(options?: TaskOptions) => Task} task  what is learned, with the sizes that a model
 *   needs for it
 * @property {(options: TransformerOptions) => Transformer} transformer  a model, the caller's until
 *   its dispose()
 * @property {(model: Transformer, options?: TrainerOptions) => Trainer} trainer  trains a model on
 *   a task
 * @property {(model: Transformer, options?: TaskOptions & ProbeOptions) => Probe} probe  measures
 *   gradients and activations of a model
 * @property {(options?: ConvnetOptions) => Convnet} convnet  a network for images, the caller's until
 *   its dispose()
 * @property {(model: Convnet, options?: ConvnetTrainerOptions) => ConvnetTrainer} convnetTrainer
 *   trains it on what is put into it
 * @property {() => MemoryUsage} memoryUsage  how much wasm memory there is and is in use
 */

/**
 * @param {Runtime} runtime
 * @returns {Training}
 */
export function training(runtime) {
  return Object.freeze({
    build: runtime.build,
    task: taskOf,
    /** @param {TransformerOptions} options */
    transformer: (options) => transformer(runtime, options),
    trainer,
    probe,
    /** @param {ConvnetOptions} [options] */
    convnet: (options) => convnet(runtime, options),
    convnetTrainer,
    memoryUsage: () => runtime.usage,
  });
}
