/** View of the formula, step by step, with the numbers of what is pointed at. */
import { element } from '../../dom.js';
import { count, nine, own } from '../../numbers.js';
import { meanOf, meanSquareOf, rstdOf, statisticsOf, varianceOf } from './statistic.js';
import { layoutOf, nameOf } from './table.js';

/** So many values of a block are written out. */
const TERMS = 3;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

const cellCount = ({ cells }) => (cells.length === 1 ? '1 cell' : `${count(cells.length)} cells`);

/** A negative number that is added, subtracted or multiplied stands in brackets. */
const bracketed = (value, write = nine) => (value < 0 ? `(${write(value)})` : write(value));

/** For what was given, not computed. */
const given = (value) => bracketed(value, own);

/** As in `5.1 + 4.9 + …`. */
function sum(values, write) {
  const terms = values.slice(0, TERMS).map(write);
  return [...terms, ...(values.length > TERMS ? ['…'] : [])].join(' + ');
}

const line = (...parts) => element('li', {}, ...parts);
const output = (value) => element('output', {}, nine(value));
const v = (name) => element('var', {}, name);

/** The two or three steps that all cells of a block have in common. */
function shared({ norm, table, eps }, block) {
  const x = block.cells.map((i) => table.x[i]);
  const { mean, variance, rstd } = block;
  const n = x.length;
  const over = ` / ${n} = `;
  const square = norm.centers ? varianceOf(block) : meanSquareOf(block);
  const squares = norm.centers
    ? sum(x, (value) => `(${own(value)} − ${bracketed(mean)})²`)
    : sum(x, (value) => `${given(value)}²`);
  return [
    ...(norm.centers ? [line(meanOf(block), ` = (${sum(x, given)})${over}`, output(mean))] : []),
    line(square, ` = (${squares})${over}`, output(variance)),
    line(rstdOf(block), ` = 1 / √(${nine(variance)} + ${nine(eps)}) = `, output(rstd)),
  ];
}

function forwardStep({ norm, table, y, gamma, beta }, block, i) {
  const c = layoutOf(table).channelOf(i);
  const { mean, rstd } = block;
  const x = own(table.x[i]);
  const scaled = `${nine(rstd)} · ${given(gamma[c])}`;
  return norm.centers
    ? line(
        ...[v('y'), ' = (', v('x'), ' − μ) · rstd · γ + β = '],
        `(${x} − ${bracketed(mean)}) · ${scaled} + ${given(beta[c])} = `,
        output(y[i]),
      )
    : line(...[v('y'), ' = ', v('x'), ' · rstd · γ = '], `${x} · ${scaled} = `, output(y[i]));
}

/** With g = γ · dy and means over the block. */
function backwardSteps({ norm, table, gamma, dy, dx }, block, i) {
  const { channelOf } = layoutOf(table);
  const { mean = 0, rstd, cells } = block;
  const hat = (k) => (table.x[k] - mean) * rstd;
  const g = (k) => gamma[channelOf(k)] * dy[k];
  const average = (of) => cells.reduce((total, k) => total + of(k), 0) / cells.length;
  const [meanG, meanGX] = [average(g), average((k) => g(k) * hat(k))];
  const byMean = norm.centers ? ` − ${bracketed(meanG)}` : '';
  return [
    line(v('g'), ' = γ · dy = ', output(g(i)), ',  x̂ = ', output(hat(i))),
    line(
      ...(norm.centers ? ['mean(', v('g'), ') = ', output(meanG), ',  '] : []),
      ...['mean(', v('g'), ' · x̂) = ', output(meanGX)],
    ),
    line(
      ...[v('dx'), ` = rstd · (g${norm.centers ? ' − mean(g)' : ''} − x̂ · mean(g · x̂)) = `],
      `${nine(rstd)} · (${nine(g(i))}${byMean} − ${bracketed(hat(i))} · ${bracketed(meanGX)}) = `,
      output(dx[i]),
    ),
  ];
}

export function inspector(id) {
  const title = element('p', { className: 'title' });
  const lines = element('ol', { className: 'lines' });

  /** @param {import('./model.js').Model} model */
  function general({ norm, blocks, eps, dx }) {
    const each = norm.centers ? 'a mean and a variance' : 'a mean square';
    const number = blocks.length === 1 ? '1 block' : `${count(blocks.length)} blocks`;
    title.textContent = 'Point at a cell or a statistic, or reach it with Tab and the arrow keys.';
    const forward = norm.centers ? '(x − μ) / √(σ² + ε) · γ + β' : 'x / √(r² + ε) · γ';
    const backward = norm.centers
      ? 'rstd · (g − mean(g) − x̂ · mean(g · x̂)), with g = γ · dy'
      : 'rstd · (g − x̂ · mean(g · x̂)), with g = γ · dy';
    lines.replaceChildren(
      dx ? line(v('dx'), ` = ${backward}`) : line(v('y'), ` = ${forward}`),
      line(`ε = ${nine(eps)}, keeps from dividing by zero; γ and β are learned`),
      line(`${number} of ${cellCount(blocks[0])}, each with ${each}`),
    );
  }

  function block(model, one) {
    title.textContent = `${capital(one.name || 'all')}: ${cellCount(one)} share`;
    lines.replaceChildren(
      ...statisticsOf(model.norm, one).map(([name, value]) => line(name, ' = ', output(value))),
    );
  }

  function cell(model, i) {
    const one = model.blockOf(i);
    title.textContent = `${capital(nameOf(model.table, i))}, in a block of ${cellCount(one)}`;
    lines.replaceChildren(
      ...(model.dx
        ? [line(rstdOf(one), ' = ', output(one.rstd)), ...backwardSteps(model, one, i)]
        : [...shared(model, one), forwardStep(model, one, i)]),
    );
  }

  return {
    element: element('div', { className: 'inspector', id }, title, lines),
    /**
     * @param {import('./model.js').Model} model
     * @param {{ block: import('./model.js').Block, cell?: number }} [active]
     */
    show(model, active) {
      if (model.refusal) {
        title.textContent = 'The library refuses:';
        lines.replaceChildren(line(element('code', {}, model.refusal)));
      } else if (active === undefined) general(model);
      else if (active.cell === undefined) block(model, active.block);
      else cell(model, active.cell);
    },
  };
}
