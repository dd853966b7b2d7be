// A convolution with standardized weights, and GroupNorm: node examples/blocks/weight_standardized.js
import { load } from 'axisnorm';
import { GroupNorm } from 'axisnorm/layers';
import { isProgram, largestDifference, normal, seeded } from '../program.js';
import { add, multiply, multiplyBackward, parameter, weights } from './parts.js';

/**
 * y = GN(conv(x, WS(w))) with a 1 × 1 convolution, which is a dense layer at each pixel. The weights
 * of each filter are normalized over its fan-in, so that their mean and size no longer matter. The
 * convolution has no bias; GroupNorm has one.
 *
 * @see Qiao et al. 2019, https://arxiv.org/abs/1903.10520
 */
export class WeightStandardizedConv {
  /** @param {{ gain?: number, draw?: () => number }} [options]  how the weights begin */
  constructor(an, inputs, outputs, groups, options) {
    this.an = an;
    this.weight = weights(outputs, inputs, options);
    this.norm = new GroupNorm(an, groups, outputs, { layout: 'NHWC' });
  }

  /** @param {{ shape: number[] }} options  [batch, height, width, inputs] */
  forward(x, { shape }) {
    this.x = x;
    this.standardized = this.an.weightStandardize.forward(this.weight.value);
    const [outputs] = this.weight.value.shape;
    const h = multiply(x, { value: { data: this.standardized.y, shape: this.weight.value.shape } });
    return this.norm.forward(h, { shape: [...shape.slice(0, -1), outputs] });
  }

  backward(dy) {
    const { value, gradient } = this.weight;
    const ws = parameter(value.shape, (_, i) => this.standardized.y[i]);
    const dx = multiplyBackward(this.norm.backward(dy), this.x, ws);
    const { dx: dw } = this.an.weightStandardize.backward(ws.gradient, {
      ...this.standardized,
      x: value,
    });
    gradient.data.set(add(gradient.data, dw));
    return dx;
  }

  dispose() {
    this.norm.dispose();
  }
}

if (isProgram(import.meta.url)) {
  const an = await load();
  const draw = seeded(1);
  const shape = [2, 4, 4, 16];
  const x = normal(2 * 4 * 4 * 16, draw);
  const conv = new WeightStandardizedConv(an, 16, 8, 4, { draw });
  const y = conv.forward(x, { shape });

  const { data } = conv.weight.value;
  data.set(data.map((w) => 5 * w + 3));
  const difference = largestDifference(y, conv.forward(x, { shape }));
  console.log(`weights × 5 + 3 change y by ${difference.toExponential(0)} at most`);

  conv.backward(normal(y.length, draw));
  const filter = conv.weight.gradient.data.subarray(0, 16);
  const sum = filter.reduce((a, b) => a + b, 0);
  console.log(`the gradients of a filter add up to ${Math.abs(sum).toFixed(5)}`);
}
