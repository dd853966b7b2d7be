// Which one should I use: the advice on the page is the model's, and its links lead somewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARCHITECTURES, COMPARISON, recommend } from '../../demo/figures/choose/model.js';
import { testAppearance, visitFigure } from '../demo/figure-page.js';

const figure = await visitFigure('choose');
const { page, root, show, control, press } = figure;

async function assertAdvice(architecture, batch) {
  const { norms, reason, links } = recommend({ architecture, batch });
  assert.equal(await root.locator('.advice').textContent(), norms.join(' or '));
  const box = root.locator('.recommendation');
  assert.ok((await box.textContent()).includes(reason));
  const isCompared = ['BatchNorm', 'LayerNorm'].includes(norms[0]);
  const like = root.getByText(`${norms[0]}, like LayerNorm below`);
  assert.equal(await like.isVisible(), !isCompared);
  const hrefs = await box.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  for (const [hash] of links) assert.ok(hrefs.includes(`../../index.html${hash}`), hash);
}

test('architectures and batches by mouse', async () => {
  await show();
  await assertAdvice('cnn', 32);
  for (const architecture of Object.keys(ARCHITECTURES)) {
    await control('architecture').selectOption(architecture);
    await assertAdvice(architecture, 32);
  }
  const { x, y, height } = await control('batch').boundingBox();
  await page.mouse.click(x + 2, y + height / 2);
  await assertAdvice('table', 1);
});

test('and by keyboard', async () => {
  await show();
  await control('batch').focus();
  await press('ArrowLeft');
  await assertAdvice('cnn', 31);
  await press('Home');
  await assertAdvice('cnn', 1);
  await control('architecture').focus();
  await press('ArrowDown');
  await assertAdvice('transformer', 1);
  await figure.hash('#choose.architecture=transformer&choose.batch=1');
});

test('each claim has its link, with a name that says where it leads', async () => {
  await show();
  const links = await root
    .locator('.card a')
    .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('aria-label')]));
  const claims = COMPARISON.flatMap(({ batch, layer }) => [batch, layer]);
  assert.deepEqual(
    links.map(([href]) => href.replace('../../index.html', '')),
    claims.map(([, hash]) => hash),
  );
  assert.equal(new Set(links.map(([, name]) => name)).size, claims.length);
});

testAppearance(figure, ['', '#choose.architecture=llm']);

test('the page had nothing to complain about', () => figure.end());
