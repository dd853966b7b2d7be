/*
 * A plain JavaScript loop: the formulas in double precision, sums as they run along, rounded to
 * float32 once at the end. It is what the oracle of the kernel tests does.
 */
import * as oracle from '../../helpers/oracle.js';
import { results } from '../reference.js';

function run(one) {
  const { y, dx, dgamma, dbeta } = results(one, oracle.statistics);
  const rounded = Object.entries({ y, dx, dgamma, dbeta }).map(([name, values]) => [
    name,
    Float32Array.from(values),
  ]);
  return Object.fromEntries(rounded.filter(([name]) => name !== 'dbeta' || one.inputs.beta));
}

/** @returns {import('../measure.js').Library[]} */
export const loop = () => [{ name: 'JavaScript doubles', kind: 'double', passes: [run] }];
