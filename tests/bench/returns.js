/**
 * The ways to get a result from a call with JavaScript's arrays: LayerNorm, 128×768. Where the
 * result goes costs more than the arithmetic in some engines.
 */
import { load } from '../../js/index.js';
import { caseOf, rowSizes } from './cases.js';
import { axisnormArrays } from './contestants/axisnorm-arrays.js';
import { axisnormTensors } from './contestants/axisnorm-tensors.js';
import { OPERATIONS } from './operations.js';
import { rowText } from './report/lines.js';
import { runCase } from './suite.js';

const LENGTH = 128 * 768;
/** Results that are in use at the same time, as those of the layers of a network are. */
const IN_USE = 4;

/** A program's own pool: the oldest of the arrays in use is handed back and taken again. */
function pool() {
  const arrays = Array.from({ length: IN_USE }, () => new Float32Array(LENGTH));
  let turn = 0;
  return () => {
    turn = (turn + 1) % IN_USE;
    return arrays[turn];
  };
}

/** A contestant whose result comes about in a way of its own. */
function returning(an, id, callOf) {
  return {
    id,
    prepare({ dims: shape, eps }, { x, gamma, beta }) {
      const run = callOf(an, x, { shape, eps, gamma, beta });
      let y;
      return {
        call: [
          () => {
            y = run();
          },
        ],
        results: () => ({ y }),
      };
    },
  };
}

const newEachCall = (an, x, options) => () => an.layerNorm(x, options);

const newGiven = (an, x, options) => () =>
  an.layerNorm(x, { ...options, out: new Float32Array(LENGTH) });

function pooled(an, x, options) {
  const take = pool();
  return () => an.layerNorm(x, { ...options, out: take() });
}

/** @type {import('./measure.js').Measure} */
export async function measureReturns({ clock }, { filter, settings }, say) {
  const one = caseOf(OPERATIONS.layerNorm, rowSizes(128, 768));
  if (!new RegExp(filter).test(one.id)) return undefined;
  const an = await load();
  const ways = [
    returning(an, 'newEachCall', newEachCall),
    returning(an, 'newGiven', newGiven),
    returning(an, 'pooled', pooled),
    axisnormArrays(an, 'out'),
    axisnormTensors(an, 'tensors'),
  ];
  const row = await runCase(one, ways, clock, settings);
  say(rowText(row));
  return row;
}
