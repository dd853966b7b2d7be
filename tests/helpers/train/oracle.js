/*
 * The formulas of include/axisnorm_train.h in float64. Every function takes the arrays, sizes and
 * numbers of a call by name, and what outputs are added to (`before`), and returns the outputs with
 * the `scale` of each value: what its error is measured by (../ulp.js), the sum of the magnitudes
 * of the terms that it is made of.
 */

/** Below it the kernels take e^x for 0. */
const SMALLEST_EXP = 2 ** -126;
/** At this scale SMALLEST_EXP is one unit, */
const EXP_SCALE = SMALLEST_EXP * 2 ** 23;
/** and at this one the float64 rounding of 1. */
const FLOAT64_SCALE = 2 ** -52 * 2 ** 23;

const zeros = (length) => new Float64Array(length);

/** sum_l a(i, l) * b(l, j) */
function product(m, n, k, a, b, before) {
  const c = zeros(m * n);
  const scale = zeros(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      c[at] = before?.[at] ?? 0;
      scale[at] = Math.abs(c[at]);
      for (let l = 0; l < k; l++) {
        c[at] += a(i, l) * b(l, j);
        scale[at] += Math.abs(a(i, l) * b(l, j));
      }
    }
  }
  return { c, scale: { c: scale } };
}

export const matmulNN = ({ m, n, k, a, b }, { c } = {}) =>
  product(
    ...[m, n, k],
    (i, l) => a[i * k + l],
    (l, j) => b[l * n + j],
    c,
  );
export const matmulNT = ({ m, n, k, a, b }, { c } = {}) =>
  product(
    ...[m, n, k],
    (i, l) => a[i * k + l],
    (l, j) => b[j * k + l],
    c,
  );
export const matmulTN = ({ m, n, k, a, b }, { c } = {}) =>
  product(
    ...[m, n, k],
    (i, l) => a[l * m + i],
    (l, j) => b[l * n + j],
    c,
  );

/** One value after another, each as value(i), with scale(i) where that is not its magnitude. */
function each(name, length, value, scale = (i) => Math.abs(value(i))) {
  return {
    [name]: Float64Array.from({ length }, (_, i) => value(i)),
    scale: { [name]: Float64Array.from({ length }, (_, i) => scale(i)) },
  };
}

export const biasForward = ({ x, bias, cols }) =>
  each(
    'y',
    x.length,
    (i) => x[i] + bias[i % cols],
    (i) => Math.abs(x[i]) + Math.abs(bias[i % cols]),
  );

/** The sums of what goes to each place: `to(i)` of every value, or null. */
function sums(name, length, values, to, before) {
  const sum = zeros(length);
  if (before) sum.set(before);
  const scale = sum.map(Math.abs);
  for (let i = 0; i < values.length; i++) {
    const at = to(i);
    if (at === null) continue;
    sum[at] += values[i];
    scale[at] += Math.abs(values[i]);
  }
  return { [name]: sum, scale: { [name]: scale } };
}

export const biasBackward = ({ dy, cols }, { dbias } = {}) =>
  sums('dbias', cols, dy, (i) => i % cols, dbias);

export const residual = ({ x, f, alpha }) =>
  each(
    'y',
    x.length,
    (i) => alpha * x[i] + f[i],
    (i) => Math.abs(alpha * x[i]) + Math.abs(f[i]),
  );

export const scale = ({ x, factor }) => each('y', x.length, (i) => factor * x[i]);

export const reluForward = ({ x }) => each('y', x.length, (i) => Math.max(x[i], 0));
export const reluBackward = ({ dy, y }) => each('dx', dy.length, (i) => (y[i] > 0 ? dy[i] : 0));

