/** The four ways, as listings. */
import { floats, torchTensor } from '../../shared/literal.js';

export const digitsCode = ({ x }) => ({
  js: `import { load } from 'axisnorm';

const an = await load();
const x = ${floats(x)};
const n = x.length;
const { fround } = Math;

// the shortcut, each step rounded to float32
let [sum, squares] = [0, 0];
for (const v of x) {
  sum = fround(sum + v);
  squares = fround(squares + fround(v * v));
}
const mean = fround(sum / n);
console.log(fround(fround(squares / n) - fround(mean * mean)));

// the library
const f = an.layerNorm.forward(x, { normalizedShape: n });
console.log(1 / f.rstd[0] ** 2 - f.eps, f.y);
`,
  pytorch: `import torch

x = ${torchTensor(x)}

print((x * x).mean() - x.mean() ** 2)  # the shortcut
print(torch.nn.functional.layer_norm(x, x.shape))
`,
});
