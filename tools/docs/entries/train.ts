/**
 * axisnorm/train: a small causal transformer with norms where you want them, and what trains it, in
 * WebAssembly. `training` is what `await load()` gives.
 *
 * `isSupported`, `Build` and `LoadOptions` are exported, too; they are those of axisnorm.
 *
 * @module train
 */
import type { Training } from '../../../js/train/training.js';

export { load, TASKS } from '../../../js/train/index.js';

declare const training: Training;

/** @function */
const task = training.task;
/** @function */
const transformer = training.transformer;
/** @function */
const trainer = training.trainer;
/** @function */
const probe = training.probe;
/** @function */
const convnet = training.convnet;
/** @function */
const convnetTrainer = training.convnetTrainer;
/** @function */
const memoryUsage = training.memoryUsage;

export type { Convnet } from '../../../js/train/convnet.js';
export type { ConvnetOptions } from '../../../js/train/convnet-settings.js';
export type {
  ConvnetStep,
  ConvnetTrainer,
  ConvnetTrainerOptions,
} from '../../../js/train/convnet-trainer.js';
export type { Loss } from '../../../js/train/cross-entropy.js';
export type { ImageNormKind } from '../../../js/train/image-norm.js';
export type { Parameter } from '../../../js/train/parameters.js';
export type { PlacementKind } from '../../../js/train/placement.js';
export type { Probe } from '../../../js/train/probe.js';
export type { Random } from '../../../js/train/random.js';
export type { Decay } from '../../../js/train/schedule.js';
export type { TransformerOptions } from '../../../js/train/settings.js';
export type { Task, TaskKind, TaskOptions } from '../../../js/train/tasks.js';
export type { Step, Trainer } from '../../../js/train/trainer.js';
export type { TrainerOptions, TrainingOptions } from '../../../js/train/trainer-settings.js';
export type { Transformer } from '../../../js/train/transformer.js';
export type { Training };
export {
  convnet as 'training.convnet',
  convnetTrainer as 'training.convnetTrainer',
  memoryUsage as 'training.memoryUsage',
  probe as 'training.probe',
  task as 'training.task',
  trainer as 'training.trainer',
  transformer as 'training.transformer',
};
