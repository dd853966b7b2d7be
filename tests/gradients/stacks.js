/*
 * Small networks whose norms are computed by an engine: float64 after the oracle, or the library.
 * All else is float64 in either case.
 *
 * A layer has `parameters`, lengths by name, and `run(x, values, engine)`, which gives `y` and
 * `back(dy, gradients)`. back() sets its gradients by name and returns dx. A gradient has `values`
 * and `scale`, the magnitudes that it is made from: what cancels leaves its rounding behind.
 */
import * as oracle from '../helpers/oracle.js';

const sum = (a, b) => a.map((v, i) => v + b[i]);

/** The formulas. */
export const float64 = {
  run({ norm: { axes, settings, center }, x, gamma, beta }) {
    const eps = Math.fround(1e-5);
    const stats =
      settings.training === false
        ? oracle.frozenStatistics({ ...settings, eps })
        : oracle.statistics(axes, x, { eps, center });
    const { y } = oracle.forward(axes, { x, gamma, beta }, stats, settings);
    const back = (dy) => oracle.backward(axes, { dy, x, gamma }, stats, { ...settings, center });
    return { y, back };
  },
};

/** The public API. */
export const library = (an) => ({
  run({ norm: { operation, settings, names }, ...inputs }) {
    const { x, gamma, beta } = Object.fromEntries(
      Object.entries(inputs).map(([name, values]) => [name, values && Float32Array.from(values)]),
    );
    const parameters = beta ? { gamma, beta } : { [names.gamma]: gamma };
    const f = an[operation].forward(x, { ...settings, ...parameters });
    const back = (dy) => {
      const g = an[operation].backward(Float32Array.from(dy), { ...f, ...parameters, x });
      return { dx: g.dx, dgamma: g[`d${names.gamma}`], dbeta: g.dbeta };
    };
    return { y: f.y, back };
  },
});

/** @returns a layer from the axes of the oracle and the settings of the API */
function norm(operation, name, axes, settings, { center, hasBeta = true, gain = 'gamma' } = {}) {
  const own = { operation, axes, settings, center, names: { gamma: gain } };
  const [gamma, beta] = [`${name}.${gain}`, `${name}.beta`];
  return {
    parameters: { [gamma]: axes.channels, ...(hasBeta && { [beta]: axes.channels }) },
    run(x, values, engine) {
      const { y, back } = engine.run({ norm: own, x, gamma: values[gamma], beta: values[beta] });
      return {
        y: Float64Array.from(y),
        back(dy, gradients) {
          const { dx, dgamma, dbeta, scale } = back(dy);
          gradients[gamma] = { values: dgamma, scale: scale?.dgamma };
          if (hasBeta) gradients[beta] = { values: dbeta, scale: scale?.dbeta };
          return Float64Array.from(dx);
        },
      };
    },
  };
}

export const layerNorm = (name, rows, cols) =>
  norm('layerNorm', name, oracle.layerNormAxes({ rows, cols }), { normalizedShape: cols });

export const rmsNorm = (name, rows, cols) =>
  norm(
    'rmsNorm',
    name,
    oracle.rmsNormAxes({ rows, cols }),
    { normalizedShape: cols, gammaOffset: 1 },
    { center: false, hasBeta: false },
  );

/** Norms of images; `image` is { batch, channels, spatial: [h, w], channelsLast }. */
function imageSettings({ batch, channels, spatial, channelsLast }) {
  const [h, w] = spatial;
  return channelsLast
    ? { shape: [batch, h, w, channels], layout: 'NHWC' }
    : { shape: [batch, channels, h, w], layout: 'NCHW' };
}

const flat = (image) => ({ ...image, spatial: image.spatial[0] * image.spatial[1] });

export const groupNorm = (name, image, groups) =>
  norm('groupNorm', name, oracle.groupNormAxes({ ...flat(image), groups }), {
    ...imageSettings(image),
    groups,
  });

export const instanceNorm = (name, image) =>
  norm(
    'instanceNorm',
    name,
    oracle.groupNormAxes({ ...flat(image), groups: image.channels }),
    imageSettings(image),
  );

