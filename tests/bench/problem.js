/** The inputs of a case, what its results should be, and whether someone's are. */
import { backward, forward, frozenStatistics, statistics } from '../helpers/oracle.js';
import { randomArray } from '../helpers/random.js';
import { largestError } from '../helpers/units.js';

/** Uniform numbers of [-1, 1) to ordinary values of each input. */
const DRAW = {
  x: (u) => 2 * u + 0.5,
  dy: (u) => u + 0.1,
  gamma: (u) => 1 + 0.5 * u,
  beta: (u) => 0.5 * u,
  runningMean: (u) => 0.5 + 0.2 * u,
  runningVar: (u) => 1.3 + 0.5 * u,
};

const RESULTS = { forward, backward };

/**
 * More than float32 sums in any order cost on these inputs, and much less than any mistake does on
 * a small shape.
 */
const MOST_UNITS = 500;

/**
 * @param {import('./cases.js').Case} one
 * @returns {{ inputs: Record<string, Float32Array>, expected: () => object }} expected() computes
 *   the results in float64, and their scale
 */
export function problemOf({ op, sizes, eps, lengths }) {
  const { norm, direction } = op;
  const axes = norm.axes(sizes);
  const { center } = norm;
  const drawn = op.inputs.filter(({ name }) => DRAW[name]);
  const inputs = Object.fromEntries(
    drawn.map(({ name, extent }) => [name, randomArray(name, lengths[extent], DRAW[name])]),
  );
  const known = norm.frozen
    ? frozenStatistics({ ...inputs, eps })
    : statistics(axes, inputs.x, { eps, center });
  for (const { name } of op.inputs) inputs[name] ??= Float32Array.from(known[name]);
  return { inputs, expected: () => RESULTS[direction](axes, inputs, known, { center }) };
}

/**
 * Why results are refused; undefined where they are right. Someone who does not give them all gives
 * the first.
 *
 * @param {import('./cases.js').Case} one
 * @param {Record<string, Float32Array>} results
 * @param {object} want
 */
export function mistakeIn({ op, lengths }, results, want) {
  for (const [place, { name, extent }] of op.outputs.entries()) {
    const got = results[name];
    if (got === undefined && place > 0) continue;
    if (got?.length !== lengths[extent]) return `${name} has not ${lengths[extent]} values`;
    const { units, at } = largestError(got, want[name], want.scale[name]);
    if (!(units <= MOST_UNITS)) {
      return `${name}[${at}] is ${got[at]} instead of ${want[name][at]}`;
    }
  }
  return undefined;
}
