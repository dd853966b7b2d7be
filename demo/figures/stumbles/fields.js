/** What the visitor can set. */
import { custom, flag, numberIn, oneOf } from '../../state.js';
import { BLOCKS, LARGEST } from './batch-model.js';
import { LENGTHS } from './padding-model.js';
import { BATCHES, MOMENTA } from './running-model.js';

const momentum = custom(0.1, (text) => MOMENTA.find((value) => String(value) === text), String);

export const FIELDS = {
  part: oneOf(['batch', 'inference', 'padding']),
  block: oneOf(Object.keys(BLOCKS)),
  size: numberIn(1, LARGEST, 8, { whole: true }),
  mode: oneOf(['training', 'inference']),
  trained: numberIn(0, BATCHES, 0, { whole: true }),
  looked: numberIn(0, BATCHES, 0, { whole: true }),
  momentum,
  length: numberIn(LENGTHS.min, LENGTHS.max, 12, { whole: true }),
  mask: flag(),
};