const density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** 1 - Phi(x) for x >= 0, without cancellation beyond 3: series, then continued fraction. */
function tail(x) {
  if (x > 3) {
    let fraction = x;
    for (let i = 200; i > 0; i--) fraction = x + i / fraction;
    return density(x) / fraction;
  }
  let term = x;
  let sum = x;
  for (let i = 3; i < 150; i += 2) {
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 - density(x) * sum;
}

export const normalDistribution = (x) => (x > 0 ? 1 - tail(x) : tail(-x));

/** e^(-x^2 / 2) takes on the rounding of x^2. */
const bellUnits = (x) => 1 + (x * x) / 4;

const gelu = (x) => (x === -Infinity ? 0 : x === Infinity ? x : x * normalDistribution(x));

export const geluForward = ({ x }) =>
  each(
    'y',
    x.length,
    (i) => gelu(x[i]),
    (i) => {
      const ofTail = Math.abs(gelu(-Math.abs(x[i]))) * bellUnits(x[i]);
      return Math.max(x[i], 0) + ofTail + Math.min(Math.abs(x[i]), 14) * EXP_SCALE;
    },
  );

export const geluBackward = ({ dy, x }) =>
  each(
    'dx',
    x.length,
    (i) => dy[i] * (normalDistribution(x[i]) + x[i] * density(x[i])),
    (i) => {
      const bell = normalDistribution(-Math.abs(x[i])) + Math.abs(x[i] * density(x[i]));
      return Math.abs(dy[i]) * ((x[i] > 0 ? 1 : 0) + bell * bellUnits(x[i]) + 14 * EXP_SCALE);
    },
  );

/** Where the values of a head are: q, k, v of token t at column c, and y. */
function headPlaces({ tokens, heads, headWidth }, example, head) {
  const all = heads * headWidth;
  const row = (t) => example * tokens + t;
  return {
    q: (t, c) => 3 * all * row(t) + head * headWidth + c,
    k: (t, c) => 3 * all * row(t) + all + head * headWidth + c,
    v: (t, c) => 3 * all * row(t) + 2 * all + head * headWidth + c,
    y: (t, c) => all * row(t) + head * headWidth + c,
    p: (t, s) => ((example * heads + head) * tokens + t) * tokens + s,
  };
}

function eachHead(sizes, visit) {
  for (let b = 0; b < sizes.batch; b++) {
    for (let h = 0; h < sizes.heads; h++) visit(headPlaces(sizes, b, h));
  }
}

/** The scores of one row. */
function scoresOf(at, qkv, t, headWidth) {
  const scores = [];
  let size = 0; // of the terms of a score
  for (let s = 0; s <= t; s++) {
    let score = 0;
    let terms = 0;
    for (let c = 0; c < headWidth; c++) {
      const term = (qkv[at.q(t, c)] * qkv[at.k(s, c)]) / Math.sqrt(headWidth);
      score += term;
      terms += Math.abs(term);
    }
    scores.push(score);
    size = Math.max(size, terms);
  }
  return { scores, size };
}

export function attentionForward(values) {
  const { batch, tokens, heads, headWidth, qkv } = values;
  const y = zeros(batch * tokens * heads * headWidth);
  const probs = zeros(batch * heads * tokens * tokens);
  const scale = { y: zeros(y.length), probs: zeros(probs.length) };
  eachHead(values, (at) => {
    for (let t = 0; t < tokens; t++) {
      const { scores, size } = scoresOf(at, qkv, t, headWidth);
      const most = Math.max(...scores);
      const sum = scores.reduce((total, score) => total + Math.exp(score - most), 0);
      for (let s = 0; s <= t; s++) {
        const p = Math.exp(scores[s] - most) / sum;
        const pScale = p * (1 + 2 * size) + EXP_SCALE;
        probs[at.p(t, s)] = p;
        scale.probs[at.p(t, s)] = pScale;
        for (let c = 0; c < headWidth; c++) {
          y[at.y(t, c)] += p * qkv[at.v(s, c)];
          scale.y[at.y(t, c)] += pScale * Math.abs(qkv[at.v(s, c)]);
        }
      }
    }
  });
  return { y, probs, scale };
}

export function attentionBackward(values) {
  const { tokens, headWidth, qkv, dy, probs } = values;
  const dqkv = zeros(qkv.length);
  const scale = zeros(qkv.length);
  const add = (at, factor, factorScale, x) => {
    dqkv[at] += factor * x;
    scale[at] += factorScale * Math.abs(x);
  };
  eachHead(values, (at) => {
    for (let t = 0; t < tokens; t++) {
      const dprobs = zeros(t + 1);
      const dprobsScale = zeros(t + 1);
      let mean = 0;
      let meanScale = 0;
      for (let s = 0; s <= t; s++) {
        for (let c = 0; c < headWidth; c++) {
          const term = dy[at.y(t, c)] * qkv[at.v(s, c)];
          dprobs[s] += term;
          dprobsScale[s] += Math.abs(term);
        }
        mean += probs[at.p(t, s)] * dprobs[s];
        meanScale += probs[at.p(t, s)] * dprobsScale[s];
      }
      for (let s = 0; s <= t; s++) {
        const p = probs[at.p(t, s)];
        const dscore = (p * (dprobs[s] - mean)) / Math.sqrt(headWidth);
        const dscoreScale = (p * (dprobsScale[s] + meanScale)) / Math.sqrt(headWidth);
        for (let c = 0; c < headWidth; c++) {
          add(at.q(t, c), dscore, dscoreScale, qkv[at.k(s, c)]);
          add(at.k(s, c), dscore, dscoreScale, qkv[at.q(t, c)]);
          add(at.v(s, c), p, p, dy[at.y(t, c)]);
        }
      }
    }
  });
  return { dqkv, scale: { dqkv: scale } };
}

export const embeddingForward = ({ ids, table, positions, tokens, width }) => {
  const place = (i) => {
    const row = Math.floor(i / width);
    const fromTable = table[ids[row] * width + (i % width)];
    return [fromTable, positions?.[(row % tokens) * width + (i % width)] ?? 0];
  };
  return each(
    'y',
    ids.length * width,
    (i) => place(i)[0] + place(i)[1],
    (i) => Math.abs(place(i)[0]) + Math.abs(place(i)[1]),
  );
};

export function embeddingBackward({ dy, ids, tokens, vocabulary, width }, before = {}) {
  const row = (i) => Math.floor(i / width);
  const table = sums(
    ...['dtable', vocabulary * width, dy],
    (i) => ids[row(i)] * width + (i % width),
    before.dtable,
  );
  const positions = sums(
    ...['dpositions', tokens * width, dy],
    (i) => (row(i) % tokens) * width + (i % width),
    before.dpositions,
  );
  return { ...table, ...positions, scale: { ...table.scale, ...positions.scale } };
}

/**
 * loss is a number with a scale of its own.
 */
export function crossEntropy({ logits, targets, classes }) {
  const dlogits = zeros(logits.length);
  const scale = zeros(logits.length);
  const counts = Array.from(targets, (target) => target >= 0);
  const counted = counts.filter(Boolean).length;
  let correct = 0;
  let loss = 0;
  let lossScale = 0;
  for (let r = 0; r < targets.length; r++) {
    if (!counts[r]) continue;
    const row = Array.from(logits.subarray(r * classes, (r + 1) * classes));
    const target = targets[r];
    const most = Math.max(...row);
    const first = row.indexOf(most);
    if (first === target) correct += 1;
    const sum = row.reduce((total, logit) => total + Math.exp(logit - most), 0);
    const others = row.reduce((t, logit, c) => t + (c === first ? 0 : Math.exp(logit - most)), 0);
    loss += Math.log1p(others) + most - row[target];
    const probability = (c) => Math.exp(row[c] - most) / sum;
    // float32 rounds e^(logit - most), except that of the largest, which is 1
    const units = (c) => (c === first ? 0 : 1 + most - row[c]);
    const ofSum = row.reduce(
      (total, _, c) => total + (probability(c) && probability(c) * units(c)),
      0,
    );
    lossScale += ofSum + FLOAT64_SCALE;
    for (let c = 0; c < classes; c++) {
      const p = probability(c);
      const value = c === target ? (p === 1 ? -others / sum : p - 1) : p;
      const at = r * classes + c;
      dlogits[at] = value / counted;
      scale[at] = ((p && p * (units(c) + ofSum)) + Math.abs(value) + FLOAT64_SCALE) / counted;
    }
  }
  const mean = (total) => (counted > 0 ? total / counted : 0);
  return {
    dlogits,
    scale: { dlogits: scale },
    loss: mean(loss),
    lossScale: mean(lossScale),
    counted,
    correct,
  };
}

export function sgdStep({ values, velocity, gradient, rate, momentum }) {
  const moved = (i) => momentum * (velocity?.[i] ?? 0) + gradient[i];
  const movedScale = (i) => Math.abs(momentum * (velocity?.[i] ?? 0)) + Math.abs(gradient[i]);
  const n = values.length;
  const after = each(
    ...['values', n],
    (i) => values[i] - rate * moved(i),
    (i) => Math.abs(values[i]) + rate * movedScale(i),
  );
  const v = each('velocity', n, moved, movedScale);
  return { ...after, ...v, scale: { ...after.scale, ...v.scale } };
}

export function adamStep(call) {
  const { values, m, v, gradient, rate, beta1, beta2, c1, c2, eps, decay } = call;
  const n = values.length;
  const mean = (i) => beta1 * m[i] + (1 - beta1) * gradient[i];
  const meanScale = (i) => beta1 * Math.abs(m[i]) + (1 - beta1) * Math.abs(gradient[i]);
  const square = (i) => beta2 * v[i] + (1 - beta2) * gradient[i] ** 2;
  const share = (i) => rate / c1 / (Math.sqrt(square(i) / c2) + eps);
  const keep = 1 - rate * decay;
  const after = each(
    ...['values', n],
    (i) => keep * values[i] - share(i) * mean(i),
    (i) => Math.abs(keep * values[i]) + share(i) * meanScale(i),
  );
  const ofM = each('m', n, mean, meanScale);
  const ofV = each('v', n, square);
  return { ...after, ...ofM, ...ofV, scale: { ...after.scale, ...ofM.scale, ...ofV.scale } };
}

export const norm = ({ x }) => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));

