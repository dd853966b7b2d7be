/** How statistics are named: μ and σ², or the mean square r², with the number of their block. */
import { element } from '../../dom.js';

const sub = (text) => (text ? [element('sub', {}, text)] : []);

export const meanOf = ({ subscript }) => element('var', {}, 'μ', ...sub(subscript));

export const varianceOf = ({ subscript }) => element('var', {}, 'σ²', ...sub(subscript));

export const meanSquareOf = ({ subscript }) => element('var', {}, 'r²', ...sub(subscript));

export const rstdOf = ({ subscript }) => element('var', {}, 'rstd', ...sub(subscript));

/** The one that stands for a block. */
export const labelOf = (norm, block) => (norm.centers ? meanOf(block) : meanSquareOf(block));

/** What a block has, as [name, number]. */
export const statisticsOf = ({ centers }, block) => [
  ...(centers ? [[meanOf(block), block.mean]] : []),
  [(centers ? varianceOf : meanSquareOf)(block), block.variance],
  [rstdOf(block), block.rstd],
];
