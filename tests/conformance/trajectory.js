/*
 * A small training loop around the norms: full-batch gradient descent on the mean squared error.
 * A layer has a forward that keeps what its backward needs, and parameters with gradients.
 */

export function descend(parameters, gradients, lr) {
  for (let i = 0; i < parameters.length; i++) parameters[i] -= lr * gradients[i];
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

/** Dense layer, rows of `inputs` values to rows of `units`. */
function dense({ units, kernel, bias }, shape) {
  const inputs = shape.at(-1);
  const weight = new Float64Array(inputs * units).fill(kernel);
  const offset = new Float64Array(units);
  let x;
  return {
    shape: [...shape.slice(0, -1), units],
    forward(values) {
      x = values;
      const rows = x.length / inputs;
      return Float32Array.from({ length: rows * units }, (_, i) => {
        const [r, u] = [Math.floor(i / units), i % units];
        let y = offset[u];
        for (let k = 0; k < inputs; k++) y += x[r * inputs + k] * weight[k * units + u];
        return y;
      });
    },
    backward(dy, lr) {
      const rows = x.length / inputs;
      const dx = new Float32Array(x.length);
      const dWeight = new Float64Array(weight.length);
      const dOffset = new Float64Array(units);
      for (let r = 0; r < rows; r++) {
        for (let u = 0; u < units; u++) {
          dOffset[u] += dy[r * units + u];
          for (let k = 0; k < inputs; k++) {
            dx[r * inputs + k] += dy[r * units + u] * weight[k * units + u];
            dWeight[k * units + u] += dy[r * units + u] * x[r * inputs + k];
          }
        }
      }
      descend(weight, dWeight, lr);
      if (bias) descend(offset, dOffset, lr);
      return dx;
    },
  };
}

function flatten(_, shape) {
  return {
    shape: [shape[0], shape.slice(1).reduce((a, b) => a * b, 1)],
    forward: (x) => x,
    backward: (dy) => dy,
  };
}

/** A norm with gamma and beta that learn. */
function norm(op, size, options, shape, state = {}) {
  const gamma = new Float32Array(size).fill(1);
  const beta = new Float32Array(size);
  let x;
  let f;
  return {
    shape,
    state: { gamma, beta, ...state },
    forward(values) {
      x = values;
      f = op.forward(x, { shape, gamma, beta, ...options, ...state });
      return f.y;
    },
    backward(dy, lr) {
      const { dx, dgamma, dbeta } = op.backward(dy, { ...f, x, gamma });
      descend(gamma, dgamma, lr);
      descend(beta, dbeta, lr);
      return dx;
    },
  };
}

/** The norms as functions; classes.js has them as layers. */
const NORMS = {
  layerNorm: (an, { axes, epsilon: eps }, shape) => {
    const normalizedShape = axes.map((axis) => shape[axis]);
    const size = normalizedShape.reduce((a, b) => a * b, 1);
    return norm(an.layerNorm, size, { normalizedShape, eps }, shape);
  },
  batchNorm: (an, { channelAxis, epsilon: eps, momentum, runningVar }, shape) => {
    const channels = shape[channelAxis];
    const options = { channelAxis, eps, momentum, runningVarEstimate: runningVar };
    return norm(an.batchNorm, channels, options, shape, {
      runningMean: new Float32Array(channels),
      runningVar: new Float32Array(channels).fill(1),
    });
  },
};

/**
 * @param {any} an
 * @param {any} one  the case
 * @param {typeof NORMS} [norms]  what makes a norm of its settings and the shape of its x
 */
export function trainingLoop(an, { shape, attrs, inputs }, norms = NORMS) {
  const kinds = {
    dense: (_, settings, current) => dense(settings, current),
    flatten: (_, settings, current) => flatten(settings, current),
    ...norms,
  };
  const layers = [];
  let current = shape;
  for (const settings of attrs.layers) {
    const layer = kinds[settings.type](an, settings, current);
    layers.push(layer);
    current = layer.shape;
  }
  const loss = [];
  for (let epoch = 0; epoch < attrs.epochs; epoch++) {
    const y = layers.reduce((x, layer) => layer.forward(x), Float32Array.from(inputs.x));
    const error = y.map((v, i) => v - inputs.target[i]);
    loss.push(sum(error.map((e) => e * e)) / error.length);
    const dy = error.map((e) => (2 * e) / error.length);
    layers.reduceRight((gradient, layer) => layer.backward(gradient, attrs.lr), dy);
  }
  return Object.assign({ loss }, ...layers.map((layer) => layer.state));
}
