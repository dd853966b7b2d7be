/* What axisnorm promises in the table. */
import { FORWARD_UNITS, GRADIENT_UNITS } from '../helpers/ulp.js';

/** Of the forward pass on inputs as layers see them. */
const REALISTIC_FORWARD_UNITS = 2.5;

/** One rounding, and room for the float64 before it. */
const EXACT_UNITS = 0.51;

/** Up to here two results count as equally exact: both are rounded about once. */
const EQUAL_UNITS = 0.55;

/** @returns {number} units that a library of ours may be off */
export function limitOf(library, part, hostile) {
  if (library.kind === 'exact') return EXACT_UNITS;
  if (part.id !== 'forward') return GRADIENT_UNITS;
  return hostile ? FORWARD_UNITS : REALISTIC_FORWARD_UNITS;
}

/** Which peers a library of ours has to be as exact as. */
export const RIVALS = { own: ['float32'], exact: ['float32', 'mixed', 'double'] };

export const isWorse = (ours, theirs) => ours > Math.max(theirs, EQUAL_UNITS);
