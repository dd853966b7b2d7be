/** The models of a race: what they can be, what they are called, how they are written in the address. */
import { lane, NEED_FINAL_NORM } from './presets.js';

/** Where the norms are, with f for attention and for the feed-forward network. */
export const PLACEMENTS = {
  post: { label: 'Post-LN', formula: 'x ← norm(x + f(x))' },
  pre: { label: 'Pre-LN', formula: 'x ← x + f(norm(x))' },
  sandwich: { label: 'Sandwich', formula: 'x ← x + norm(f(norm(x)))' },
  deepnorm: { label: 'DeepNorm', formula: 'x ← norm(α·x + f(x))' },
  none: { label: 'No norm', formula: 'x ← x + f(x)' },
};

export const NORMS = { layer: { label: 'LayerNorm' }, rms: { label: 'RMSNorm' } };

export const FEWEST = 2;
export const MOST = 4;

const hasFinal = (placement) => NEED_FINAL_NORM.includes(placement);

/** As in `pre.rms.warm`: the placement, and what differs from the usual. */
export function writeLane({ placement, norm, warmup, finalNorm }) {
  const words = [placement];
  if (norm === 'rms') words.push('rms');
  if (warmup) words.push('warm');
  if (finalNorm !== hasFinal(placement)) words.push(finalNorm ? 'final' : 'bare');
  return words.join('.');
}

/** undefined where the text is no lane */
export function readLane(text) {
  const [placement, ...words] = text.split('.');
  if (!Object.hasOwn(PLACEMENTS, placement)) return undefined;
  const made = lane(placement);
  if (words.includes('rms')) made.norm = 'rms';
  if (words.includes('warm')) made.warmup = true;
  if (words.includes('final')) made.finalNorm = true;
  if (words.includes('bare')) made.finalNorm = false;
  return writeLane(made) === text ? made : undefined;
}

export const writeLanes = (lanes) => lanes.map(writeLane).join('_');

export function readLanes(text) {
  const lanes = text.split('_').map(readLane);
  const fits = lanes.length >= FEWEST && lanes.length <= MOST && !lanes.includes(undefined);
  return fits ? lanes : undefined;
}

function nameOf({ placement, norm, warmup, finalNorm }) {
  const words = [PLACEMENTS[placement].label];
  if (norm === 'rms' && placement !== 'none') words.push('RMSNorm');
  if (warmup) words.push('warm-up');
  if (finalNorm !== hasFinal(placement)) words.push(finalNorm ? 'final norm' : 'no final norm');
  return words.join(', ');
}

/** A name for each; equals are numbered. */
export function namesOf(lanes) {
  const names = lanes.map(nameOf);
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before > 0 ? `${name} (${before + 1})` : name;
  });
}

/** Hue, dash and mark of the lanes, from the first to the last. */
export const LOOKS = [
  { hue: 1, dash: '7 4', shape: 'square' },
  { hue: 0, shape: 'circle' },
  { hue: 3, dash: '2 3', shape: 'triangle' },
  { hue: 2, dash: '10 3 2 3', shape: 'diamond' },
];
