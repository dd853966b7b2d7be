/** Which norm to choose, and how batch and layer norm compare, without a DOM. This is guidance. */
import { recommendNorm } from 'axisnorm/layers';

export const BATCHES = [1, 2, 4, 8, 16, 31, 32, 64, 128, 256];

/** States of figures: hash and title. */
const RMS_GRID = ['#grid.norm=rms', 'RMSNorm on the grid'];
const LAYER_GRID = ['#grid.norm=layer', 'LayerNorm on the grid'];
const LAYER_DEEP = ['#depth.init=large&depth.norm=layer', 'LayerNorm in ten layers'];
const LAYER_PADDING = ['#stumbles.part=padding&stumbles.answer=skip', 'Padding and LayerNorm'];
const BATCH_DEEP = ['#depth.norm=batch', 'BatchNorm in ten layers'];
const IMAGE = [
  '#stumbles.block=image&stumbles.answer=skip',
  'How well a batch of eight stands for all',
];
const ONE_IMAGE = [
  '#stumbles.block=image&stumbles.size=1&stumbles.answer=skip',
  'One image: it trains, with a poor estimate',
];
const SMALLER_BATCHES = ['#batches.answer=skip', 'A network trained with ever smaller batches'];
const ONE_ROW = ['#stumbles.size=1&stumbles.answer=skip', 'One row: BatchNorm refuses'];
const TWO_ROWS = ['#stumbles.size=2&stumbles.answer=skip', 'Two rows: only ±1 is left'];
const INSTANCE_GRID = ['#grid.norm=instance&grid.preset=image', 'InstanceNorm on images'];

/** Architectures of recommendNorm, and what shows its reason at a batch size for these norms. */
export const ARCHITECTURES = {
  cnn: {
    label: 'A convolutional network',
    shown(batch, [first, second]) {
      if (first === 'BatchNorm') return [BATCH_DEEP, IMAGE];
      return second ? [SMALLER_BATCHES, IMAGE] : [batch === 1 ? ONE_IMAGE : IMAGE, SMALLER_BATCHES];
    },
  },
  transformer: {
    label: 'A transformer encoder or vision transformer',
    shown: () => [LAYER_PADDING, LAYER_GRID],
  },
  llm: { label: 'A large language model', shown: () => [RMS_GRID] },
  rnn: {
    label: 'A recurrent network',
    shown: () => [LAYER_PADDING, LAYER_GRID],
  },
  style: { label: 'Style transfer', shown: () => [INSTANCE_GRID] },
  table: {
    label: 'A dense network on a table',
    shown: (batch, [first]) => [
      first === 'BatchNorm' ? BATCH_DEEP : batch === 1 ? ONE_ROW : TWO_ROWS,
      LAYER_DEEP,
    ],
  },
};

/**
 * @typedef {ReturnType<typeof recommendNorm> & { links: [string, string][] }} Recommendation
 *   links: states of figures, hash and title
 */

/**
 * @param {{ architecture: string, batch: number }} state
 * @returns {Recommendation}
 */
export function recommend({ architecture, batch }) {
  const advice = recommendNorm({ architecture, batchSize: batch });
  return { ...advice, links: ARCHITECTURES[architecture].shown(batch, advice.norms) };
}

/** Each claim has a state of a figure that shows it. */
export const COMPARISON = [
  {
    question: 'Who shares a mean?',
    batch: ['Each feature, over all examples.', '#grid.norm=batch'],
    layer: ['Each example, over all its features.', '#grid.norm=layer'],
  },
  {
    question: 'Does one example move the others?',
    batch: ['Yes: all outputs of the column.', '#moves.norm=batch&moves.answer=skip'],
    layer: ['No: other rows keep their bits.', '#moves.norm=layer&moves.answer=skip'],
  },
  {
    question: 'A batch of one?',
    batch: ['Refused for a row; one image trains.', '#stumbles.size=1&stumbles.answer=skip'],
    layer: ['Goes on: it averages over the row.', '#stumbles.size=1&stumbles.answer=skip'],
  },
  {
    question: 'Training and inference?',
    batch: [
      'Two computations; running statistics lag behind.',
      '#stumbles.part=inference&stumbles.mode=inference&stumbles.trained=5&stumbles.answer=skip',
    ],
    layer: ['One call for both, nothing to keep.', '#grid.norm=layer&grid.tab=code'],
  },
  {
    question: 'Padding?',
    batch: [
      'Averaged in, unless it is left out.',
      '#stumbles.part=padding&stumbles.length=24&stumbles.answer=skip',
    ],
    layer: [
      'Tokens keep their bits, without a mask.',
      '#stumbles.part=padding&stumbles.length=7&stumbles.answer=skip',
    ],
  },
  {
    question: 'Ten layers deep?',
    batch: ['Activations keep their size.', '#depth.norm=batch'],
    layer: ['Even with weights twice too large.', '#depth.init=large&depth.norm=layer'],
  },
];
