// Which norm is recommended: the answers, what is refused, and that docs/choosing.md says the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { recommendNorm } from '../../js/layers/recommend_norm.js';

const BY_BATCH = ['cnn', 'detection', 'table'];
const OTHERS = ['diffusion', 'llm', 'rnn', 'style', 'transformer'];
const ARCHITECTURES = [...BY_BATCH, ...OTHERS];
const TASKS = ['training', 'finetuning', 'inference'];
const BATCHES = Array.from({ length: 70 }, (_, i) => i + 1);

const norms = (architecture, batchSize, task) =>
  recommendNorm({ architecture, batchSize, task }).norms;

describe('training from scratch', () => {
  test('convolutional networks: by the batch, never LayerNorm', () => {
    for (const batch of BATCHES) {
      const want =
        batch >= 32 ? ['BatchNorm'] : batch >= 8 ? ['GroupNorm', 'BatchNorm'] : ['GroupNorm'];
      assert.deepEqual(norms('cnn', batch), want, `cnn ${batch}`);
      assert.deepEqual(norms('detection', batch), want, `detection ${batch}`);
    }
  });

  test('tables: LayerNorm where a batch is too small for BatchNorm', () => {
    for (const batch of BATCHES) {
      const want = batch >= 32 ? ['BatchNorm', 'LayerNorm'] : ['LayerNorm'];
      assert.deepEqual(norms('table', batch), want, `${batch}`);
    }
  });

  test('the others: whatever the batch, given or not', () => {
    const want = {
      diffusion: ['GroupNorm'],
      llm: ['RMSNorm'],
      rnn: ['LayerNorm'],
      style: ['InstanceNorm'],
      transformer: ['LayerNorm'],
    };
    for (const architecture of OTHERS) {
      for (const batch of [undefined, ...BATCHES]) {
        assert.deepEqual(
          norms(architecture, batch),
          want[architecture],
          `${architecture} ${batch}`,
        );
      }
    }
  });

  test('says what goes wrong elsewhere', () => {
    const text = (architecture, batchSize) => {
      const { reason, remark } = recommendNorm({ architecture, batchSize });
      return `${reason} ${remark}`;
    };
    assert.match(text('cnn', 2), /32 is its usual number of groups, not of channels in a group/);
    assert.match(text('cnn', 2), /Weight standardization/);
    assert.match(text('cnn', 16), /Not LayerNorm/);
    assert.match(text('cnn', 32), /batch on one device/);
    assert.match(text('llm'), /final norm after the last block/);
    assert.match(text('transformer'), /one more after the last block/);
    assert.match(text('rnn'), /not across time/);
  });
});

describe('trained networks', () => {
  test('keep their norm, whatever the batch', () => {
    for (const task of ['finetuning', 'inference']) {
      for (const batch of BATCHES) {
        for (const architecture of BY_BATCH) {
          assert.deepEqual(norms(architecture, batch, task), ['BatchNorm'], architecture);
        }
        for (const architecture of OTHERS) {
          const want = norms(architecture, batch);
          assert.deepEqual(norms(architecture, batch, task), want, architecture);
        }
      }
    }
  });

  test('fine-tuning freezes the statistics of BatchNorm alone, and with small batches alone', () => {
    for (const architecture of ARCHITECTURES) {
      for (const batchSize of BATCHES) {
        const { reason } = recommendNorm({ architecture, batchSize, task: 'finetuning' });
        const want = BY_BATCH.includes(architecture) && batchSize < 32;
        assert.equal(/Freeze its running statistics/.test(reason), want, `${architecture}`);
      }
    }
  });

  test('inference folds BatchNorm', () => {
    for (const architecture of ARCHITECTURES) {
      const { reason } = recommendNorm({ architecture, task: 'inference' });
      assert.equal(/fold into/.test(reason), BY_BATCH.includes(architecture), architecture);
    }
  });
});

