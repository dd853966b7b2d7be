/* axisnorm as the table sees it: both builds, both layouts, and with exact: true. */
import { load } from '../../js/index.js';
import { sameBits } from '../helpers/bits.js';

/** How a case is written in the options of the API. */
const rowOptions = ({ rows, cols }) => ({ shape: [rows, cols] });
const channelOptions = (shape) => ({ shape, channelAxis: 1 });

const CALLS = {
  layerNorm: (an, sizes) => [an.layerNorm, rowOptions(sizes)],
  rmsNorm: (an, sizes) => [an.rmsNorm, rowOptions(sizes)],
  groupNorm: (an, { batch, channels, spatial, groups }) => [
    an.groupNorm,
    { ...channelOptions([batch, channels, spatial]), groups },
  ],
  instanceNorm: (an, { batch, channels, spatial }) => [
    an.instanceNorm,
    channelOptions([batch, channels, spatial]),
  ],
  batchNormTraining: (an, { outer, channels, inner }) => [
    an.batchNorm,
    channelOptions([outer, channels, inner]),
  ],
  batchNormInference: (an, { outer, channels, inner }) => [
    an.batchNorm,
    { ...channelOptions([outer, channels, inner]), training: false },
  ],
  weightStandardize: (an, { filters, fanIn }) => [
    an.weightStandardize,
    { shape: [filters, fanIn] },
  ],
};

/** @returns {Record<string, Float32Array>} y, dx, dgamma, dbeta */
function runOn(an, { norm, sizes, eps, inputs }, options) {
  const { x, dy, gamma, beta, runningMean, runningVar } = inputs;
  const [op, shape] = CALLS[norm.id](an, sizes);
  const scale = norm.id === 'weightStandardize' ? { gain: gamma } : { gamma };
  const settings = { ...shape, ...scale, ...options, eps };
  const running = norm.frozen ? { runningMean, runningVar } : {};
  const f = op.forward(x, { ...settings, ...running, ...(beta && { beta }) });
  const { dx, dgamma, dgain, dbeta } = op.backward(dy, { ...f, ...settings, x });
  return { y: f.y, dx, dgamma: dgamma ?? dgain, ...(dbeta && { dbeta }) };
}

/** [n][channels][inner] as [n][inner][channels] */
function channelsLast(values, [n, channels, inner]) {
  const turned = new Float32Array(values.length);
  for (let i = 0, at = 0; i < n; i++)
    for (let s = 0; s < inner; s++)
      for (let c = 0; c < channels; c++) turned[at++] = values[(i * channels + c) * inner + s];
  return turned;
}

/** The same values with the channels last, and the results turned back. */
function runChannelsLast(an, one) {
  const [n, channels, inner] = one.norm.view(one.sizes).shape;
  const turn = (values) => channelsLast(values, [n, channels, inner]);
  const back = (values) => channelsLast(values, [n, inner, channels]);
  const { x, dy } = one.inputs;
  const turned = { ...one, inputs: { ...one.inputs, x: turn(x), dy: turn(dy) } };
  const got = runOn(an, turned, { shape: [n, inner, channels], channelAxis: 2 });
  return { ...got, y: back(got.y), dx: back(got.dx) };
}

const bytes = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** Fast where all is well; otherwise it says which value differs, or that only NaNs do. */
function expectSame(got, want, label) {
  if (!bytes(got).equals(bytes(want))) sameBits(got, want, label);
}

/** Runs on both builds, which have to give the same bits. */
const onBoth = (builds, run) => async (one) => {
  const [first, second] = builds.map((an) => run(an, one));
  for (const [name, values] of Object.entries(first)) {
    expectSame(second[name], values, `${one.norm.id}; ${one.name}: ${name} of both builds`);
  }
  return first;
};

/** @returns {Promise<import('./measure.js').Library[]>} */
export async function axisnorm() {
  const builds = [await load({ build: 'simd128' }), await load({ build: 'scalar' })];
  return [
    { name: 'axisnorm', kind: 'own', passes: [onBoth(builds, (an, one) => runOn(an, one, {}))] },
    {
      name: 'axisnorm, NHWC',
      kind: 'own',
      worstIn: 'axisnorm',
      applies: (norm) => norm.layouts,
      passes: [onBoth(builds, runChannelsLast)],
    },
    {
      name: 'axisnorm, exact',
      kind: 'exact',
      passes: [onBoth(builds, (an, one) => runOn(an, one, { exact: true }))],
    },
  ];
}
