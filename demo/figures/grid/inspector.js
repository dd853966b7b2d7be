/** View of the formula, with the numbers of what is pointed at. */
import { element } from '../../dom.js';
import { count, long } from '../../numbers.js';
import { EPS } from './model.js';
import { meanOf, rmsOf, varianceOf } from './statistic.js';

const HINT = 'Point at a cell, or reach it with Tab and the arrow keys.';

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** (x − μ) / √(σ² + ε), or x / √(r² + ε). */
const formula = ({ centers }, x, mean, spread) =>
  centers
    ? ['(', x, ' − ', mean, ') / √(', spread, ' + ε)']
    : [x, ' / √(', spread, element('sup', {}, '2'), ' + ε)'];

const cellCount = ({ cells }) => (cells.length === 1 ? '1 cell' : `${count(cells.length)} cells`);

/** A negative number that is subtracted stands in brackets. */
const subtracted = (value) => (value < 0 ? `(${long(value)})` : long(value));

export function inspector(table) {
  const title = element('p', { className: 'title' });
  const lines = element('div', { className: 'lines' });

  const line = (...parts) => element('p', {}, ...parts);

  /** @param {import('./model.js').Model} model */
  function general({ norm, blocks }) {
    const each = norm.centers ? 'a mean and a variance' : 'a root mean square';
    const blocksText = `${count(blocks.length)} blocks of ${cellCount(blocks[0])}, each with ${each}`;
    title.textContent = HINT;
    lines.replaceChildren(
      line(element('var', {}, 'y'), ' = ', ...formula(norm, 'x', 'μ', norm.centers ? 'σ²' : 'r')),
      line(`ε = ${EPS.toFixed(5)}, γ = 1, β = 0`),
      line(blocksText),
    );
  }

  function block({ norm }, one) {
    const where = one.features.length < table.cols ? ` of ${one.features.join(' and ')}` : '';
    title.textContent = `${capital(one.name)}: ${cellCount(one)}${where}`;
    lines.replaceChildren(
      ...(norm.centers ? [line(meanOf(one), ` = ${long(one.mean)}`)] : []),
      line((norm.centers ? varianceOf : rmsOf)(one), ` = ${long(one.spread)}`),
    );
  }

  function cell({ norm, y, blockOf }, i) {
    const { cols, features, species, x } = table;
    const row = Math.floor(i / cols);
    const one = blockOf(i);
    const [mean, spread] = [meanOf(one), (norm.centers ? varianceOf : rmsOf)(one)];
    const numbers = formula(
      norm,
      long(x[i]),
      norm.centers ? subtracted(one.mean) : '',
      long(one.spread),
    );
    title.textContent = `Example ${row + 1} (${species[row]}), ${features[i % cols]}`;
    lines.replaceChildren(
      line(element('var', {}, 'y'), ' = ', ...formula(norm, 'x', mean, spread)),
      line(' = ', ...numbers),
      line(' = ', element('output', {}, long(y[i]))),
    );
  }

  return {
    element: element('div', { className: 'inspector', id: 'grid-inspector' }, title, lines),
    /**
     * @param {import('./model.js').Model} model
     * @param {{ block: import('./model.js').Block, cell?: number }} [active]
     */
    show(model, active) {
      if (active === undefined) general(model);
      else if (active.cell === undefined) block(model, active.block);
      else cell(model, active.cell);
    },
  };
}
