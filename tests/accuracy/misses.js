/* Where axisnorm is less exact than it has to be: than its limits, or than a peer. */
import { isWorse, limitOf, RIVALS } from './limits.js';
import { librariesOf, PARTS } from './measure.js';

const text = (units) => (units === Infinity ? 'no number' : `${units.toPrecision(3)} units`);

/** The peers that are more exact than `ours` in a cell. */
function* betterPeers({ norm, cells }, ours, part, libraries, kinds) {
  const { units } = cells.get(ours.name)[part.id];
  for (const peer of librariesOf(norm, libraries)) {
    const theirs = cells.get(peer.name)[part.id].units;
    if (theirs === undefined || !kinds.includes(peer.kind) || !isWorse(units, theirs)) continue;
    yield `${text(units)}, ${peer.name} ${text(theirs)}`;
  }
}

/** Every cell of axisnorm itself: [row, our library, part, the start of a message]. */
function* ownCells(rows, libraries) {
  for (const row of rows) {
    for (const ours of librariesOf(row.norm, libraries)) {
      if (!RIVALS[ours.kind]) continue;
      for (const part of PARTS) {
        const where = `${row.norm.title}; ${row.name}; ${part.title}: ${ours.name}`;
        yield { row, ours, part, where };
      }
    }
  }
}

/**
 * @param {import('./page.js').Row[]} rows
 * @param {import('./measure.js').Library[]} libraries
 * @returns {string[]} a line each
 */
export function misses(rows, libraries) {
  const lines = [];
  for (const { row, ours, part, where } of ownCells(rows, libraries)) {
    const { units, reason } = row.cells.get(ours.name)[part.id];
    const limit = limitOf(ours, part, row.hostile);
    if (reason) lines.push(`${where}: ${reason}`);
    else if (units > limit) lines.push(`${where}: ${text(units)}, limit ${limit}`);
    for (const better of betterPeers(row, ours, part, libraries, RIVALS[ours.kind])) {
      lines.push(`${where} ${better}`);
    }
  }
  return lines;
}

/** Where a peer that adds in doubles is more exact than axisnorm without `exact`. No miss. */
export function beatenByDoubles(rows, libraries) {
  const lines = [];
  for (const { row, ours, part, where } of ownCells(rows, libraries)) {
    if (ours.kind !== 'own') continue;
    for (const better of betterPeers(row, ours, part, libraries, ['mixed'])) {
      lines.push(`${where} ${better}`);
    }
  }
  return lines;
}
