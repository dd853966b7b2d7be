/*
 * The C functions as data: arguments in order, with what include/axisnorm.h says of each. Those of
 * include/axisnorm_train.h are in train/signatures.js.
 *
 * An array has an extent: `x` (as many as x), `set` (one a row, group, channel or filter),
 * `channel` (as many as gamma) or `one`. `needed` arrays must not be NULL.
 */

/**
 * @typedef {object} Signature
 * @property {string} symbol
 * @property {'norms' | 'train'} module  whose builds are called
 * @property {[string, string][]} inPlace  outputs and the inputs whose memory they may be
 * @property {object[]} args
 */

export const EXACT = 1;
export const ACCUMULATE = 2;
export const CHANNELS_LAST = 4;
export const BIASED_RUNNING = 8;

export const OK = 0;
export const ERR_NULL = 1;
export const ERR_SHAPE = 2;
export const ERR_EPS = 3;
export const ERR_ALIGN = 4;
export const ERR_OVERLAP = 5;
export const ERR_COUNT = 6;
export const ERR_MOMENTUM = 7;
export const ERR_VARIANCE = 8;
export const ERR_FLAGS = 9;
export const ERR_INDEX = 10;
export const ERR_VALUE = 11;

const array = (role, name, extent, more) => ({ role, name, extent, array: true, ...more });
export const out = (name, extent, more) => array('out', name, extent, more);
export const into = (name, extent, more) => array('in', name, extent, more);
export const both = (name, extent, more) => array('both', name, extent, more);
export const needed = { needed: true };
/** Of an output: ACCUMULATE adds to it. */
export const accumulates = { accumulates: true };
/** Of a size: 0 is allowed and means that there is nothing to do. */
export const mayBeZero = { mayBeZero: true };
export const size = (name, more) => ({ role: 'size', name, ...more });
/** @param {number[]} bad  values that are refused with the status `refusal` */
export const number = (name, bad, refusal) => ({ role: 'number', name, bad, refusal });
export const flags = (known) => ({ role: 'flags', name: 'flags', known });

const workspace = {
  role: 'workspace',
  name: 'workspace',
  needed: true,
  align: 8,
  length: (build, { channel }) => Math.ceil(build.exports.an_workspace_size(channel) / 4),
};
const dgamma = out('dgamma', 'channel', accumulates);
const dbeta = out('dbeta', 'channel', accumulates);
const eps = number('eps', [-1e-5, -Infinity, Infinity, NaN], ERR_EPS);
const gammaOffset = number('gammaOffset', [], OK);
const momentum = number('momentum', [-0.1, 1.1, Infinity, NaN], ERR_MOMENTUM);

export const layerNormForward = {
  symbol: 'an_layer_norm_forward',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('mean', 'set'),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    into('beta', 'channel'),
    size('rows', mayBeZero),
    size('cols'),
    eps,
    flags(EXACT),
  ],
};

export const layerNormBackward = {
  symbol: 'an_layer_norm_backward',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    dbeta,
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    workspace,
    size('rows', mayBeZero),
    size('cols'),
    eps,
    flags(EXACT | ACCUMULATE),
  ],
};

export const rmsNormForward = {
  symbol: 'an_rms_norm_forward',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    size('rows', mayBeZero),
    size('cols'),
    size('statCols'),
    gammaOffset,
    eps,
    flags(EXACT),
  ],
};

export const rmsNormBackward = {
  symbol: 'an_rms_norm_backward',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    workspace,
    size('rows', mayBeZero),
    size('cols'),
    size('statCols'),
    gammaOffset,
    eps,
    flags(EXACT | ACCUMULATE),
  ],
};

export const groupNormForward = {
  symbol: 'an_group_norm_forward',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('mean', 'set'),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    into('beta', 'channel'),
    size('batch', mayBeZero),
    size('channels'),
    size('spatial'),
    size('groups'),
    eps,
    flags(EXACT | CHANNELS_LAST),
  ],
};

export const groupNormBackward = {
  symbol: 'an_group_norm_backward',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    dbeta,
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    workspace,
    size('batch', mayBeZero),
    size('channels'),
    size('spatial'),
    size('groups'),
    eps,
    flags(EXACT | ACCUMULATE | CHANNELS_LAST),
  ],
};

export const batchNormForwardTraining = {
  symbol: 'an_batch_norm_forward_training',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('mean', 'set'),
    out('rstd', 'set'),
    both('runningMean', 'channel', { neededWith: 'runningVar' }),
    both('runningVar', 'channel', { neededWith: 'runningMean' }),
    out('skipped', 'one', { integer: true }),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    into('beta', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    eps,
    momentum,
    flags(EXACT | BIASED_RUNNING),
  ],
};

export const batchNormForwardInference = {
  symbol: 'an_batch_norm_forward_inference',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    into('x', 'x', needed),
    into('runningMean', 'channel', needed),
    into('runningVar', 'channel', needed),
    into('gamma', 'channel'),
    into('beta', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    eps,
    flags(EXACT),
  ],
};

export const batchNormBackwardTraining = {
  symbol: 'an_batch_norm_backward_training',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    dbeta,
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    eps,
    flags(EXACT | ACCUMULATE),
  ],
};

export const batchNormBackwardInference = {
  symbol: 'an_batch_norm_backward_inference',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    dbeta,
    into('dy', 'x', needed),
    into('x', 'x', { neededWith: 'dgamma' }),
    into('runningMean', 'channel', needed),
    into('runningVar', 'channel', needed),
    into('gamma', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    eps,
    flags(EXACT | ACCUMULATE),
  ],
};

/** In the words of the other norms: w is x, w_hat is y, gain is gamma. */
export const weightStandardizeForward = {
  symbol: 'an_weight_standardize_forward',
  module: 'norms',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('mean', 'set'),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    size('filters', mayBeZero),
    size('fanIn'),
    eps,
    flags(EXACT),
  ],
};

export const weightStandardizeBackward = {
  symbol: 'an_weight_standardize_backward',
  module: 'norms',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    dgamma,
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    size('filters', mayBeZero),
    size('fanIn'),
    eps,
    flags(EXACT | ACCUMULATE),
  ],
};
