/** A race as a listing: the same models, trained one after the other. */

import { namesOf } from './lanes.js';
import { SCHEDULE, TASK, TRAINING } from './presets.js';
import { seedsOf } from './race.js';
import { UNSEEN_BATCHES } from './run.js';

const quoted = (text) => `'${text}'`;

/** An object in one line. */
export const inline = (object) => {
  const parts = Object.entries(object).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? quoted(value) : value}`,
  );
  return `{ ${parts.join(', ')} }`;
};

function laneLine(name, { placement, norm, finalNorm, warmup }, steps) {
  const { optimizer } = TRAINING;
  const model = inline({ placement, norm, finalNorm });
  const training = inline({ optimizer, warmup: warmup ? steps : 0 });
  return `  { name: ${quoted(name)}, model: ${model}, training: ${training} },\n`;
}

function javascript(state) {
  const { lanes, depth, width, rate, warmup, steps } = state;
  const { heads, activation, batch } = TRAINING;
  const names = namesOf(lanes);
  const list = lanes.map((one, i) => laneLine(names[i], one, warmup)).join('');
  return `import { load } from 'axisnorm/train';

const t = await load();
const task = ${inline(TASK)};
const schedule = ${inline(SCHEDULE)};
const { sizes, chance } = t.task(task);
const sizesOfAll = ${inline({ depth, width, heads, batch })};
const lanes = [
${list}];

console.log('guessing', chance);
for (const { name, model: norms, training } of lanes) {
  for (const seed of [${seedsOf(state).join(', ')}]) {
    const model = t.transformer({ ...norms, ...sizes, ...sizesOfAll, activation: '${activation}', seed });
    const trainer = t.trainer(model, { ...task, ...training, ...schedule, rate: ${rate}, seed });
    for (let step = 1; step <= ${steps}; step++) {
      const { loss, finite } = trainer.step();
      if (step % 20 === 0 || !finite) console.log(name, seed, step, loss);
      if (!finite) break; // it has diverged; its weights are as they were
    }
    console.log(name, seed, 'unseen', trainer.evaluate(${UNSEEN_BATCHES}));
    model.dispose();
  }
}
`;
}

/** What PyTorch's encoder layer has no option for. */
const FOREIGN = ['sandwich', 'deepnorm', 'none'];

function torchLane(name, { placement, norm, finalNorm, warmup }, steps) {
  if (FOREIGN.includes(placement))
    return `# ${name}: not a placement that nn.TransformerEncoderLayer has\n`;
  const flag = (value) => (value ? 'True' : 'False');
  const make = norm === 'rms' ? 'nn.RMSNorm' : 'nn.LayerNorm';
  return `train("${name}", ${flag(placement === 'pre')}, ${make}, ${flag(finalNorm)}, warmup=${warmup ? steps : 0})\n`;
}

function pytorch({ lanes, depth, width, rate, warmup, steps, seed }) {
  const { heads, batch } = TRAINING;
  const { symbols, length } = TASK;
  const names = namesOf(lanes);
  return `import torch
from torch import nn

length, symbols, width = ${length}, ${symbols}, ${width}
mask = nn.Transformer.generate_square_subsequent_mask(2 * length - 1)


class Model(nn.Module):
    def __init__(self, norm_first, norm, final_norm):
        super().__init__()
        self.tokens = nn.Embedding(symbols, width)
        self.positions = nn.Parameter(torch.empty(2 * length - 1, width))
        layer = nn.TransformerEncoderLayer(
            width, ${heads}, 4 * width, dropout=0, norm_first=norm_first, batch_first=True
        )
        last = norm(width, eps=1e-5) if final_norm else None
        self.blocks = nn.TransformerEncoder(layer, ${depth}, norm=last, enable_nested_tensor=False)
        for block in self.blocks.layers:
            block.norm1, block.norm2 = norm(width, eps=1e-5), norm(width, eps=1e-5)
        self.head = nn.Linear(width, symbols)
        for name, p in self.named_parameters():
            if name in ("tokens.weight", "positions"):
                nn.init.uniform_(p, -(1.5**0.5), 1.5**0.5)
            elif name.endswith("in_proj_weight"):
                for part in p.chunk(3):
                    nn.init.xavier_uniform_(part)
            elif name.endswith("bias"):
                nn.init.zeros_(p)
            elif p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions
        return self.head(self.blocks(x, mask=mask, is_causal=True))


def train(name, norm_first, norm, final_norm, warmup):
    torch.manual_seed(${seed})
    model = Model(norm_first, norm, final_norm)
    adam = torch.optim.Adam(model.parameters(), lr=${rate}, betas=(0.9, 0.98))
    rise = lambda step: min(1, (step + 1) / max(1, warmup))
    fall = lambda step: min(1, (${SCHEDULE.decayFrom} / (step + 1)) ** 0.5)
    schedule = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: rise(step) * fall(step))
    for step in range(1, ${steps} + 1):
        question = torch.randint(symbols, (${batch}, length))
        sequence = torch.cat([question, question.flip(1)], dim=1)
        logits = model(sequence[:, :-1])[:, length - 1 :]
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), sequence[:, length:].flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
        if step % 20 == 0:
            print(name, step, loss.item())


${lanes.map((one, i) => torchLane(names[i], one, warmup)).join('')}`;
}

/** @param {Record<string, any>} state */
export const raceCode = (state) => ({ js: javascript(state), pytorch: pytorch(state) });