/** Where a value of a window comes from, or null beyond the edge; i counts values of windows. */
function unfolded({ height, width, channels }) {
  return (i) => {
    const c = i % channels;
    const j = Math.floor(i / channels) % 3;
    const down = Math.floor(i / channels / 3) % 3;
    const pixel = Math.floor(i / channels / 9);
    const w = (pixel % width) + j - 1;
    const h = (Math.floor(pixel / width) % height) + down - 1;
    if (h < 0 || h >= height || w < 0 || w >= width) return null;
    const example = Math.floor(pixel / width / height);
    return ((example * height + h) * width + w) * channels + c;
  };
}

export function unfoldForward(values) {
  const from = unfolded(values);
  return each('y', 9 * values.x.length, (i) => values.x[from(i)] ?? 0);
}
export function unfoldBackward(values) {
  return sums('dx', values.dy.length / 9, values.dy, unfolded(values));
}

/** Which mean a value goes into; i counts values of the image. */
function pooled({ height, width, channels }) {
  return (i) => {
    const c = i % channels;
    const w = Math.floor(i / channels) % width;
    const h = Math.floor(i / channels / width) % height;
    const example = Math.floor(i / channels / width / height);
    const row = (example * height) / 2 + Math.floor(h / 2);
    return ((row * width) / 2 + Math.floor(w / 2)) * channels + c;
  };
}

export function poolForward(values) {
  const quarters = Float64Array.from(values.x, (v) => v / 4);
  return sums('y', quarters.length / 4, quarters, pooled(values));
}
export function poolBackward(values) {
  const to = pooled(values);
  return each('dx', 4 * values.dy.length, (i) => values.dy[to(i)] / 4);
}
