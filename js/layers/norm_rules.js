/**
 * The norm to train with from scratch, a function for each architecture. One that has a parameter
 * depends on the batch on one device. Unchecked: recommend_norm.js has what is public.
 */

/** @typedef {'BatchNorm' | 'GroupNorm' | 'InstanceNorm' | 'LayerNorm' | 'RMSNorm'} NormName */

/** @typedef {{ text: string, href: string }} Source  a paper and its address */

/**
 * @typedef {object} NormRecommendation
 * @property {NormName[]} norms  best first: one, or those to try
 * @property {string} reason
 * @property {string} [remark]  what to know beside it
 * @property {Source[]} sources
 */

/** @typedef {(batch: number) => NormRecommendation} Rule */

const IOFFE = { text: 'Ioffe & Szegedy 2015', href: 'https://arxiv.org/abs/1502.03167' };
const BA = { text: 'Ba, Kiros & Hinton 2016', href: 'https://arxiv.org/abs/1607.06450' };
const ULYANOV = {
  text: 'Ulyanov, Vedaldi & Lempitsky 2016',
  href: 'https://arxiv.org/abs/1607.08022',
};
export const WU = { text: 'Wu & He 2018', href: 'https://arxiv.org/abs/1803.08494' };
const PENG = { text: 'Peng et al. 2018', href: 'https://arxiv.org/abs/1711.07240' };
const QIAO = { text: 'Qiao et al. 2019', href: 'https://arxiv.org/abs/1903.10520' };
const ZHANG = { text: 'Zhang & Sennrich 2019', href: 'https://arxiv.org/abs/1910.07467' };
const XIONG = { text: 'Xiong et al. 2020', href: 'https://arxiv.org/abs/2002.04745' };
const HO = { text: 'Ho, Jain & Abbeel 2020', href: 'https://arxiv.org/abs/2006.11239' };
const TOUVRON = { text: 'Touvron et al. 2023', href: 'https://arxiv.org/abs/2302.13971' };

/** Where BatchNorm begins to be worth trying, and where it is good. */
const MIDDLE = 8;
export const LARGE = 32;

const PER_DEVICE =
  'What counts is the batch on one device: statistics are not shared between devices unless they are synchronized.';

/** @type {Rule} */
export function cnn(batch) {
  if (batch >= LARGE) {
    return {
      norms: ['BatchNorm'],
      reason:
        'A batch of 32 or more gives good estimates of each channel, the noise in them regularizes, and in inference BatchNorm folds into the convolution before it.',
      remark: PER_DEVICE,
      sources: [IOFFE],
    };
  }
  if (batch >= MIDDLE) {
    return {
      norms: ['GroupNorm', 'BatchNorm'],
      reason:
        'Both work at this size, and trying both is worth it. Not LayerNorm: over all channels of an image it mixes what convolutions keep apart.',
      remark: PER_DEVICE,
      sources: [WU, IOFFE],
    };
  }
  return {
    norms: ['GroupNorm'],
    reason:
      'BatchNorm’s estimates get worse as batches shrink, GroupNorm looks at one example at a time. 32 is its usual number of groups, not of channels in a group.',
    remark: 'Weight standardization in the convolutions goes well with it.',
    sources: [WU, QIAO],
  };
}

/** @type {Rule} */
export function detection(batch) {
  if (batch >= MIDDLE) return cnn(batch);
  return {
    norms: ['GroupNorm'],
    reason:
      'Large images leave room for few on a device, too few for BatchNorm. GroupNorm does not depend on the batch, and carries over from pretraining.',
    remark: 'BatchNorm that is synchronized over many devices is the alternative.',
    sources: [WU, PENG],
  };
}

/** @type {Rule} */
export function table(batch) {
  if (batch >= LARGE) {
    return {
      norms: ['BatchNorm', 'LayerNorm'],
      reason:
        'Features of a table have their own units, which BatchNorm evens out one by one. LayerNorm works on hidden features, which are alike.',
      sources: [IOFFE, BA],
    };
  }
  return {
    norms: ['LayerNorm'],
    reason:
      'It does not depend on the batch. Standardize the columns of the table itself with their mean and variance over all training data.',
    sources: [BA],
  };
}

/** @type {Rule} */
export const transformer = () => ({
  norms: ['LayerNorm'],
  reason:
    'Each token is normalized by itself: sequences may differ in length, and training and inference do the same. Put it before attention and feed-forward (Pre-LN), and one more after the last block.',
  sources: [BA, XIONG],
});

/** @type {Rule} */
export const llm = () => ({
  norms: ['RMSNorm'],
  reason:
    'It trains as well as LayerNorm in language models and saves a reduction: one sum a token instead of two that wait for each other. The batch size does not matter.',
  remark: 'As Pre-LN, it needs a final norm after the last block.',
  sources: [ZHANG, TOUVRON],
});

/** @type {Rule} */
export const rnn = () => ({
  norms: ['LayerNorm'],
  reason:
    'It normalizes the hidden units at each time step by themselves, not across time. BatchNorm would need statistics for every step.',
  sources: [BA],
});

/** @type {Rule} */
export const style = () => ({
  norms: ['InstanceNorm'],
  reason:
    'The mean and variance of a channel of one image are its contrast and style, which is what is to be replaced.',
  sources: [ULYANOV],
});

/** @type {Rule} */
export const diffusion = () => ({
  norms: ['GroupNorm'],
  reason:
    'The U-Nets of diffusion models are built with it. Each image is normalized by itself, however much noise is in the others.',
  sources: [HO, WU],
});
