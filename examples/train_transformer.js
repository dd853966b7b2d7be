// A transformer learns to reverse eight symbols: node examples/train_transformer.js [steps]
//
// Norms stand in front of the branches (Pre-LN), so it needs no warm-up. With placement: 'post' it
// stays at chance, unless its rate grows slowly: warmup: 300, and 600 steps.
import { load } from 'axisnorm/train';

const STEPS = Number(process.argv[2] ?? 300);
const [EVERY, BAR] = [10, 24];

const t = await load();
const task = t.task({ task: 'reverse', symbols: 8, length: 8 });
const model = t.transformer({ placement: 'pre', depth: 8, width: 32, heads: 4, ...task.sizes });
const trainer = t.trainer(model, { task: 'reverse', rate: 6e-3 });

console.log(`${t.build}, loss of guessing: ${trainer.chance.toFixed(3)}`);

// One line that is written again and again on a terminal, and many lines in a file.
const show = (text) => process.stdout.write(process.stdout.isTTY ? `\r${text}` : `${text}\n`);

for (let i = 1; i <= STEPS; i++) {
  const { step, loss, accuracy, finite } = trainer.step();
  if (step % EVERY === 0 || step === STEPS || !finite) {
    const bar = '#'.repeat(Math.round((BAR * step) / STEPS)).padEnd(BAR, '.');
    const right = `${(100 * accuracy).toFixed(0)} % right`;
    show(`[${bar}] step ${step}/${STEPS}  loss ${loss.toFixed(4)}  ${right}  `);
  }
  if (!finite) break; // it has diverged, and its parameters are as they were before
}

const { loss, accuracy } = trainer.evaluate();
console.log(`\non sequences it has never seen: loss ${loss.toFixed(4)}, ${100 * accuracy} % right`);

/** The symbol with the largest logit behind a token of the first sequence. */
function nextAfter(token) {
  const { vocabulary } = model.settings;
  const logits = model.logits.subarray(token * vocabulary, (token + 1) * vocabulary);
  return logits.indexOf(Math.max(...logits));
}

// Symbol by symbol, each answer becomes part of what is read next.
const question = [3, 1, 4, 1, 5, 2, 6, 5];
model.ids.fill(0);
model.ids.set(question);
const answer = [];
for (let i = 0; i < question.length; i++) {
  model.forward();
  answer.push(nextAfter(task.firstAnswer + i));
  if (i + 1 < question.length) model.ids[question.length + i] = answer[i];
}
console.log(`${question.join(' ')}  ->  ${answer.join(' ')}`);
model.dispose();
