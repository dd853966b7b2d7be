/** The codes of an_status in include/axisnorm.h and include/axisnorm_train.h. */
import { outOfRange } from './check.js';

export const ERR_VARIANCE = 8;
export const ERR_INDEX = 10;

const ERR_OVERLAP = 5;

const NAMES = [
  ...['AN_OK', 'AN_ERR_NULL', 'AN_ERR_SHAPE', 'AN_ERR_EPS', 'AN_ERR_ALIGN', 'AN_ERR_OVERLAP'],
  ...['AN_ERR_COUNT', 'AN_ERR_MOMENTUM', 'AN_ERR_VARIANCE', 'AN_ERR_FLAGS'],
  ...['AN_ERR_INDEX', 'AN_ERR_VALUE'],
];

/**
 * @param {string} caller  name of the function
 * @param {number} status  not AN_OK
 */
export function statusError(caller, status) {
  if (status === ERR_OVERLAP) return overlapError(caller);
  return new Error(`${caller}: the kernel returned ${NAMES[status] ?? status}`);
}

/** @param {string} caller  name of the function */
export function overlapError(caller) {
  return outOfRange(
    caller,
    'outputs that overlap no other argument (y may be x, dx may be dy or x)',
    'an overlap',
  );
}

/**
 * @param {string} caller  name of the function
 * @param {number} status
 */
export function expectOk(caller, status) {
  if (status !== 0) throw statusError(caller, status);
}
