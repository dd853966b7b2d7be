/** How statistics are named: μ and σ², or the root mean square r, with the number of their block. */
import { element } from '../../dom.js';

const sub = (text) => (text ? [element('sub', {}, text)] : []);

export const meanOf = ({ subscript }) => element('var', {}, 'μ', ...sub(subscript));

export const varianceOf = ({ subscript }) => element('var', {}, 'σ²', ...sub(subscript));

export const rmsOf = ({ subscript }) => element('var', {}, 'r', ...sub(subscript));

/** The one that stands for a block. */
export const labelOf = (norm, block) => (norm.centers ? meanOf(block) : rmsOf(block));
