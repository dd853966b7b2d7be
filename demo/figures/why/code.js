/** The measurements as listings. */

import { inline } from '../race/code.js';
import { TRAINING as COMMON, TASK } from '../race/presets.js';
import { LOSSES, SEEDS, START_WIDTH, TRAINED, TRAINING } from './model.js';

const START = `import { load } from 'axisnorm/train';

const t = await load();
const task = ${inline(TASK)};
const { sizes } = t.task(task);
`;

function startListing({ depth }) {
  return `${START}
const mean = (all) => all.reduce((a, b) => a + b, 0) / all.length;

for (const placement of ['post', 'pre']) {
  const probes = [${SEEDS.join(', ')}].map((seed) => {
    const model = t.transformer({
      placement,
      ...sizes,
      ...${inline({ depth, width: START_WIDTH, heads: COMMON.heads, batch: 1 })},
      seed,
    });
    // each gradient is that of the loss of a single token
    const probe = t.probe(model, { ...task, losses: ${LOSSES}, seed });
    model.dispose();
    return probe;
  });
  const byPlace = (name) => probes[0][name].map((_, i) => mean(probes.map((one) => one[name][i])));
  console.log(placement, byPlace('gradientNorms'), byPlace('streamNorms'));
}
`;
}

function trainingListing({ depth, step }) {
  const { rate, warmup, width, seed } = TRAINING;
  const { heads, batch } = COMMON;
  const lanes = TRAINED.map((one) =>
    inline({ placement: one.placement, warmup: one.warmup ? warmup : 0 }),
  );
  return `${START}const settings = ${inline({ depth, width, heads, seed })};

for (const { placement, warmup } of [
${lanes.map((one) => `  ${one},\n`).join('')}]) {
  const model = t.transformer({ placement, ...sizes, ...settings, batch: ${batch} });
  const trainer = t.trainer(model, { ...task, rate: ${rate}, warmup, seed: ${seed} });
  for (let step = 1; step <= ${step}; step++) trainer.step();

  // one sequence at a time, with the same weights
  const twin = t.transformer({ placement, ...sizes, ...settings, batch: 1 });
  for (const [i, { values }] of model.parameters.entries()) twin.parameters[i].values.set(values);
  const { gradientNorms, streamNorms } = t.probe(twin, { ...task, losses: ${LOSSES}, seed: ${seed} });
  console.log(placement, warmup, gradientNorms, streamNorms);
  twin.dispose();
  model.dispose();
}
`;
}

function pytorch({ depth }) {
  return `import torch
from torch import nn

width, depth, tokens, symbols = ${START_WIDTH}, ${depth}, ${2 * TASK.length - 1}, ${TASK.symbols}
mask = nn.Transformer.generate_square_subsequent_mask(tokens)

for norm_first in (False, True):
    layer = nn.TransformerEncoderLayer(
        width, ${COMMON.heads}, 4 * width, dropout=0, norm_first=norm_first, batch_first=True
    )
    last = nn.LayerNorm(width) if norm_first else None
    blocks = nn.TransformerEncoder(layer, depth, norm=last, enable_nested_tensor=False)
    head = nn.Linear(width, symbols)
    for p in [*blocks.parameters(), *head.parameters()]:
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    logits = head(blocks(torch.randn(1, tokens, width), mask=mask, is_causal=True))
    # the loss of the last token alone
    nn.functional.cross_entropy(logits[0, -1:], torch.tensor([3])).backward()
    print(norm_first, [block.linear2.weight.grad.norm().item() for block in blocks.layers])
`;
}

/** @param {Record<string, any>} state */
export const whyCode = (state) => ({
  js: state.mode === 'start' ? startListing(state) : trainingListing(state),
  pytorch: pytorch(state),
});