test('each answer has a reason and papers, and belongs to who asked', () => {
  for (const architecture of ARCHITECTURES) {
    for (const task of TASKS) {
      const options = { architecture, task, batchSize: 4 };
      const answer = recommendNorm(options);
      const { reason, sources } = answer;
      assert.ok(reason.length > 20);
      assert.ok(sources.length > 0);
      for (const { text, href } of sources) {
        assert.match(text, / \d{4}$/);
        assert.match(href, /^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
      }
      const before = structuredClone(answer);
      answer.norms.push('none');
      sources[0].text = '';
      assert.deepEqual(recommendNorm(options), before);
    }
  }
});

test('training from scratch is the default', () => {
  assert.deepEqual(norms('cnn', 4), norms('cnn', 4, 'training'));
});

describe('what is refused', () => {
  const quoted = (names) => `'${names.slice(0, -1).join("', '")}' or '${names.at(-1)}'`;
  const known = quoted([...ARCHITECTURES].sort());
  const refused = (options, name, message) =>
    assert.throws(() => recommendNorm(options), { name, message });

  test('architectures and tasks that are not known, with those that are', () => {
    const expected = `architecture: expected ${known}`;
    refused({ architecture: 'mlp' }, 'RangeError', `${expected}, got 'mlp'`);
    refused({ architecture: 'toString' }, 'RangeError', `${expected}, got 'toString'`);
    refused({}, 'TypeError', `${expected}, got undefined`);
    refused(
      { architecture: 'llm', task: 'detection' },
      'RangeError',
      `task: expected ${quoted(TASKS)}, got 'detection'`,
    );
  });

  test('a batch that is left out where it matters', () => {
    const message = 'batchSize: expected a whole number >= 1, got undefined';
    for (const architecture of BY_BATCH) {
      refused({ architecture }, 'TypeError', message);
      refused({ architecture, task: 'finetuning' }, 'TypeError', message);
      recommendNorm({ architecture, task: 'inference' });
    }
  });

  test('a batch that is none, wherever it is given', () => {
    const expected = 'batchSize: expected a whole number >= 1, got';
    for (const architecture of ARCHITECTURES) {
      for (const task of TASKS) {
        for (const batchSize of [0, -1, 1.5, NaN, Infinity]) {
          refused({ architecture, task, batchSize }, 'RangeError', `${expected} ${batchSize}`);
        }
        refused({ architecture, task, batchSize: '8' }, 'TypeError', `${expected} '8'`);
        refused({ architecture, task, batchSize: null }, 'TypeError', `${expected} null`);
      }
    }
  });

  test('other options, and none', () => {
    refused(
      { architecture: 'cnn', batchsize: 8 },
      'TypeError',
      "recommendNorm: unknown option 'batchsize', did you mean 'batchSize'?",
    );
    refused(undefined, 'TypeError', 'recommendNorm: expected an object of options, got undefined');
  });
});

describe('docs/choosing.md', () => {
  const page = readFileSync(new URL('../../docs/choosing.md', import.meta.url), 'utf8');
  const namesIn = (cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

  /** The batches that a cell stands for: `any`, `8 to 31`, `32 and more`. */
  const batchesIn = (cell) => {
    if (cell === 'any') return [undefined, ...BATCHES];
    const [, first, last = Infinity] = cell.match(/^(\d+) (?:to (\d+)|and more)$/);
    return BATCHES.filter((batch) => batch >= first && batch <= last);
  };

  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (`architecture`|-)/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

  const written = ({ norms, reason, remark, sources }) => [
    norms.join(' or '),
    [reason, remark].filter(Boolean).join(' '),
    sources.map(({ text, href }) => `[${text}](${href})`).join(', '),
  ];

  /** `architecture task batch` -> what the table says. */
  const answers = new Map();
  for (const [architectures, batches, task, ...answer] of rows) {
    for (const architecture of namesIn(architectures)) {
      for (const batch of batchesIn(batches)) {
        const key = `${architecture} ${namesIn(task)} ${batch}`;
        assert.ok(!answers.has(key), `two rows for ${key}`);
        answers.set(key, answer);
      }
    }
  }

  test('every row is what the function returns, and none is missing', () => {
    let asked = 0;
    for (const architecture of ARCHITECTURES) {
      for (const task of TASKS) {
        const needsBatch = BY_BATCH.includes(architecture) && task !== 'inference';
        for (const batchSize of needsBatch ? BATCHES : [undefined, ...BATCHES]) {
          const key = `${architecture} ${task} ${batchSize}`;
          const want = written(recommendNorm({ architecture, task, batchSize }));
          assert.deepEqual(answers.get(key), want, key);
          asked += 1;
        }
      }
    }
    assert.equal(answers.size, asked);
  });

  test('names every architecture and task above the table', () => {
    const [above] = page.split('## All answers');
    for (const name of [...ARCHITECTURES, ...TASKS]) assert.ok(namesIn(above).includes(name), name);
  });
});