export function batchNorm2d(name, image) {
  const { batch, channels, spatial, channelsLast } = flat(image);
  const axes = channelsLast
    ? oracle.batchNormAxes({ outer: batch * spatial, channels, inner: 1 })
    : oracle.batchNormAxes({ outer: batch, channels, inner: spatial });
  return norm('batchNorm', name, axes, imageSettings(image));
}

/** @param {object} [frozen]  { runningMean, runningVar } */
export const batchNorm = (name, rows, channels, frozen) =>
  norm('batchNorm', name, oracle.batchNormAxes({ outer: rows, channels, inner: 1 }), {
    shape: [rows, channels],
    ...(frozen && { training: false, ...frozen }),
  });

const weightStandardize = (name, filters, fanIn) =>
  norm(
    'weightStandardize',
    name,
    oracle.weightStandardizeAxes({ filters, fanIn }),
    { shape: [filters, fanIn] },
    { hasBeta: false, gain: 'gain' },
  );

const asIs = { parameters: {}, run: (x) => ({ y: x, back: (dy) => dy }) };

/** y = x W' + b, with W after `through` another layer. Before BatchNorm a bias would have no effect. */
export function linear(name, inputs, outputs, { bias = true, through = asIs } = {}) {
  const names = { weight: `${name}.weight`, bias: `${name}.bias` };
  return {
    parameters: {
      [names.weight]: outputs * inputs,
      ...(bias && { [names.bias]: outputs }),
      ...through.parameters,
    },
    run(x, values, engine) {
      const rows = x.length / inputs;
      const { y: w, back: backToWeight } = through.run(values[names.weight], values, engine);
      const y = new Float64Array(rows * outputs);
      const each = (visit) => {
        for (let r = 0; r < rows; r++)
          for (let o = 0; o < outputs; o++)
            for (let i = 0; i < inputs; i++) visit(r * outputs + o, o * inputs + i, r * inputs + i);
      };
      each((at, weight, from) => {
        y[at] += w[weight] * x[from];
      });
      if (bias) for (let at = 0; at < y.length; at++) y[at] += values[names.bias][at % outputs];
      const back = (dy, gradients) => {
        const dx = new Float64Array(x.length);
        const dw = new Float64Array(w.length);
        each((at, weight, from) => {
          dx[from] += dy[at] * w[weight];
          dw[weight] += dy[at] * x[from];
        });
        if (bias) {
          const db = new Float64Array(outputs);
          for (let at = 0; at < dy.length; at++) db[at % outputs] += dy[at];
          gradients[names.bias] = { values: db, scale: db };
        }
        const values = backToWeight(dw, gradients);
        gradients[names.weight] = { values, scale: values };
        return dx;
      };
      return { y, back };
    },
  };
}

export const standardizedLinear = (name, inputs, outputs) =>
  linear(name, inputs, outputs, { through: weightStandardize(`${name}.norm`, outputs, inputs) });

const pointwise = (f, slope) => ({
  parameters: {},
  run(x) {
    const y = x.map(f);
    return { y, back: (dy) => dy.map((v, i) => v * slope(x[i], y[i])) };
  },
});

export const tanh = pointwise(Math.tanh, (_, y) => 1 - y * y);
export const relu = pointwise(
  (v) => Math.max(v, 0),
  (x) => Number(x > 0),
);

const parametersOf = (layers) => Object.assign({}, ...layers.map((layer) => layer.parameters));

export const chain = (...layers) => ({
  parameters: parametersOf(layers),
  run(x, values, engine) {
    const backs = [];
    let y = x;
    for (const layer of layers) {
      const step = layer.run(y, values, engine);
      y = step.y;
      backs.unshift(step.back);
    }
    return { y, back: (dy, gradients) => backs.reduce((d, back) => back(d, gradients), dy) };
  },
});

/** y = x + f(x) */
export function residual(...layers) {
  const inner = chain(...layers);
  return {
    parameters: inner.parameters,
    run(x, values, engine) {
      const { y, back } = inner.run(x, values, engine);
      return { y: sum(x, y), back: (dy, gradients) => sum(dy, back(dy, gradients)) };
    },
  };
}
