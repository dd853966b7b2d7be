// The grid: its numbers against the oracle, and every control by mouse and by keyboard.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { blockOf, COLS, numberOf, ROWS, STATES, shows, stateOf, x } from './grid-oracle.js';
import { openBrowser, serveDemo } from './support.js';

const address = await serveDemo();
const newVisit = await openBrowser();

const hashOf = ({ norm, groups = '2' }) => {
  const parts = [
    norm !== 'batch' && `grid.norm=${norm}`,
    groups !== '2' && `grid.groups=${groups}`,
  ];
  const set = parts.filter(Boolean);
  return set.length > 0 ? `#${set.join('&')}` : '';
};

// One page for all tests, each of which starts by loading it afresh; it must never complain.
const visit = await newVisit();
const { page } = visit;

const open = (state) => visit.show(address + hashOf(state));

const cell = (table, i) => page.locator(`.${table} td`).nth(i);

/** All that the figure shows. */
const read = () =>
  page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const values = (table) => all(`.${table} td .value`).map((value) => value.textContent);
    const indices = (selector, of) =>
      all(selector).flatMap((one, i) => (one.classList.contains(of) ? [i] : []));
    return {
      before: values('before'),
      after: values('after'),
      shared: all('.shared tbody tr').map((row) =>
        [...row.querySelectorAll('.value')].map((value) => value.textContent),
      ),
      lit: {
        before: indices('.before td', 'lit'),
        after: indices('.after td', 'lit'),
        shared: indices('.shared tbody tr', 'lit'),
      },
      marked: indices('.before td', 'marked'),
      inspector: [...document.querySelectorAll('.inspector p')].map((p) => p.textContent),
      checked: all('.choice input:checked').map((input) => input.value),
      hash: location.hash,
    };
  });

const assertAllShown = (texts, values, label) => {
  assert.equal(texts.length, values.length, label);
  texts.forEach((text, i) => {
    assert.ok(shows(text, values[i]), `${label}[${i}]: expected ${values[i]}, got ${text}`);
  });
};

/** The figure shows the numbers of a state. */
function assertNumbers(seen, state) {
  assertAllShown(seen.before, x, 'before');
  assertAllShown(seen.after, state.y, 'after');
  assert.equal(seen.shared.length, state.axes.sets);
  state.statistics.forEach((values, k) => {
    assertAllShown(
      seen.shared.map((row) => row[k]),
      values,
      `statistic ${k}`,
    );
  });
}

/** The block of a cell is lit everywhere, and nothing else; no cell: nothing at all. */
function assertLit({ lit, marked }, state, one, isMarked = true) {
  const cells = one === undefined ? [] : blockOf(state, one);
  const sets = one === undefined ? [] : [state.axes.set[one]];
  assert.deepEqual(lit, { before: cells, after: cells, shared: sets });
  assert.deepEqual(marked, one !== undefined && isMarked ? [one] : []);
}

