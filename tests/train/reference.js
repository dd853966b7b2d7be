/*
 * The transformer in float64, forward only and from its formulas: what js/train and its kernels are
 * compared with. Gradients come from differences of its loss.
 */

const EPS = Math.fround(1e-5);

function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

function dot(x, y) {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i] * y[i];
  return total;
}

const add = (x, y) => x.map((v, i) => v + y[i]);

/** x W + b of a row, W [inputs][outputs]. */
function linear(x, weight, bias) {
  const y = Array.from(bias);
  for (let i = 0; i < x.length; i++) {
    for (let o = 0; o < y.length; o++) y[o] += x[i] * weight[i * y.length + o];
  }
  return y;
}

const NORMS = {
  layer(x, { gamma, beta }) {
    const mean = sum(x) / x.length;
    const variance = sum(x.map((v) => (v - mean) ** 2)) / x.length;
    return x.map((v, c) => ((v - mean) / Math.sqrt(variance + EPS)) * gamma[c] + beta[c]);
  },
  rms(x, { gamma }) {
    const rms = Math.sqrt(dot(x, x) / x.length + EPS);
    return x.map((v, c) => (v / rms) * gamma[c]);
  },
};

/** By a series of positive terms, so that nothing cancels. */
function erf(x) {
  let term = x;
  let total = x;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(total); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    total += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}

const ACTIVATIONS = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
};

/** Causal attention of one sequence; rows of qkv hold queries, keys and values. */
function attention(qkv, width, heads) {
  const size = width / heads;
  return qkv.map((row, t) => {
    const y = new Array(width).fill(0);
    for (let head = 0; head < width; head += size) {
      const part = (of, kind) => of.slice(kind * width + head, kind * width + head + size);
      const seen = qkv.slice(0, t + 1);
      const query = part(row, 0);
      const scores = seen.map((other) => dot(query, part(other, 1)) / Math.sqrt(size));
      const largest = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - largest));
      const total = sum(weights);
      for (const [s, other] of seen.entries()) {
        const value = part(other, 2);
        for (let i = 0; i < size; i++) y[head + i] += (weights[s] / total) * value[i];
      }
    }
    return y;
  });
}

const BRANCHES = {
  attention(rows, of, { width, heads }) {
    const qkv = rows.map((x) => linear(x, of('qkv.weight'), of('qkv.bias')));
    const mixed = attention(qkv, width, heads);
    return mixed.map((x) => linear(x, of('output.weight'), of('output.bias')));
  },
  feedForward(rows, of, { activation }) {
    const hidden = rows.map((x) => linear(x, of('up.weight'), of('up.bias')));
    const active = hidden.map((x) => x.map(ACTIVATIONS[activation]));
    return active.map((x) => linear(x, of('down.weight'), of('down.bias')));
  },
};

/** The stream of one sequence behind the embedding and behind each block. */
function streamOf(settings, values, ids) {
  const { placement, norm: kind, depth, width } = settings;
  const normed = (name, rows) => {
    const parameters = { gamma: values[`${name}.gamma`], beta: values[`${name}.beta`] };
    return rows.map((x) => NORMS[kind](x, parameters));
  };
  const alpha = placement === 'deepnorm' ? (2 * depth) ** 0.25 : 1;
  const at = (table, i) => table.slice(i * width, (i + 1) * width);
  let rows = ids.map((id, t) =>
    add(at(values['embedding.table'], id), at(values['embedding.positions'], t)),
  );
  const stream = [rows];
  for (let block = 0; block < depth; block++) {
    for (const part of ['attention', 'feedForward']) {
      const name = `blocks.${block}.${part}`;
      const of = (parameter) => values[`${name}.${parameter}`];
      const branch = (x) => BRANCHES[part](x, of, settings);
      const sumOf = (x, y) =>
        x.map((row, t) =>
          add(
            row.map((v) => alpha * v),
            y[t],
          ),
        );
      const places = {
        post: (x) => normed(`${name}.sumNorm`, sumOf(x, branch(x))),
        deepnorm: (x) => normed(`${name}.sumNorm`, sumOf(x, branch(x))),
        pre: (x) => sumOf(x, branch(normed(`${name}.inputNorm`, x))),
        sandwich: (x) =>
          sumOf(x, normed(`${name}.branchNorm`, branch(normed(`${name}.inputNorm`, x)))),
        none: (x) => sumOf(x, branch(x)),
      };
      rows = places[placement](rows);
    }
    stream.push(rows);
  }
  return { stream, last: settings.finalNorm ? normed('finalNorm', rows) : rows };
}

/**
 * @param {object} settings  of the model
 * @param {Record<string, ArrayLike<number>>} values  of the parameters, by name
 * @param {Uint32Array} ids  [batch][tokens]
 * @param {Int32Array} targets
 */
export function reference(settings, values, ids, targets) {
  const { tokens, batch } = settings;
  const logits = [];
  const streams = [];
  for (let b = 0; b < batch; b++) {
    const sequence = Array.from(ids.slice(b * tokens, (b + 1) * tokens));
    const { stream, last } = streamOf(settings, values, sequence);
    logits.push(...last.map((x) => linear(x, values['head.weight'], values['head.bias'])));
    streams.push(stream);
  }
  const losses = logits.flatMap((row, r) => {
    if (targets[r] < 0) return [];
    const largest = Math.max(...row);
    return largest + Math.log(sum(row.map((v) => Math.exp(v - largest)))) - row[targets[r]];
  });
  return { logits, streams, loss: sum(losses) / losses.length };
}

/** @param model  of js/train; its parameters by name */
export const valuesOf = (model) =>
  Object.fromEntries(model.parameters.map(({ name, values }) => [name, Array.from(values)]));
