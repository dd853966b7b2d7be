// The default race of the page over five seeds, as npm run experiment prints it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/train/index.js';
import { LANES, runLane, SEEDS } from '../experiments/race.js';

const t = await load();

for (const [name, { lane, holds, claim, atLeast }] of Object.entries(LANES)) {
  test(`${name}: ${claim} in at least ${atLeast} of ${SEEDS.length}`, () => {
    const runs = SEEDS.map((seed) => runLane(t, lane, seed));
    const losses = runs.map(({ heldOut }) => heldOut.toFixed(4)).join(', ');
    console.log(`${name}: ${losses}`);
    const count = runs.filter(({ heldOut, chance }) => holds(heldOut, chance)).length;
    assert.ok(count >= atLeast, losses);
  });
}
