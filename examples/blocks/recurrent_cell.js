// A layer-normalized recurrent cell, and backward through time: node examples/blocks/recurrent_cell.js
import { load } from 'axisnorm';
import { isProgram, largestDifference, normal, seeded } from '../program.js';
import { add, multiply, multiplyBackward, parameter, weights } from './parts.js';

/**
 * h[t] = tanh(LN(Whh h[t - 1] + Wxh x[t])).
 *
 * Mean and variance are taken anew at each time step, over the hidden units of one example: sequences
 * of any length work, and no step and no example sees another's. Gain and bias are the same at all
 * steps.
 *
 * @see Ba, Kiros & Hinton 2016, https://arxiv.org/abs/1607.06450
 */
export class RecurrentCell {
  constructor(an, inputs, hidden, options) {
    this.an = an;
    this.inputs = inputs;
    this.hidden = hidden;
    this.recurrent = weights(hidden, hidden, options); // Whh
    this.input = weights(hidden, inputs, options); // Wxh
    this.gain = parameter([hidden], () => 1);
    this.bias = parameter([hidden]);
  }

  /**
   * @param {Float32Array} x  [steps][batch][inputs]
   * @param {Float32Array} h0  [batch][hidden], the state before the first step
   * @returns {Float32Array} h, [steps][batch][hidden]
   */
  forward(x, h0) {
    const width = (h0.length / this.hidden) * this.inputs;
    const y = new Float32Array((x.length / width) * h0.length);
    this.steps = [];
    let h = h0;
    for (let at = 0; at < x.length; at += width) {
      const step = this.#step(x.subarray(at, at + width), h);
      h = step.out;
      y.set(h, this.steps.length * h0.length);
      this.steps.push(step);
    }
    return y;
  }

  /**
   * @param {Float32Array} dy  [steps][batch][hidden], gradient of the loss with respect to h
   * @returns {{ dx: Float32Array, dh0: Float32Array }}
   */
  backward(dy) {
    const length = dy.length / this.steps.length;
    const dxs = [];
    let dh = new Float32Array(length);
    for (let t = this.steps.length - 1; t >= 0; t--) {
      // h[t] is read by the loss and by step t + 1.
      const dout = add(dh, dy.subarray(t * length, (t + 1) * length));
      const gradients = this.#stepBackward(dout, this.steps[t]);
      dh = gradients.dh;
      dxs.unshift(gradients.dx);
    }
    return { dx: Float32Array.from(dxs.flatMap((dx) => [...dx])), dh0: dh };
  }

  /** All examples of one time step, which are the rows of LayerNorm. */
  #step(x, h) {
    const a = add(multiply(h, this.recurrent), multiply(x, this.input));
    const [gamma, beta] = [this.gain.value, this.bias.value];
    const norm = this.an.layerNorm.forward(a, { normalizedShape: this.hidden, gamma, beta });
    return { x, h, a, norm, out: norm.y.map(Math.tanh) };
  }

  #stepBackward(dout, { x, h, a, norm, out }) {
    const dnorm = dout.map((d, i) => d * (1 - out[i] ** 2));
    const { dx: da } = this.an.layerNorm.backward(dnorm, {
      ...norm,
      x: a,
      gamma: this.gain.value,
      out: { dgamma: this.gain.gradient, dbeta: this.bias.gradient },
      accumulate: true,
    });
    const dx = multiplyBackward(da, x, this.input);
    return { dx, dh: multiplyBackward(da, h, this.recurrent) };
  }
}

if (isProgram(import.meta.url)) {
  const [STEPS, INPUTS, HIDDEN] = [6, 3, 8];
  const draw = seeded(1);
  const cell = new RecurrentCell(await load(), INPUTS, HIDDEN, { draw });
  const x = normal(STEPS * INPUTS, draw);
  const h0 = new Float32Array(HIDDEN);
  const h = cell.forward(x, h0);
  x.fill(1000, (STEPS - 1) * INPUTS); // the last step
  const other = cell.forward(x, h0);

  console.log('a last input of 1000 changes the states of');
  for (let t = 0; t < STEPS; t++) {
    const states = [h, other].map((all) => all.subarray(t * HIDDEN, (t + 1) * HIDDEN));
    console.log(`step ${t + 1}  by ${largestDifference(...states).toFixed(3)} at most`);
  }
}
