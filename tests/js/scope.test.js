// Scopes: what is freed when, and what is kept.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from '../../js/index.js';
import { allCalls, callOf, resultsOf } from './support.js';

let an;
before(async () => {
  an = await load();
});

const FREED = { name: 'ReferenceError', message: 'tensor: used after it was freed' };
const used = () => an.memoryUsage().used;
const isAlive = (tensor) => {
  try {
    return tensor.data.length === tensor.length;
  } catch (error) {
    assert.equal(error.message, FREED.message);
    return false;
  }
};

test('everything made in a scope ends with it, and what the function returns comes back', () => {
  const before = used();
  const seen = [];
  const result = an.scope((s) => {
    const x = s.tensor([2, 2], Float32Array.of(1, 3, 2, 4));
    seen.push(x, an.layerNorm(x, { eps: 0 }));
    assert.ok(seen.every(isAlive));
    return [...seen[1].data];
  });
  assert.deepEqual(result, [-1, 1, -1, 1]);
  assert.deepEqual(seen.map(isAlive), [false, false]);
  assert.equal(used(), before);
});

for (const { name, operation, pass } of allCalls()) {
  test(`the results of ${name} belong to the innermost scope`, () => {
    let inner;
    let result;
    an.scope((outer) => {
      const call = callOf(operation, pass);
      call.input = outer.tensor(call.options.shape, call.input);
      const before = used();
      an.scope(() => {
        result = Object.values(resultsOf(call, call.invoke(an)));
        assert.ok(result.every(isAlive));
      });
      assert.ok(!result.some(isAlive));
      assert.equal(used(), before);
      inner = Object.values(resultsOf(call, call.invoke(an)));
      assert.ok(inner.every(isAlive));
    });
    assert.ok(!inner.some(isAlive));
  });
}

test('without a scope the results are the caller’s', () => {
  const x = an.tensor([1, 2], Float32Array.of(1, 3));
  const before = used();
  const y = an.layerNorm(x, { eps: 0 });
  an.scope(() => {});
  assert.deepEqual([...y.data], [-1, 1]);
  y.dispose();
  assert.equal(used(), before);
  x.dispose();
});

test('a function that throws frees as well, and the scope around it is the innermost again', () => {
  const before = used();
  const error = new Error('mine');
  let lost;
  let later;
  an.scope((outer) => {
    assert.throws(
      () =>
        an.scope((s) => {
          lost = s.tensor([8]);
          throw error;
        }),
      (thrown) => thrown === error,
    );
    assert.equal(isAlive(lost), false);
    later = an.rmsNorm(outer.tensor([2]));
  });
  assert.equal(isAlive(later), false);
  assert.equal(used(), before);
});

describe('promises', () => {
  const message = 'scope: expected a function that ends before it returns, got a promise';

  test('an async function is refused, and everything freed', async () => {
    const before = used();
    let tensor;
    let after;
    const run = async (s) => {
      tensor = s.tensor([4]);
      await null;
      try {
        tensor.data[0] = 1;
      } catch (error) {
        after = error;
        throw error; // must not end up as an unhandled rejection
      }
    };
    assert.throws(() => an.scope(run), { name: 'TypeError', message });
    assert.equal(isAlive(tensor), false);
    assert.equal(used(), before);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(after.message, FREED.message);
  });

  test('any thenable is', () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
    assert.throws(() => an.scope(() => ({ then() {} })), { name: 'TypeError', message });
  });
});

describe('keep', () => {
  test('takes a tensor out, for good', () => {
    const y = an.scope((s) => {
      const x = s.tensor([1, 2], Float32Array.of(1, 3));
      return s.keep(an.layerNorm(x, { eps: 0 }));
    });
    an.scope((s) => s.tensor([64]).data.fill(9));
    assert.deepEqual([...y.data], [-1, 1]);
    const before = used();
    y.dispose();
    assert.ok(used() < before);
    assert.throws(() => y.data, FREED);
  });

  test('refuses what is not of this scope', () => {
    an.scope((outer) => {
      const own = outer.tensor([1]);
      const disposed = outer.tensor([1]);
      disposed.dispose();
      an.scope((inner) => {
        for (const [value, got] of [
          [own, 'Tensor'],
          [disposed, 'Tensor'],
          [undefined, 'undefined'],
          [new Float32Array(1), 'Float32Array'],
        ]) {
          const message = `keep: expected a tensor of this scope, got ${got}`;
          assert.throws(() => inner.keep(value), { name: 'TypeError', message });
        }
      });
      assert.throws(() => outer.keep(disposed), { name: 'TypeError' }, 'a disposed one');
      const kept = outer.keep(own);
      assert.throws(() => outer.keep(kept), { name: 'TypeError' }, 'a second time');
      kept.dispose();
    });
  });
});

describe('edges', () => {
  test('an outer scope can be asked inside an inner one', () => {
    an.scope((outer) => {
      const t = an.scope(() => outer.tensor([1], Float32Array.of(4)));
      assert.deepEqual([...t.data], [4]);
    });
  });

  test('an.tensor belongs to the caller in a scope too', () => {
    const t = an.scope(() => an.tensor([1], Float32Array.of(4)));
    assert.deepEqual([...t.data], [4]);
    t.dispose();
  });

  test('dispose in a scope is final', () => {
    const before = used();
    an.scope((s) => {
      const t = s.tensor([1]);
      t.dispose();
      const other = s.tensor([1], Float32Array.of(2)); // may take its place
      assert.deepEqual([...other.data], [2]);
    });
    assert.equal(used(), before);
  });

  test('a scope is of no use after it ended', () => {
    const error = { name: 'ReferenceError', message: 'scope: used after it ended' };
    const s = an.scope((scope) => scope);
    assert.throws(() => s.tensor([1]), error);
    assert.throws(() => s.keep(undefined), error);
  });

  test('what is no function is refused', () => {
    const message = 'scope: expected a function, got undefined';
    assert.throws(() => an.scope(), { name: 'TypeError', message });
  });
});
