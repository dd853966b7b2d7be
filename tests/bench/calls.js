/**
 * What a public call costs beside the C function: on tensors so small that there is nothing to
 * compute, and on small arrays beside a plain loop.
 */
import { load } from '../../js/index.js';
import { caseOf, rowSizes } from './cases.js';
import { axisnormArrays } from './contestants/axisnorm-arrays.js';
import { axisnormTensors } from './contestants/axisnorm-tensors.js';
import { kernel } from './contestants/kernel.js';
import { plainLoop } from './contestants/plain-loop.js';
import { OPERATIONS } from './operations.js';
import { rowText } from './report/lines.js';
import { runCase } from './suite.js';

const TINY = { rows: 1, cols: 4, batch: 1, channels: 4, spatial: 1, groups: 2, outer: 2, inner: 1 };

const tinyCase = (op) => caseOf(op, Object.fromEntries(op.sizes.map((name) => [name, TINY[name]])));

/** Widths of a single row. */
const SMALL = [4, 8, 16, 32, 64, 256, 1024];

async function rowsOf(cases, contestants, { clock }, { filter, settings }, say) {
  const rows = [];
  for (const one of cases.filter(({ id }) => new RegExp(filter).test(id))) {
    const row = await runCase(one, contestants, clock, settings);
    say(rowText(row));
    rows.push(row);
  }
  return rows;
}

/** @type {import('./measure.js').Measure} */
export async function measureCalls(environment, plan, say) {
  const an = await load();
  const tensors = axisnormTensors(an, 'tensors');
  const tiny = Object.values(OPERATIONS).map(tinyCase);
  const small = SMALL.map((cols) => caseOf(OPERATIONS.layerNorm, rowSizes(1, cols)));
  // Tensors first: what arrays need has not been compiled then, as in a program without them.
  const beyond = await rowsOf(tiny, [tensors, await kernel()], environment, plan, say);
  const others = [axisnormArrays(an, 'arrays'), tensors, plainLoop()];
  return { beyond, small: await rowsOf(small, others, environment, plan, say) };
}
