// Compiles only when the types of axisnorm/train say what its functions take and return.
import { load, type Trainer, type TransformerOptions } from 'axisnorm/train';

const t = await load({ build: 'scalar' });
const options: TransformerOptions = { placement: 'post', norm: 'rms', vocabulary: 8, tokens: 15 };
const model = t.transformer({ ...options, depth: 2 });
const trainer: Trainer = t.trainer(model, { task: 'sort', optimizer: 'sgd', rate: 0.1 });
const { loss, finite } = trainer.step();
const values: Float32Array = model.parameters[0].values;
const norms: number[] = t.probe(model, { losses: 4 }).gradientNorms;
model.forward(new Uint32Array(240));
const { correct }: { correct: number } = model.loss(new Int32Array(240));

// @ts-expect-error: there is no such placement
t.transformer({ ...options, placement: 'before' });
// @ts-expect-error: how many tokens there are is not known
t.transformer({ vocabulary: 8 });
// @ts-expect-error: there is no such task
t.trainer(model, { task: 'add' });

export const results: [number, boolean, Float32Array, number[], number] = [
  loss,
  finite,
  values,
  norms,
  correct,
];
