/** The calls behind the parts, as listings that run. */
import { floats, torchTensor } from '../../shared/literal.js';
import { BLOCKS } from './batch-model.js';
import { FEATURES, featuresOf, SENTENCES } from './padding-model.js';
import { BATCH_SIZE, batchesUpTo, READINGS } from './running-model.js';

const START = `import { load } from 'axisnorm';

const an = await load();`;

const lengthOf = (shape) => shape.reduce((a, b) => a * b, 1);

export function batchCode({ block, size }) {
  const { all, channels, shape: shapeOf } = BLOCKS[block];
  const shape = shapeOf(size);
  const x = all.subarray(0, lengthOf(shape));
  const module = shape.length === 2 ? 'BatchNorm1d' : 'BatchNorm2d';
  return {
    js: `${START}
const shape = [${shape.join(', ')}];
const x = ${floats(x)};

try {
  const { y, mean, rstd } = an.batchNorm.forward(x, { shape });
  console.log(mean, rstd, y);
} catch (error) {
  console.log(error.message);
}
console.log(an.layerNorm(x, { shape, normalizedShape: [${shape.slice(1).join(', ')}] }));
`,
    pytorch: `import torch
from torch import nn

x = ${torchTensor(x)}.view(${shape.join(', ')})

print(nn.LayerNorm([${shape.slice(1).join(', ')}])(x))
# one value per channel: ValueError: Expected more than 1 value per channel when training
print(nn.${module}(${channels.length})(x))
`,
  };
}

export function runningCode({ momentum, trained }) {
  const x = batchesUpTo(trained);
  const each = Object.entries(READINGS).map(([key, { label, formula, runningVarEstimate }]) => {
    const weight = key === 'pytorch' ? 'm' : '1 - m';
    return `
// ${label}: ${formula}
const ${key} = { runningMean: Float32Array.of(0), runningVar: Float32Array.of(1) };
for (let i = 0; i < x.length; i += ${BATCH_SIZE}) {
  an.batchNorm.forward(x.subarray(i, i + ${BATCH_SIZE}), {
    shape: [${BATCH_SIZE}, 1],
    ...${key},
    momentum: ${weight},
    runningVarEstimate: '${runningVarEstimate}',
  });
}
console.log(${key}.runningMean, ${key}.runningVar);
`;
  });
  return {
    js: `${START}
const m = ${momentum};
const x = ${floats(x)};
${each.join('')}`,
    pytorch: `import torch
from torch import nn

x = ${torchTensor(x)}.view(${trained}, ${BATCH_SIZE}, 1)

bn = nn.BatchNorm1d(1, momentum=${momentum})
for batch in x:
    bn(batch)
print(bn.running_mean, bn.running_var)

# the same number in Keras, where it weights the old value
# keras.layers.BatchNormalization(momentum=${momentum})
`,
  };
}

export function paddingCode({ length }) {
  const sentences = SENTENCES.map((words) => floats(words.flatMap(featuresOf)));
  return {
    js: `${START}
const [length, features] = [${length}, ${FEATURES}];
const sentences = [
${sentences.map((text) => `  ${text.replaceAll('\n', '\n  ')},\n`).join('')}];
const padded = new Float32Array(sentences.length * length * features);
sentences.forEach((words, n) => padded.set(words, n * length * features));
const words = Float32Array.from(sentences.flatMap((one) => [...one]));

const shape = [sentences.length, length, features];
const polluted = an.batchNorm.forward(padded, { shape, layout: 'NLC' });
const lengths = sentences.map((words) => words.length / features);
const masked = an.batchNorm.forward(padded, { shape, layout: 'NLC', lengths });
const clean = an.batchNorm.forward(words, { shape: [words.length / features, features] });
console.log(polluted.mean, masked.mean, clean.mean);

// LayerNorm: the first sentence, padded and alone
const first = an.layerNorm(padded, { shape, axis: -1 }).subarray(0, sentences[0].length);
console.log(first, an.layerNorm(sentences[0], { normalizedShape: features }));
`,
    pytorch: `import torch
from torch import nn

sentences = [
${SENTENCES.map((words) => `    ${torchTensor(words.flatMap(featuresOf)).replaceAll('\n', '\n    ')}.view(-1, ${FEATURES}),\n`).join('')}]
padded = torch.zeros(${SENTENCES.length}, ${length}, ${FEATURES})
for n, words in enumerate(sentences):
    padded[n, : len(words)] = words

bn = nn.BatchNorm1d(${FEATURES}, momentum=1)
bn(padded.transpose(1, 2))
print(bn.running_mean)  # with padding
mask = torch.arange(${length}) < torch.tensor([[len(words)] for words in sentences])
bn(padded[mask])
print(bn.running_mean)  # the words alone

print(nn.LayerNorm(${FEATURES})(padded)[0])
`,
  };
}
