/** What fingerprint.js gives in every engine. Changes with kernels, tasks, and how models start. */
export const START = '951479dd';
export const FINGERPRINT = '5f9386f2';
