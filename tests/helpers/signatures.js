/*
 * The C functions as data: arguments in order, with what include/axisnorm.h says of each.
 *
 * An array has an extent: `x` (as many as x), `set` (one a row, group, channel or filter),
 * `channel` (as many as gamma) or `one`. `needed` arrays must not be NULL.
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

const array = (role, name, extent, more) => ({ role, name, extent, array: true, ...more });
const out = (name, extent, more) => array('out', name, extent, more);
const into = (name, extent, more) => array('in', name, extent, more);
const both = (name, extent, more) => array('both', name, extent, more);
const needed = { needed: true };
/** Of a size: 0 is allowed and means that nothing is normalized. */
const mayBeZero = { mayBeZero: true };
const size = (name, more) => ({ role: 'size', name, ...more });
const number = (name) => ({ role: 'number', name });
const flags = (known) => ({ role: 'flags', name: 'flags', known });
const workspace = { role: 'workspace', name: 'workspace', needed: true };

export const layerNormForward = {
  symbol: 'an_layer_norm_forward',
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
    number('eps'),
    flags(EXACT),
  ],
};

export const layerNormBackward = {
  symbol: 'an_layer_norm_backward',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    out('dbeta', 'channel'),
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    workspace,
    size('rows', mayBeZero),
    size('cols'),
    number('eps'),
    flags(EXACT | ACCUMULATE),
  ],
};

export const rmsNormForward = {
  symbol: 'an_rms_norm_forward',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    size('rows', mayBeZero),
    size('cols'),
    size('statCols'),
    number('gammaOffset'),
    number('eps'),
    flags(EXACT),
  ],
};

export const rmsNormBackward = {
  symbol: 'an_rms_norm_backward',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    workspace,
    size('rows', mayBeZero),
    size('cols'),
    size('statCols'),
    number('gammaOffset'),
    number('eps'),
    flags(EXACT | ACCUMULATE),
  ],
};

export const groupNormForward = {
  symbol: 'an_group_norm_forward',
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
    number('eps'),
    flags(EXACT | CHANNELS_LAST),
  ],
};

export const groupNormBackward = {
  symbol: 'an_group_norm_backward',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    out('dbeta', 'channel'),
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
    number('eps'),
    flags(EXACT | ACCUMULATE | CHANNELS_LAST),
  ],
};

export const batchNormForwardTraining = {
  symbol: 'an_batch_norm_forward_training',
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
    number('eps'),
    number('momentum'),
    flags(EXACT | BIASED_RUNNING),
  ],
};

export const batchNormForwardInference = {
  symbol: 'an_batch_norm_forward_inference',
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
    number('eps'),
    flags(EXACT),
  ],
};

export const batchNormBackwardTraining = {
  symbol: 'an_batch_norm_backward_training',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    out('dbeta', 'channel'),
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    number('eps'),
    flags(EXACT | ACCUMULATE),
  ],
};

export const batchNormBackwardInference = {
  symbol: 'an_batch_norm_backward_inference',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    out('dbeta', 'channel'),
    into('dy', 'x', needed),
    into('x', 'x', { neededWith: 'dgamma' }),
    into('runningMean', 'channel', needed),
    into('runningVar', 'channel', needed),
    into('gamma', 'channel'),
    size('outer', mayBeZero),
    size('channels'),
    size('inner'),
    number('eps'),
    flags(EXACT | ACCUMULATE),
  ],
};

/** In the words of the other norms: w is x, w_hat is y, gain is gamma. */
export const weightStandardizeForward = {
  symbol: 'an_weight_standardize_forward',
  inPlace: [['y', 'x']],
  args: [
    out('y', 'x', needed),
    out('mean', 'set'),
    out('rstd', 'set'),
    into('x', 'x', needed),
    into('gamma', 'channel'),
    size('filters', mayBeZero),
    size('fanIn'),
    number('eps'),
    flags(EXACT),
  ],
};

export const weightStandardizeBackward = {
  symbol: 'an_weight_standardize_backward',
  inPlace: [
    ['dx', 'dy'],
    ['dx', 'x'],
  ],
  args: [
    out('dx', 'x'),
    out('dgamma', 'channel'),
    into('dy', 'x', needed),
    into('x', 'x', needed),
    into('mean', 'set', needed),
    into('rstd', 'set', needed),
    into('gamma', 'channel'),
    size('filters', mayBeZero),
    size('fanIn'),
    number('eps'),
    flags(EXACT | ACCUMULATE),
  ],
};
