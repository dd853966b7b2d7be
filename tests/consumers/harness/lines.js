/** What consumers print where all is right. */

/** Of checkNorms() in sources/check.js. */
export const NORMS = 'norms right, simd128';

/** Of checkAll() in sources/all.js. */
export const ALL = `${NORMS}; layers right, simd128; training right, simd128; slim ${NORMS}`;
