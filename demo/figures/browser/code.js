/** The calls that are timed, as a listing. */

const CALLS = {
  forward: 'an.layerNorm.forward(x, { gamma, beta, out: f })',
  backward: 'an.layerNorm.backward(dy, { ...f, x, gamma, out: gradients })',
};

const TORCH = {
  forward: 'torch.nn.functional.layer_norm(x, (cols,), gamma, beta)',
  backward: 'y.backward(dy, retain_graph=True)',
};

export const browserCode = ({ operation }) => ({
  js: `import { load } from 'axisnorm';

const an = await load(); // or load({ build: 'scalar' })
const [rows, cols] = [128, 768];
const noise = (length) => Float32Array.from({ length }, Math.random);

// tensors live in wasm memory: a call on them copies nothing
const x = an.tensor([rows, cols], noise(rows * cols));
const dy = an.tensor([rows, cols], noise(rows * cols));
const gamma = an.tensor([cols], noise(cols));
const beta = an.tensor([cols], noise(cols));
const f = { y: an.tensor([rows, cols]), mean: an.tensor([rows]), rstd: an.tensor([rows]) };
const gradients = { dx: an.tensor([rows, cols]), dgamma: an.tensor([cols]), dbeta: an.tensor([cols]) };
an.layerNorm.forward(x, { gamma, beta, out: f });

const times = [];
for (let round = 0; round < 15; round++) {
  const start = performance.now();
  for (let i = 0; i < 100; i++) ${CALLS[operation]};
  times.push((performance.now() - start) * 10); // µs a call
}
times.sort((a, b) => a - b);
console.log(times[7]);
`,
  pytorch: `import torch
from torch.utils.benchmark import Timer

rows, cols = 128, 768
x = torch.rand(rows, cols, requires_grad=True)
dy, gamma, beta = torch.rand(rows, cols), torch.rand(cols), torch.rand(cols)
y = torch.nn.functional.layer_norm(x, (cols,), gamma, beta)

torch.set_num_threads(1)
print(Timer("${TORCH[operation]}", globals=globals()).blocked_autorange())
`,
});
