/** How a case is written as a call of the library. */

/** The array that is passed first; the others are options. */
const mainOf = ({ direction }) => (direction === 'forward' ? 'x' : 'dy');

/**
 * A function of the library and what it is called with.
 *
 * @param {import('../../../js/index.js').AxisNorm} an
 * @param {Pick<import('../cases.js').Case, 'op' | 'dims' | 'sizes' | 'eps'>} one
 * @param {(name: string) => unknown} at  gives the array of a name
 * @param {boolean} isFlat  whether the arrays have no shape of their own
 */
export function callOf(an, { op, dims, sizes, eps }, at, isFlat) {
  const [norm, method] = op.api;
  const main = mainOf(op);
  const options = { eps };
  if (isFlat) options.shape = dims;
  if (sizes.groups) options.groups = sizes.groups;
  if (op.norm.frozen && op.direction === 'backward') options.training = false;
  for (const { name } of op.inputs) if (name !== main) options[name] = at(name);
  options.out = op.isInference
    ? at('y')
    : Object.fromEntries(op.outputs.map(({ name }) => [name, at(name)]));
  return [method ? an[norm][method] : an[norm], at(main), options];
}
