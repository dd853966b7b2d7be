/** Which norm to choose, and how batch and layer norm compare, without a DOM. This is guidance. */

export const BATCHES = [1, 2, 4, 8, 16, 31, 32, 64, 128, 256];

export const ARCHITECTURES = {
  cnn: { label: 'A convolutional network' },
  transformer: { label: 'A transformer encoder or vision transformer' },
  llm: { label: 'A large language model' },
  rnn: { label: 'A recurrent network' },
  style: { label: 'Style transfer' },
  table: { label: 'A dense network on a table' },
};

const SOURCES = {
  batch: ['Ioffe & Szegedy 2015', 'https://arxiv.org/abs/1502.03167'],
  layer: ['Ba, Kiros & Hinton 2016', 'https://arxiv.org/abs/1607.06450'],
  instance: ['Ulyanov, Vedaldi & Lempitsky 2016', 'https://arxiv.org/abs/1607.08022'],
  group: ['Wu & He 2018', 'https://arxiv.org/abs/1803.08494'],
  rms: ['Zhang & Sennrich 2019', 'https://arxiv.org/abs/1910.07467'],
  weights: ['Qiao et al. 2019', 'https://arxiv.org/abs/1903.10520'],
  preLn: ['Xiong et al. 2020', 'https://arxiv.org/abs/2002.04745'],
  llama: ['Touvron et al. 2023', 'https://arxiv.org/abs/2302.13971'],
};

const LINKS = {
  rmsGrid: ['#grid.norm=rms', 'RMSNorm on the grid'],
  layerGrid: ['#grid.norm=layer', 'LayerNorm on the grid'],
  layerDeep: ['#depth.init=large&depth.norm=layer', 'LayerNorm in ten layers'],
  layerPadding: ['#stumbles.part=padding&stumbles.answer=skip', 'Padding and LayerNorm'],
  batchDeep: ['#depth.norm=batch', 'BatchNorm in ten layers'],
  image: ['#stumbles.block=image&stumbles.answer=skip', 'How well a batch of eight stands for all'],
  oneImage: [
    '#stumbles.block=image&stumbles.size=1&stumbles.answer=skip',
    'One image: it trains, with a poor estimate',
  ],
  batches: ['#batches.answer=skip', 'A network trained with ever smaller batches'],
  oneRow: ['#stumbles.size=1&stumbles.answer=skip', 'One row: BatchNorm refuses'],
  twoRows: ['#stumbles.size=2&stumbles.answer=skip', 'Two rows: only ±1 is left'],
  instanceGrid: ['#grid.norm=instance&grid.preset=image', 'InstanceNorm on images'],
};

const MIDDLE = 8;
const LARGE = 32;

const PER_DEVICE =
  'What counts is the batch on one device: statistics are not shared between devices unless they are synchronized.';

const forImages = (batch) => {
  if (batch >= LARGE) {
    return {
      norms: ['BatchNorm'],
      reason:
        'A batch of 32 or more gives good estimates of each channel, the noise in them regularizes, and in inference BatchNorm folds into the convolution before it.',
      sources: ['batch'],
      links: ['batchDeep', 'image'],
      remark: PER_DEVICE,
    };
  }
  if (batch >= MIDDLE) {
    return {
      norms: ['GroupNorm', 'BatchNorm'],
      reason:
        'Both work at this size, and trying both is worth it. Not LayerNorm: over all channels of an image it mixes what convolutions keep apart.',
      sources: ['group', 'batch'],
      links: ['batches', 'image'],
      remark: PER_DEVICE,
    };
  }
  return {
    norms: ['GroupNorm'],
    reason:
      'BatchNorm’s estimates get worse as batches shrink, GroupNorm looks at one example at a time. 32 is its usual number of groups, not of channels in a group.',
    sources: ['group', 'weights'],
    links: [batch === 1 ? 'oneImage' : 'image', 'batches'],
    remark: 'Weight standardization in the convolutions goes well with it.',
  };
};

const forTables = (batch) => {
  if (batch >= LARGE) {
    return {
      norms: ['BatchNorm', 'LayerNorm'],
      reason:
        'Features of a table have their own units, which BatchNorm evens out one by one. LayerNorm works on hidden features, which are alike.',
      sources: ['batch', 'layer'],
      links: ['batchDeep', 'layerDeep'],
    };
  }
  return {
    norms: ['LayerNorm'],
    reason:
      'It does not depend on the batch. Standardize the columns of the table itself with their mean and variance over all training data.',
    sources: ['layer'],
    links: [batch === 1 ? 'oneRow' : 'twoRows', 'layerDeep'],
  };
};

/** The architecture is asked about before the batch: a language model is one at any batch size. */
const RULES = {
  cnn: forImages,
  transformer: () => ({
    norms: ['LayerNorm'],
    reason:
      'Each token is normalized by itself: sequences may differ in length, and training and inference do the same. Put it before attention and feed-forward (Pre-LN), and one more after the last block.',
    sources: ['layer', 'preLn'],
    links: ['layerPadding', 'layerGrid'],
  }),
  llm: () => ({
    norms: ['RMSNorm'],
    reason:
      'It trains as well as LayerNorm in language models and saves a reduction: one sum a token instead of two that wait for each other. The batch size does not matter.',
    sources: ['rms', 'llama'],
    links: ['rmsGrid'],
    remark: 'As Pre-LN, it needs a final norm after the last block.',
  }),
  rnn: () => ({
    norms: ['LayerNorm'],
    reason:
      'It normalizes the hidden units at each time step by themselves, not across time. BatchNorm would need statistics for every step.',
    sources: ['layer'],
    links: ['layerPadding', 'layerGrid'],
  }),
  style: () => ({
    norms: ['InstanceNorm'],
    reason:
      'The mean and variance of a channel of one image are its contrast and style, which is what is to be replaced.',
    sources: ['instance'],
    links: ['instanceGrid'],
  }),
  table: forTables,
};

/**
 * @typedef {object} Recommendation
 * @property {string[]} norms  one, or those to try
 * @property {string} reason
 * @property {[string, string][]} sources  title and address
 * @property {[string, string][]} links  states of figures: hash and title
 * @property {string} [remark]
 */

/**
 * @param {{ architecture: string, batch: number }} state
 * @returns {Recommendation}
 */
export function recommend({ architecture, batch }) {
  const { sources, links, ...rest } = RULES[architecture](batch);
  return {
    ...rest,
    sources: sources.map((key) => SOURCES[key]),
    links: links.map((key) => LINKS[key]),
  };
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
