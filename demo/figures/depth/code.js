/** The ten layers as a listing. */
import { INITS, LAYERS, NORMS, ROWS } from './model.js';

const BOUNDS = {
  default: '1 / Math.sqrt(width)',
  he: 'Math.sqrt(6 / width)',
  large: '2 * Math.sqrt(6 / width)',
};

const OPTIONS = { batch: '', layer: ', axis: -1', rms: ', axis: -1', group: ', groups: 4' };

const TORCH_NORMS = {
  batch: (width) => `nn.BatchNorm1d(${width})`,
  layer: (width) => `nn.LayerNorm(${width})`,
  rms: (width) => `nn.RMSNorm(${width}, eps=1e-5)`,
  group: (width) => `nn.GroupNorm(4, ${width})`,
};

/** The steps after the matrix product, in order. */
function steps({ norm, place }) {
  const relu = '  x = x.map((v) => Math.max(v, 0));';
  if (norm === 'none') return [relu];
  const call = `  x = an.${NORMS[norm].operation}.forward(x, { shape: [rows, width]${OPTIONS[norm]} }).y;`;
  return place === 'before' ? [call, relu] : [relu, call];
}

export function depthCode(state) {
  const { width, init, norm, place } = state;
  const { hasBias } = INITS[init];
  const normTorch = TORCH_NORMS[norm]?.(width);
  const torchSteps = normTorch ? [normTorch] : [];
  if (place === 'before') torchSteps.push('nn.ReLU()');
  else torchSteps.unshift('nn.ReLU()');
  return {
    js: `import { load } from 'axisnorm';

const an = await load();
const [rows, width] = [${ROWS}, ${width}];

// the same numbers for the same seed (mulberry32)
function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = random(21);
const normal = () => {
  const radius = Math.sqrt(-2 * Math.log(1 - next()));
  return radius * Math.cos(2 * Math.PI * next());
};
const uniform = random(20);
const bound = ${BOUNDS[init]};
const draw = (length) => Float32Array.from({ length }, () => bound * (2 * uniform() - 1));

let x = Float32Array.from({ length: rows * width }, normal);
const spreads = [];
for (let layer = 1; layer <= ${LAYERS}; layer++) {
  const w = draw(width * width);
  const bias = ${hasBias ? 'draw(width)' : 'new Float32Array(width)'};
  const z = new Float32Array(rows * width);
  for (let r = 0; r < rows; r++) {
    for (let o = 0; o < width; o++) {
      let sum = bias[o];
      for (let i = 0; i < width; i++) sum += x[r * width + i] * w[o * width + i];
      z[r * width + o] = sum;
    }
  }
  x = z;
${steps(state).join('\n')}
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  spreads.push(Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length));
}
console.log(spreads);
`,
    pytorch: `import torch
from torch import nn

x = torch.randn(${ROWS}, ${width})
for _ in range(${LAYERS}):
    linear = nn.Linear(${width}, ${width}${hasBias ? '' : ', bias=False'})
${init === 'default' ? '' : `    nn.init.uniform_(linear.weight, -${torchBound(init, width)}, ${torchBound(init, width)})\n`}    layer = nn.Sequential(linear, ${torchSteps.join(', ')})
    x = layer(x)
    print(x.std(correction=0))
`,
  };
}

const torchBound = (init, width) => INITS[init].bound(width).toPrecision(9);
