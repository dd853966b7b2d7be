/**
 * axisnorm/train: a small causal transformer with norms where you want them, and what trains it, in
 * WebAssembly.
 *
 * Importing does nothing yet; `await load()` gives the object that makes models.
 */
export { isSupported } from '../module.js';
export { load } from './load.js';
export { TASKS } from './tasks.js';

/** @typedef {import('../module.js').Build} Build */
/** @typedef {import('../loader.js').LoadOptions} LoadOptions */
/** @typedef {import('./convnet.js').Convnet} Convnet */
/** @typedef {import('./convnet-settings.js').ConvnetOptions} ConvnetOptions */
/** @typedef {import('./convnet-trainer.js').ConvnetStep} ConvnetStep */
/** @typedef {import('./convnet-trainer.js').ConvnetTrainer} ConvnetTrainer */
/** @typedef {import('./convnet-trainer.js').ConvnetTrainerOptions} ConvnetTrainerOptions */
/** @typedef {import('./cross-entropy.js').Loss} Loss */
/** @typedef {import('./parameters.js').Parameter} Parameter */
/** @typedef {import('./probe.js').Probe} Probe */
/** @typedef {import('./settings.js').TransformerOptions} TransformerOptions */
/** @typedef {import('./tasks.js').Task} Task */
/** @typedef {import('./tasks.js').TaskOptions} TaskOptions */
/** @typedef {import('./trainer.js').Step} Step */
/** @typedef {import('./trainer.js').Trainer} Trainer */
/** @typedef {import('./trainer-settings.js').TrainerOptions} TrainerOptions */
/** @typedef {import('./training.js').Training} Training */
/** @typedef {import('./transformer.js').Transformer} Transformer */
