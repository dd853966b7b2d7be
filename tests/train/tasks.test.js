// Tasks: answers, what counts, held-out questions, and what guessing costs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../js/train/random.js';
import { TASKS, taskOf } from '../../js/train/tasks.js';

const SEQUENCES = 400;

/** The answer, from the question and the number of symbols. */
const ANSWERS = {
  reverse: (question) => question.toReversed(),
  copy: (question) => question,
  sort: (question) => question.toSorted((a, b) => a - b),
  modularAddition: (question, symbols) => [question.reduce((a, b) => a + b) % symbols],
};

function draw(task, heldOut, seed = 1, sequences = SEQUENCES) {
  const { tokens } = task.sizes;
  const ids = new Uint32Array(sequences * tokens).fill(99);
  const targets = new Int32Array(sequences * tokens).fill(99);
  task.fill(ids, targets, new Random(seed), heldOut);
  return Array.from({ length: sequences }, (_, i) => ({
    ids: [...ids.slice(i * tokens, (i + 1) * tokens)],
    targets: [...targets.slice(i * tokens, (i + 1) * tokens)],
  }));
}

test('every task has its answers here', () => {
  assert.deepEqual([...TASKS].sort(), Object.keys(ANSWERS).sort());
});

for (const [name, answerOf] of Object.entries(ANSWERS)) {
  for (const [symbols, length] of [
    [8, 8],
    [5, 3],
    [97, 2],
  ]) {
    describe(`${name} of ${length} out of ${symbols} symbols`, () => {
      const task = taskOf({ task: name, symbols, length });
      const trained = draw(task, false);
      const heldOut = draw(task, true);

      test('each token of the answer follows what stands before it', () => {
        for (const { ids, targets } of [...trained, ...heldOut]) {
          const answer = answerOf(ids.slice(0, length), symbols);
          assert.deepEqual(ids, [...ids.slice(0, length), ...answer.slice(0, -1)]);
          assert.deepEqual(targets, [...new Array(length - 1).fill(-1), ...answer]);
          assert.ok(ids.every((id) => id < symbols));
        }
        assert.deepEqual(task.sizes, { vocabulary: symbols, tokens: trained[0].ids.length });
        assert.equal(task.firstAnswer, length - 1);
        assert.equal(task.floor, 0);
      });

      test('no question is both held out and trained on, and all symbols come up', () => {
        const questions = (sequences) =>
          new Set(sequences.map(({ ids }) => ids.slice(0, length).join()));
        const known = questions(trained);
        for (const question of questions(heldOut)) assert.ok(!known.has(question), question);
        const seen = new Set(trained.flatMap(({ ids }) => ids.slice(0, length)));
        assert.equal(seen.size, symbols);
      });

      test('chance is the entropy of the answers at each place', () => {
        const many = draw(task, false, 2, 60_000);
        let entropy = 0;
        const places = many[0].targets.length - task.firstAnswer;
        for (let place = 0; place < places; place++) {
          const counts = new Map();
          for (const { targets } of many) {
            const symbol = targets[task.firstAnswer + place];
            counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
          }
          for (const count of counts.values()) {
            entropy -= (count / many.length) * Math.log(count / many.length);
          }
        }
        const got = entropy / places;
        assert.ok(Math.abs(got - task.chance) < 0.02 * task.chance, `${task.chance} ${got}`);
      });
    });
  }
}

test('the same seed draws the same sequences, another seed others', () => {
  const task = taskOf({});
  assert.deepEqual(draw(task, false, 5), draw(task, false, 5));
  assert.notDeepEqual(draw(task, false, 5), draw(task, false, 6));
});

test('the smallest tasks have questions of both kinds', () => {
  for (let symbols = 2; symbols <= 64; symbols++) {
    let length = 1;
    while (symbols ** length < 64) length += 1;
    const task = taskOf({ task: 'copy', symbols, length });
    assert.equal(draw(task, true, 1, 1).length, 1);
    assert.equal(draw(task, false, 1, 1).length, 1);
  }
});

test('tasks that cannot be are refused', () => {
  const refused = (options, message) =>
    assert.throws(() => taskOf(options), { name: /RangeError|TypeError/, message });
  refused(
    { task: 'revers' },
    "task: expected 'reverse', 'copy', 'sort' or 'modularAddition', got 'revers'",
  );
  refused({ task: 3 }, "task: expected 'reverse', 'copy', 'sort' or 'modularAddition', got 3");
  refused({ symbols: 1 }, 'symbols: expected a whole number from 2 to 1024, got 1');
  refused({ length: 2.5 }, 'length: expected a whole number from 1 to 256, got 2.5');
  refused(
    { symbols: 7, length: 2 },
    'length: expected at least 64 different questions of 7 symbols, got 2, which gives 49',
  );
  refused({ lenght: 4 }, "task: unknown option 'lenght', did you mean 'length'?");
});
