// What a program that trains does: a few steps, after which the loss is less.
import assert from 'node:assert/strict';
import { load, TASKS } from 'axisnorm/train';

const t = await load();
assert.ok(TASKS.includes('copy'));
const { sizes } = t.task({ task: 'copy', symbols: 4, length: 3 });
const model = t.transformer({ depth: 2, width: 16, heads: 2, ...sizes });
const trainer = t.trainer(model, { task: 'copy', symbols: 4, length: 3, rate: 0.01 });
const first = trainer.evaluate().loss;
for (let i = 0; i < 50; i++) assert.ok(trainer.step().finite);
const last = trainer.evaluate().loss;
assert.ok(last < first / 2, `${first} ${last}`);
model.dispose();
assert.equal(t.memoryUsage().used, 0);

console.log(`axisnorm/train works, ${t.build}`);