for (const state of STATES) {
  describe(state.name, () => {
    before(() => open(state));
    beforeEach(() => page.locator('h1').hover());

    test('cells and statistics are those of the oracle', async () => {
      assertNumbers(await read(), state);
    });

    test('the formula of a cell holds its numbers', async () => {
      const i = 2 * COLS + 1;
      await cell('after', i).hover();
      const [title, formula, numbers, result] = (await read()).inspector;
      assert.equal(title, 'Example 3 (setosa), sepal width');
      assert.match(formula, state.norm === 'rms' ? /^y = x \/ √/ : /^y = \(x − μ/);
      const y = numberOf(result.replace('= ', ''));
      assert.ok(Math.abs(y - state.y[i]) < 1e-6, `${y}, ${state.y[i]}`);
      assert.equal(numberOf(numbers.match(/\d\.\d+/)[0]), Number(x[i].toPrecision(9)));
    });

    test('outlines stand between cells that share nothing', async () => {
      const sides = await page.evaluate(() =>
        [...document.querySelectorAll('.after td')].map((td) => {
          const style = getComputedStyle(td, '::after');
          const has = (side) => Number.parseFloat(style[`border${side}Width`]) > 0;
          return ['Top', 'Right', 'Bottom', 'Left'].map(has);
        }),
      );
      const setAt = (row, col) => {
        const isInside = row >= 0 && row < ROWS && col >= 0 && col < COLS;
        return isInside ? state.axes.set[row * COLS + col] : undefined;
      };
      sides.forEach((drawn, i) => {
        const [row, col] = [Math.floor(i / COLS), i % COLS];
        const beside = [
          [row - 1, col],
          [row, col + 1],
          [row + 1, col],
          [row, col - 1],
        ];
        const want = beside.map(([r, c]) => setAt(r, c) !== state.axes.set[i]);
        assert.deepEqual(drawn, want, `cell ${i}`);
      });
    });

    test('each block has its label, the same in every table', async () => {
      const [before, after, shared] = await page.evaluate(() =>
        ['.before .label', '.after .label', '.shared tr td:nth-of-type(1) .label'].map((labels) =>
          [...document.querySelectorAll(labels)].map((label) => label.textContent),
        ),
      );
      assert.equal(new Set(shared).size, state.axes.sets);
      assert.deepEqual(before, shared);
      assert.deepEqual(after, shared);
    });

    test('a cell lights its block, a statistic its cells', async () => {
      assertLit(await read(), state, undefined);
      for (const table of ['before', 'after']) {
        await cell(table, 6).hover();
        assertLit(await read(), state, 6);
      }
      await page.locator('h1').hover();
      assertLit(await read(), state, undefined);

      const last = state.axes.sets - 1;
      await page.locator('.shared tbody tr').nth(last).hover();
      assertLit(await read(), state, ROWS * COLS - 1, false);
      const isInView = await page.evaluate(() => {
        const box = document.querySelector('.before .scroller').getBoundingClientRect();
        return [...document.querySelectorAll('.before td.lit')].some((td) => {
          const { top, bottom } = td.getBoundingClientRect();
          return bottom > box.top && top < box.bottom;
        });
      });
      assert.ok(isInView, 'what is lit can be seen');
    });
  });
}

describe('mouse', () => {
  test('each choice shows its numbers and is in the address', async () => {
    await open(stateOf('batch'));
    for (const state of [...STATES].reverse()) {
      await page.locator(`input[name=norm][value=${state.norm}]`).check();
      if (state.groups) await page.locator(`input[name=groups][value="${state.groups}"]`).check();
      const seen = await read();
      assertNumbers(seen, state);
      assert.equal(await page.locator('input[name=groups]').first().isVisible(), !!state.groups);
      const params = new URLSearchParams(seen.hash.slice(1));
      assert.equal(params.get('grid.norm') ?? 'batch', state.norm);
      if (state.groups) assert.equal(params.get('grid.groups') ?? '2', state.groups);
    }
  });

  test('both tables scroll together', async () => {
    await open(stateOf('layer'));
    for (const table of ['before', 'after']) {
      await cell(table, 9).hover();
      await page.mouse.wheel(0, 300);
      await page.waitForFunction(() => {
        const tops = ['before', 'after'].map(
          (name) => document.querySelector(`.${name} .scroller`).scrollTop,
        );
        return tops[0] >= 300 && tops[0] === tops[1];
      });
      await page.evaluate(() => {
        document.querySelector('.before .scroller').scrollTop = 0;
      });
    }
  });

  test('the time is measured, and again when asked', async () => {
    await open(stateOf('layer'));
    const time = page.locator('.time');
    const assertMeasured = async () => {
      await page.waitForFunction(() => /takes/.test(document.querySelector('.time').textContent));
      const text = await time.textContent();
      const [, microseconds, batches, calls] = text.match(
        /^layerNorm\.forward takes ([\d.]+) µs here.* of (\d+) batches of ([\d,]+) calls\. Build: simd128\.$/,
      );
      assert.ok(microseconds > 0.1 && microseconds < 5000, text);
      assert.ok(batches % 2 === 1 && calls.replaceAll(',', '') >= 1, text);
    };
    await assertMeasured();
    await page.getByRole('button', { name: 'Measure again' }).click();
    assert.match(await time.textContent(), /^Measuring/);
    await assertMeasured();
    await page.keyboard.press('Enter'); // the button has the focus
    assert.match(await time.textContent(), /^Measuring/);
    await assertMeasured();
  });
});

describe('keyboard', () => {
  /** What has the focus. */
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: it } = document;
      const table = it.closest('.panel')?.className.replace('panel ', '');
      const cells = table ? [...document.querySelectorAll(`.${table} td`)] : [];
      return table ? `${table} ${cells.indexOf(it)}` : it.name || it.textContent.slice(0, 20);
    });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return focused();
  };

  test('every table is one stop of the Tab key', async () => {
    await open(stateOf('group, 2 groups'));
    const stops = ['norm', 'groups', 'before 0', 'after 0', 'shared 0', 'Measure again'];
    for (const stop of stops) assert.equal(await press('Tab'), stop);
    for (const stop of stops.slice(0, -1).reverse()) assert.equal(await press('Shift+Tab'), stop);
    await press('Tab', 'Tab', 'ArrowDown', 'ArrowRight');
    assert.equal(await press('Tab', 'Shift+Tab'), 'before 5', 'it stays where it was left');
  });

  test('arrow keys choose', async () => {
    await open(stateOf('batch'));
    await press('Tab');
    for (const name of ['layer', 'rms', 'group, 2 groups', 'instance', 'batch']) {
      await press('ArrowRight');
      assertNumbers(await read(), stateOf(name));
    }
    await press('ArrowLeft', 'ArrowLeft', 'Tab', 'ArrowRight');
    assertNumbers(await read(), stateOf('group, 4 groups'));
    await press('ArrowLeft', 'ArrowLeft');
    assertNumbers(await read(), stateOf('group, 1 groups'));
  });

  test('arrow keys move in a table, light the block and keep it in view', async () => {
    await open(stateOf('layer'));
    const last = ROWS * COLS - 1;
    for (const table of ['before', 'after']) {
      await cell(table, 0).focus();
      for (const [key, at] of [
        ['ArrowUp', 0],
        ['ArrowLeft', 0],
        ['ArrowRight', 1],
        ['ArrowDown', 5],
        ['End', 7],
        ['ArrowRight', 7],
        ['Home', 4],
        ['PageDown', 44],
        ['ArrowUp', 40],
        ['Control+End', last],
        ['ArrowDown', last],
        ['PageUp', last - 40],
        ['Control+Home', 0],
      ]) {
        assert.equal(await press(key), `${table} ${at}`, key);
        assertLit(await read(), stateOf('layer'), at);
        const hidden = await page.evaluate((name) => {
          const box = document.querySelector(`.${name} .scroller`).getBoundingClientRect();
          const head = document.querySelector(`.${name} thead th`).getBoundingClientRect();
          const own = document.activeElement.getBoundingClientRect();
          return Math.max(head.bottom - own.top, own.bottom - box.bottom);
        }, table);
        assert.ok(hidden <= 1, `${key}: ${hidden} px out of view`);
      }
    }
    assert.equal(await page.locator('td[tabindex="0"]').count(), 3);
  });

  test('a statistic that has the focus lights its cells', async () => {
    await open(stateOf('batch'));
    await page.locator('.shared td').first().focus();
    await press('ArrowDown', 'ArrowRight');
    assertLit(await read(), stateOf('batch'), 1, false);
    const [title, ...lines] = (await read()).inspector;
    assert.equal(title.replaceAll('\u00a0', ' '), 'Sepal width: 150 cells of sepal width');
    assert.equal(lines.length, 2);
    stateOf('batch').statistics.forEach((values, k) => {
      const got = numberOf(lines[k].split(' = ')[1]);
      assert.ok(Math.abs(got / values[1] - 1) < 1e-6, lines[k]);
    });
  });
});

describe('address', () => {
  test('a link brings back what was set, and a changed one is followed', async () => {
    await open(stateOf('group, 4 groups'));
    assert.deepEqual((await read()).checked, ['group', '4']);
    await page.evaluate(() => {
      location.hash = '#grid.norm=rms';
    });
    await page.locator('input[value=rms]:checked').waitFor({ state: 'attached' });
    assertNumbers(await read(), stateOf('rms'));
    await page.goBack();
    await page.locator('input[value=group]:checked').waitFor({ state: 'attached' });
    assertNumbers(await read(), stateOf('group, 4 groups'));
  });

  test('what does not exist is as if it was not there, and what others wrote stays', async () => {
    await visit.show(`${address}#grid.norm=none&grid.groups=3&other=1`);
    assert.deepEqual((await read()).checked, ['batch', '2']);
    await page.locator('input[value=layer]').check();
    const params = new URLSearchParams((await read()).hash.slice(1));
    assert.equal(params.get('other'), '1');
    assert.equal(params.get('grid.norm'), 'layer');
  });
});

test('the page had nothing to complain about', () => visit.end());
