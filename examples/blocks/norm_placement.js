// A norm before or after the nonlinearity: node examples/blocks/norm_placement.js
import { load } from 'axisnorm';
import { BatchNorm } from 'axisnorm/layers';
import { isProgram, meanOf, normal, seeded, varianceOf } from '../program.js';
import { Activation } from './parts.js';

/**
 * y = activation(norm(x)).
 *
 * The activation gets mean beta and variance gamma² (0 and 1 at first), whatever the scale and shift
 * of x. It does not put them out: behind ReLU the mean is above 0, and at first the variance below 1.
 *
 * @see Ioffe & Szegedy 2015, https://arxiv.org/abs/1502.03167
 */
export class NormThenActivation {
  constructor(norm, activation) {
    this.norm = norm;
    this.activation = activation;
  }

  forward(x, options) {
    return this.activation.forward(this.norm.forward(x, options));
  }

  backward(dy) {
    return this.norm.backward(this.activation.backward(dy));
  }
}

/**
 * y = norm(activation(x)).
 *
 * The next layer gets mean beta and variance gamma² (0 and 1 at first), and values below 0 even with
 * ReLU. How much of x ReLU cuts off depends on the mean of x.
 *
 * @see Mishkin, Sergievskiy & Matas 2016 compare both, https://arxiv.org/abs/1606.02228
 */
export class ActivationThenNorm {
  constructor(activation, norm) {
    this.activation = activation;
    this.norm = norm;
  }

  forward(x, options) {
    return this.norm.forward(this.activation.forward(x), options);
  }

  backward(dy) {
    return this.activation.backward(this.norm.backward(dy));
  }
}

if (isProgram(import.meta.url)) {
  const an = await load();
  const x = normal(10000, seeded(1), { mean: 2, deviation: 3 });
  const [norm, activation] = [new BatchNorm(an, 1), new Activation('relu')];

  const round = (v) => (Math.round(100 * v) / 100 + 0).toFixed(2); // + 0: never -0.00
  const show = (name, y) => {
    const [mean, variance, least] = [meanOf(y), varianceOf(y), Math.min(...y)].map(round);
    console.log(`${name.padEnd(15)}  mean ${mean}, variance ${variance}, least ${least}`);
  };
  const options = { shape: [x.length, 1] };
  show('x', x);
  show('BatchNorm, ReLU', new NormThenActivation(norm, activation).forward(x, options));
  show('ReLU, BatchNorm', new ActivationThenNorm(activation, norm).forward(x, options));
}
