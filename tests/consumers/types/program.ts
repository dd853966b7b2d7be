// Compiles only when the types of every entry say what its functions take and return.
import { type AxisNorm, isSupported, load, type Operand, Tensor, VERSION } from 'axisnorm';
import { BatchNorm, LayerNorm } from 'axisnorm/layers';
import * as slim from 'axisnorm/slim';
import { load as loadTraining, type Trainer } from 'axisnorm/train';

const x = new Float32Array(8);
const gamma = new Float32Array(4);

async function norms(): Promise<AxisNorm> {
  const an = await load({ source: (build) => `/wasm/${build}.wasm` });
  const build: 'simd128' | 'scalar' = an.build;
  const supported: boolean = isSupported();
  const y: Float32Array = an.layerNorm(x, { normalizedShape: 4, gamma });
  const f = an.layerNorm.forward(x, { normalizedShape: 4, gamma, eps: 1e-6 });
  const mean: Float32Array = f.mean;
  const { dx, dgamma } = an.layerNorm.backward(y, { ...f, x, gamma });
  const gradients: (Float32Array | null | undefined)[] = [dx, dgamma];
  const t: Tensor = an.scope((s) => an.rmsNorm(s.tensor([2, 4], x)));
  const operand: Operand = { data: x, dims: [2, 4] };
  an.groupNorm(operand, { groups: 2 });
  console.log(build, supported, mean, gradients, t.shape, t instanceof Tensor, VERSION);

  // @ts-expect-error: eps is a number
  an.layerNorm(x, { normalizedShape: 4, eps: 'small' });
  // @ts-expect-error: arrays in, arrays out
  const tensor: Tensor = an.layerNorm(x, { normalizedShape: 4 });
  // @ts-expect-error: there is no such norm
  an.layerNrom(x, { normalizedShape: 4, gamma: tensor });
  return an;
}

function layers(an: AxisNorm): Float32Array {
  const bn = new BatchNorm(an, 4);
  const y: Float32Array = bn.forward(x, { shape: [2, 4] });
  const dx: Float32Array = bn.backward(y);
  bn.loadStateDict(new LayerNorm(an, 4).stateDict(), '', { strict: false });
  // @ts-expect-error: a layer has features
  new BatchNorm(an);
  return dx;
}

async function few(module: WebAssembly.Module): Promise<Float32Array> {
  const { layerNorm } = slim;
  const an = await slim.load({ source: module, norms: { layerNorm } });
  // @ts-expect-error: it was not asked for
  an.rmsNorm;
  return an.layerNorm(x, { normalizedShape: 4 });
}

async function training(): Promise<number> {
  const t = await loadTraining();
  const model = t.transformer({ vocabulary: 8, tokens: 15, norm: 'rms', depth: 2 });
  const trainer: Trainer = t.trainer(model, { task: 'sort', rate: 0.1 });
  const values: Float32Array = model.parameters[0].values;
  // @ts-expect-error: there is no such task
  t.trainer(model, { task: 'add' });
  return trainer.step().loss + values.length;
}

export { few, layers, norms, training };
