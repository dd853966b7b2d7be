/*
 * npm run experiment: the default race of the page over five seeds, what is measured before
 * training, and small batches. Fails where a claim does not hold.
 */
import { load } from '../../js/train/index.js';
import { claimsOf, DEFAULTS, tableOf, trainAll } from './digits.js';
import { gradientRatio, RATIOS, stream } from './initialization.js';
import { LANES, runLane, SEEDS } from './race.js';

const failed = [];

function verdict(holds, claim) {
  if (!holds) failed.push(claim);
  return `  ${holds ? 'holds' : 'FAILS'}: ${claim}`;
}

const row = (name, cells) =>
  `  ${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;

const digits = (value) => (value < 1e-3 ? value.toExponential(1) : value.toFixed(3));

function race(t) {
  console.log('The default race');
  console.log(row('seed', SEEDS));
  for (const [name, { lane, holds, claim, atLeast }] of Object.entries(LANES)) {
    const runs = SEEDS.map((seed) => runLane(t, lane, seed));
    const [{ chance }] = runs;
    const count = runs.filter(({ heldOut }) => holds(heldOut, chance)).length;
    const pace = runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / runs.length;
    console.log(`\n  ${name}: ${pace.toFixed(1)} ms a step, chance ${digits(chance)}`);
    console.log(
      row(
        'loss on held-out data',
        runs.map(({ heldOut }) => digits(heldOut)),
      ),
    );
    console.log(
      row(
        'loss of the last 20 batches',
        runs.map(({ training }) => digits(training)),
      ),
    );
    console.log(
      row(
        'below 0.15 from step',
        runs.map(({ learnedAt }) => learnedAt ?? '–'),
      ),
    );
    console.log(verdict(count >= atLeast, `${claim} in ${count} of ${SEEDS.length}`));
  }
}

function initialization(t) {
  console.log('\nBefore training: the gradient of the last feed-forward matrix');
  for (const [placement, { least, most }] of Object.entries(RATIOS)) {
    const { shallow, deep, ratio } = gradientRatio(t, placement);
    const numbers = `depth 4: ${digits(shallow)}, depth 16: ${digits(deep)}`;
    const claim = `${placement}: ratio ${digits(ratio)} is from ${least} to ${most}`;
    console.log(`${verdict(ratio >= least && ratio <= most, claim)} (${numbers})`);
  }
  console.log('\nBefore training: ‖x‖²/width behind the blocks of a Pre-LN model');
  const blocks = stream(t);
  for (const { block, size, low, high } of blocks) {
    console.log(row(`block ${block}`, [digits(low), digits(size), digits(high)]));
  }
  const claim = 'all between 1 + l/2 and 1 + 3l/2';
  console.log(
    verdict(
      blocks.every(({ isInside }) => isInside),
      claim,
    ),
  );
}

function smallBatches(t) {
  const results = trainAll(t, DEFAULTS);
  console.log('\nSmall batches: errors in percent, mean and range of the seeds');
  console.log(tableOf(results, DEFAULTS));
  for (const [claim, holds] of Object.entries(claimsOf(results, DEFAULTS))) {
    console.log(verdict(holds, claim));
  }
}

const t = await load();
race(t);
initialization(t);
smallBatches(t);
console.log(failed.length === 0 ? '\nAll claims hold.' : `\nFailed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
