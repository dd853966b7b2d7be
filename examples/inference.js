// The norms in inference, on plain arrays and on a tensor: node examples/inference.js
import { load } from 'axisnorm';

const an = await load();

/** Rows of a flat array, rounded for the eye. */
function show(name, y, cols) {
  console.log(`\n${name}`);
  for (let i = 0; i < y.length; i += cols) {
    console.log(Array.from(y.subarray(i, i + cols), (v) => v.toFixed(3).padStart(8)).join(''));
  }
}

// Two examples with four features. The second is ten times the first.
const x = Float32Array.of(1, 2, 3, 6, 10, 20, 30, 60);
const shape = [2, 4];
const gamma = new Float32Array(4).fill(1);
const beta = new Float32Array(4).fill(0);

// Each row by itself: the factor of ten is gone, and both rows come out alike.
show('layerNorm', an.layerNorm(x, { normalizedShape: 4, gamma, beta }), 4);

// The same without a mean. The LLaMA family has eps 1e-6.
show('rmsNorm', an.rmsNorm(x, { normalizedShape: 4, gamma, eps: 1e-6 }), 4);

// Each channel by what training has seen of it. Rows do not matter to each other here either.
const runningMean = Float32Array.of(5, 10, 15, 30);
const runningVar = Float32Array.of(25, 100, 225, 900);
show('batchNorm', an.batchNorm(x, { shape, runningMean, runningVar, gamma, beta }), 4);

// Two groups of two channels each, over all of space. Here space is a single value.
show('groupNorm', an.groupNorm(x, { shape, groups: 2, gamma, beta }), 4);

// One image of two channels, 2 × 2 pixels: each channel by itself.
show('instanceNorm', an.instanceNorm(x, { shape: [1, 2, 2, 2] }), 4);

// A tensor lives in WebAssembly memory, so that nothing is copied, and with `out: t` nothing is
// allocated. When the scope ends, its tensors are freed.
an.scope((s) => {
  const t = s.tensor(shape, x);
  an.layerNorm(t, { gamma, beta, out: t });
  show('layerNorm, in place', t.data, 4);
});

console.log(`\nbuild: ${an.build}, memory in use: ${an.memoryUsage().used} bytes`);
